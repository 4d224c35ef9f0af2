"""
The prompt that looks for a cause.
"""

from __future__ import annotations

from collections.abc import Mapping

from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.prompts.debug import make_debug
from reticle.service.surface import all_tools
from reticle.testing.context import FakeContext
from reticle.testing.drafts import a_draft
from reticle.testing.pages import FakePages
from reticle.testing.verdicts import recorded_verdict


def made(given: Mapping[str, str]) -> str | Exception:
    """
    The text of the one message, or what was raised.
    """
    context = FakeContext(FakePages())
    context.verdicts.put(recorded_verdict("v1"), a_draft())
    got: list[object] = []
    Deferred.fromCoroutine(make_debug(context, given)).addBoth(got.append)
    [outcome] = got
    if isinstance(outcome, list):
        return str(outcome[0].content["text"])
    error = getattr(outcome, "value", None)
    assert isinstance(error, Exception)
    return error


def test_a_verdict_comes_with_what_it_saw() -> None:
    """
    The agent starts from the evidence and need not repeat the check to get it.
    """
    text = made({"symptom": "Save does nothing", "verdict_id": "v1"})
    assert isinstance(text, str)
    assert text.startswith("Find out why this happens on the running app, and mend it: Save does nothing")
    assert "Verdict v1 of page p1 at http://localhost:8000/ saw:\nverified: yes (proved)" in text


def test_a_verdict_that_is_not_kept_is_refused() -> None:
    """
    A mistyped verdict is told to the person, who would else debug without it.
    """
    refusal = made({"symptom": "x", "verdict_id": "v2"})
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad_arguments"


def test_it_names_only_tools_that_exist() -> None:
    """
    The prompt never sends an agent to a tool that is not there.
    """
    text = made({"symptom": "x"})
    assert isinstance(text, str)
    words = {word.strip(".,:;") for word in text.split() if word.startswith("reticle_")}
    assert words
    assert words <= {tool.name for tool in all_tools()}
