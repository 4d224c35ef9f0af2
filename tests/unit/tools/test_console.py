"""
The console of a page.
"""

from __future__ import annotations

import pytest

from reticle.model.codes import EventType
from reticle.testing.toolcalls import Scene, answer_of
from reticle.tools.console import TOOLS

CONSOLE = TOOLS[0]


@pytest.fixture
def talkative(scene: Scene) -> Scene:
    """
    A page that wrote at every level.
    """
    for kind in (
        EventType.CONSOLE_LOG,
        EventType.CONSOLE_INFO,
        EventType.CONSOLE_DEBUG,
        EventType.CONSOLE_WARN,
    ):
        scene.page.record(kind, {"message": kind.value})
    stack = "\n".join(f"at f{number} (app.js:{number})" for number in range(9))
    scene.page.record(EventType.CONSOLE_ERROR, {"message": "bad\nluck", "stack": stack, "source": "app.js:3"})
    scene.page.record(EventType.ERROR_UNCAUGHT, {"message": "boom", "source": "app.js", "line": 7})
    scene.page.record(EventType.DOM_ADDED, {"role": "row"})
    return scene


def test_entries_are_listed_with_level_and_place(talkative: Scene) -> None:
    """
    Every level is listed in order, an uncaught error as such, with at most four frames.
    """
    answer = answer_of(CONSOLE, talkative.context, {})
    logs = answer.fields["logs"]
    assert isinstance(logs, list)
    assert [log["level"] for log in logs] == ["log", "info", "debug", "warn", "error", "error"]
    assert logs[4]["stack"] == [f"at f{number} (app.js:{number})" for number in range(4)]
    assert logs[5] == {
        "level": "error",
        "text": "boom",
        "uncaught": True,
        "source": "app.js:7",
        "t": 0,
        "seq": 6,
    }
    assert answer.text is not None
    assert "5 error: bad luck (app.js:3)" in answer.text.splitlines()
    assert "6 uncaught: boom (app.js:7)" in answer.text.splitlines()


def test_a_place_that_names_its_line_gets_it_once(scene: Scene) -> None:
    """
    Beside the line that an error tells by itself.
    """
    for source in ("/shop:7:3", "/shop:7", "/shop"):
        scene.page.record(EventType.ERROR_UNCAUGHT, {"message": "boom", "source": source, "line": 7})
    logs = answer_of(CONSOLE, scene.context, {}).fields["logs"]
    assert isinstance(logs, list)
    assert [log["source"] for log in logs] == ["/shop:7:3", "/shop:7", "/shop:7"]


@pytest.mark.parametrize(
    ("level", "seqs"), [("log", [1]), ("info", [2]), ("debug", [3]), ("warn", [4]), ("error", [5, 6])]
)
def test_a_level_leaves_only_its_entries(talkative: Scene, level: str, seqs: list[int]) -> None:
    """
    Each of the five levels can be asked for; errors include the uncaught ones.
    """
    logs = answer_of(CONSOLE, talkative.context, {"level": level}).fields["logs"]
    assert isinstance(logs, list)
    assert [log["seq"] for log in logs] == seqs


def test_a_level_without_entries_shows_the_others(scene: Scene) -> None:
    """
    "No errors" comes with what else was written, and that the page was watched.
    """
    scene.page.record(EventType.CONSOLE_WARN, {"message": "careful"})
    fields = answer_of(CONSOLE, scene.context, {"level": "error"}).fields
    assert (fields["logs"], fields["observed"]) == ([], True)
    assert fields["hint"] == {"totalInWindow": 1, "byLevel": {"warn": 1}}


@pytest.mark.parametrize(
    ("channel", "observed"), [("error", False), ("console", False), ("*", False), ("dom", True)]
)
def test_a_loss_that_may_hide_an_error_is_named(scene: Scene, channel: str, *, observed: bool) -> None:
    """
    "No errors" is not claimed where errors may have been lost.
    """
    scene.page.lose(channel, 2)
    assert answer_of(CONSOLE, scene.context, {"level": "error"}).fields["observed"] is observed


def test_a_long_message_is_cut_in_sight(scene: Scene) -> None:
    """
    One huge entry does not fill the answer.
    """
    scene.page.record(EventType.CONSOLE_LOG, {"message": "x" * 1_500})
    logs = answer_of(CONSOLE, scene.context, {}).fields["logs"]
    assert isinstance(logs, list)
    assert logs[0]["text"] == "x" * 1_000 + "…(+500 chars)"


def test_only_what_an_action_caused(scene: Scene) -> None:
    """
    Entries of one action are told from those around it.
    """
    scene.page.record(EventType.CONSOLE_LOG, {"message": "before"})
    action = scene.page.begin_action()
    scene.page.record(EventType.CONSOLE_LOG, {"message": "during"})
    scene.page.end_action(action)
    scene.page.record(EventType.CONSOLE_LOG, {"message": "after"})
    logs = answer_of(CONSOLE, scene.context, {"actionId": action}).fields["logs"]
    assert isinstance(logs, list)
    assert [log["text"] for log in logs] == ["during"]


def test_strange_fields_of_a_page_do_no_harm(scene: Scene) -> None:
    """
    A page that sends numbers for texts is still listed.
    """
    scene.page.record(EventType.CONSOLE_LOG, {"message": 4, "stack": ["x"], "source": 7, "line": "no"})
    logs = answer_of(CONSOLE, scene.context, {}).fields["logs"]
    assert logs == [{"level": "log", "text": "", "t": 0, "seq": 1}]
