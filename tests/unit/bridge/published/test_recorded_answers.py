"""
What agents are told of answers that a real page gave.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reticle.bridge.published.refusals import published_refusal
from reticle.bridge.wire import CommandResult
from reticle.model.codes import CommandName
from reticle.model.ids import CommandId
from reticle.testing.bridge import refusal_of
from reticle.testing.published import PublishedPage, ask, read
from reticle.testing.recorded import recorded

RECORDINGS = Path(__file__).parents[1] / "transcripts"


def answers_of(name: str) -> dict[str, Any]:
    """
    The results of a recording by command name and arguments; an error is a ``LookupError``.
    """
    [file] = RECORDINGS.glob(f"{name}-*.jsonl")
    asked: dict[str, str] = {}
    answers: dict[str, Any] = {}
    for line in recorded(file):
        message = line["message"]
        kind = message.get("kind") if isinstance(message, dict) else None
        if kind == "command":
            asked[message["id"]] = json.dumps([message.get("name"), message.get("args")])
        elif kind == "command_result":
            ok = message["ok"]
            answers[asked[message["id"]]] = message["result"] if ok else LookupError(message["error"])
    return answers


@pytest.fixture
def answering(published: PublishedPage) -> Callable[[str], PublishedPage]:
    """
    A page that answers as in a recording, and knows nothing else.
    """

    def begin(name: str) -> PublishedPage:
        answers = answers_of(name)
        for command in ("snapshot", "match", "query", "inspect", "state_read"):

            def answer(args: Mapping[str, Any], command: str = command) -> object:
                found = answers.get(json.dumps([command, dict(args)]), LookupError("not recorded"))
                if isinstance(found, LookupError):
                    raise found
                return found

            published.on(command, answer)
        return published

    return begin


def test_a_scope_that_is_gone_is_an_empty_tree(answering: Callable[[str], PublishedPage]) -> None:
    """
    02: the package gives the whole page for ``#nope``; the agent gets nothing, and why.
    """
    page = answering("02")
    gone = ask(page, CommandName.SNAPSHOT, scope="#nope")
    assert (gone["tree"], gone["scopeMissing"]) == ("", True)
    list_ = ask(page, CommandName.SNAPSHOT, scope="ul")
    assert list_["tree"] == '- listitem "Apple" (ref=e34)\n- listitem "Banana" (ref=e35)'
    assert refusal_of(page.page.ask(CommandName.SNAPSHOT, {"scope": "###"})).code == "bad_arguments"


def test_the_flag_button_is_not_in_the_tree(answering: Callable[[str], PublishedPage]) -> None:
    """
    02: the package leaves it in its own snapshot.
    """
    tree = ask(answering("02"), CommandName.SNAPSHOT)["tree"]
    assert tree.endswith('- button "Far button" (ref=e342)')


def test_a_dead_ref_is_refused(answering: Callable[[str], PublishedPage]) -> None:
    """
    02: the package calls that a success.
    """
    refusal = refusal_of(answering("02").page.ask(CommandName.INSPECT, {"ref": "e99999"}))
    assert refusal.code == "stale_ref"


def test_state_is_read_by_store_and_path(answering: Callable[[str], PublishedPage]) -> None:
    """
    02: a value that was cut at its depth is not compared; a secret one came whole but for the secret.
    """
    page = answering("02")
    assert read(page, "state", store="app", path="nested.a.b").answer is None
    secret = read(page, "state", store="app", path="password").answer
    assert secret is not None
    assert secret["value"] == "[REDACTED]"


def test_a_damaged_answer_is_counted_and_not_searched(answering: Callable[[str], PublishedPage]) -> None:
    """
    08: of 302 options some came and the rest damaged; the number is right, a value cannot be told.
    """
    page = answering("08")
    reading = read(page, "match", query={"role": "option"})
    assert reading.answer is not None
    assert reading.answer["count"] == 302
    found = ask(page, CommandName.QUERY, role="option", limit=500)
    assert (found["count"], found["truncated"], found["elements"][0]["ref"]) == (302, True, "e2")
    assert {each["role"] for each in found["elements"]} == {"generic", "option"}
    assert read(page, "match", query={"role": "option", "value": "row 299"}).answer is None


def test_a_tree_that_was_cut_says_so(answering: Callable[[str], PublishedPage]) -> None:
    """
    08: at depth 20 the package stops without a word; at 400 nodes it says so.
    """
    page = answering("08")
    assert ask(page, CommandName.SNAPSHOT)["truncated"] is True
    assert ask(page, CommandName.SNAPSHOT, mode="interactive")["truncated"] is True


def test_what_react_never_heard_is_not_reported_as_done(published: PublishedPage) -> None:
    """
    16: the package says of both that they went well, and the app had heard nothing of the one and an empty
    choice of the other. A box is clicked; an option that is not there is refused as perhaps done.
    """
    [file] = RECORDINGS.glob("16-*.jsonl")
    told = [line["message"] for line in recorded(file)]
    asked = {one["id"]: one for one in told if one.get("kind") == "command"}
    reports: dict[tuple[str, str], Any] = {}
    elements: dict[str, Any] = {}
    heard: dict[tuple[str, str], Any] = {}
    last = ("", "")
    for one in told:
        if one.get("kind") == "command_result" and one["ok"]:
            command = asked[one["id"]]
            if command["name"] == "act":
                last = (command["args"]["action"], str(command["args"].get("args", {}).get("value", "")))
                reports[last] = one["result"]
            elif command["name"] == "query" and one["result"]["elements"]:
                elements.setdefault(one["result"]["elements"][0]["role"], one["result"]["elements"][0])
        elif "app_handlers_called" in one:
            heard[last] = (one["app_handlers_called"], json.loads(one["app_state"]))
    nope = ("select", "nope")
    assert (reports["check", ""]["settled"], reports[nope]["settled"]) == (True, True)
    assert (heard["check", ""][0], heard[nope][1]["s"]) == ("", "")

    published.on("inspect", elements["checkbox"])
    published.on("act", reports["click", ""])
    ask(published, CommandName.ACT, ref="e4", action="check", args={})
    assert published.asked[-1] == ("act", {"ref": "e4", "action": "click", "args": {}})

    published.on("inspect", {**elements["combobox"], "value": heard[nope][1]["s"]})
    published.on("act", reports[nope])
    refusal = refusal_of(
        published.page.ask(CommandName.ACT, {"ref": "e5", "action": "select", "args": {"value": "nope"}})
    )
    assert (refusal.code, refusal.details) == ("no_such_option", {"may_have_happened": True})


CODES = {
    "Failed to execute 'querySelector'": "bad_arguments",
    "[\n  {": "bad_arguments",
    "unknown command": "unsupported_surface",
    "cannot ": "wrong_target",
    "potentially destructive": "confirm_dangerous",
    "ref '": "stale_ref",
    "upload target must be": "wrong_target",
    "no form to submit": "wrong_target",
    "unknown action": "bad_arguments",
    "WebMCP (navigator.modelContext) not available": "unsupported_surface",
    "unsupported query strategy": "bad_arguments",
    "fill requires a string": "bad_arguments",
    "command addressed to session": "page_error",
    "this page could not parse": "page_error",
}
"""How each error text that was ever seen begins, and the code of the refusal that an agent gets."""


@pytest.mark.parametrize("file", sorted(RECORDINGS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_error_that_was_seen_has_its_code(file: Path) -> None:
    """
    An agent gets the code that our own script would have given, with what to do next.
    """
    for answer in answers_of(file.name.split("-")[0]).values():
        if not isinstance(answer, LookupError):
            continue
        error = str(answer)
        refusal = published_refusal(CommandResult(CommandId("c1"), ok=False, error=error))
        [code] = [code for begins, code in CODES.items() if error.startswith(begins)]
        expected = "unsupported_surface" if error.endswith("is not an HTMLElement") else code
        assert (refusal.code, bool(refusal.recovery)) == (expected, True), error
