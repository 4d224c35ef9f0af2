"""
The prompt that verifies a change.
"""

from __future__ import annotations

from collections.abc import Mapping

from twisted.internet.defer import Deferred

from reticle.prompts.spec import PromptMessage
from reticle.prompts.verify import VERIFY, make_verify
from reticle.service.surface import all_tools
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePages


def made(given: Mapping[str, str]) -> str:
    """
    The text of the one message.
    """
    got: list[PromptMessage] = []
    Deferred.fromCoroutine(make_verify(FakeContext(FakePages()), given)).addCallback(got.extend)
    [message] = got
    assert message.role == "user"
    return str(message.content["text"])


def test_the_task_and_the_place_come_first() -> None:
    """
    The agent reads what the person wants, where, and on which page.
    """
    text = made({"change": "Save stores the order", "url": "http://localhost/cart", "page": "p1"})
    assert text.startswith("Verify on the running app that this change works: Save stores the order\n")
    assert '\nWhere: http://localhost/cart\nPage: pass sessionId "p1" to every tool.\n\n' in text


def test_what_was_not_said_is_left_out() -> None:
    """
    A person who gives only the change gets no empty lines about a page.
    """
    text = made({"change": "x", "page": ""})
    assert "Where:" not in text
    assert "sessionId" not in text


def test_it_names_only_tools_that_exist() -> None:
    """
    The prompt never sends an agent to a tool that is not there.
    """
    words = {word.strip(".,:;") for word in made({"change": "x"}).split() if word.startswith("reticle_")}
    assert words
    assert words <= {tool.name for tool in all_tools()}
    assert [argument.name for argument in VERIFY.arguments if argument.required] == ["change"]
