"""
What a person says in the panel.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.bridge.steering import PanelSteering
from reticle.model.codes import CommandName, ControlState
from reticle.model.human import Guidance
from reticle.model.limits import HUMAN_MESSAGES, HUMAN_TEXT_CHARS, MARKS

Told = list[tuple[CommandName, Mapping[str, object]]]
MARK = {
    "note": "too small", "anchor": "save", "strategy": "testid", "label": 'button "Save"', "route": "/cart",
    "source": {"file": "app.html", "line": 7},
}  # fmt: skip


@pytest.fixture
def told() -> Told:
    """
    What the panel is told.
    """
    return []


@pytest.fixture
def steering(told: Told) -> PanelSteering:
    """
    A page's steering.
    """
    return PanelSteering(lambda command, args: told.append((command, args)))


def test_a_pause_is_shown_once(steering: PanelSteering, told: Told) -> None:
    """
    The panel hears of a change exactly once, also when the button is pressed twice.
    """
    steering.controlled({"kind": "pause"})
    steering.controlled({"kind": "pause"})
    assert steering.state is ControlState.PAUSED
    assert told == [(CommandName.PRESENTER, {"state": "paused"})]
    steering.controlled({"kind": "resume"})
    assert told[1:] == [(CommandName.PRESENTER, {"state": "active"})]


def test_messages_are_given_once(steering: PanelSteering) -> None:
    """
    Each message reaches the agent exactly once, in the order of writing.
    """
    for text in ("first", "  second\n line "):
        steering.controlled({"kind": "message", "text": text})
    assert steering.waiting() == 2
    assert steering.take_guidance() == Guidance(("first", "second line"))
    assert (steering.take_guidance(), steering.waiting()) == (Guidance(), 0)


@pytest.mark.parametrize(
    "said",
    [{}, {"kind": "shout"}, {"kind": "message"}, {"kind": "message", "text": 4}, {"kind": ["pause"]}],
)
def test_what_is_not_understood_changes_nothing(
    steering: PanelSteering, told: Told, said: Mapping[str, object]
) -> None:
    """
    A page that reports nonsense neither stops the agent nor puts words into the person's mouth.
    """
    steering.controlled(said)
    assert (steering.state, steering.waiting(), told) == (ControlState.ACTIVE, 0, [])


def test_too_many_messages_are_counted(steering: PanelSteering) -> None:
    """
    What did not fit is not silently lost: the newest are kept and the number of the others is told.
    """
    for number in range(HUMAN_MESSAGES + 3):
        steering.controlled({"kind": "message", "text": str(number)})
    guidance = steering.take_guidance()
    assert (len(guidance.messages), guidance.messages[0], guidance.dropped) == (HUMAN_MESSAGES, "3", 3)
    steering.controlled({"kind": "message", "text": "x" * (HUMAN_TEXT_CHARS + 1)})
    assert steering.take_guidance() == Guidance(("x" * HUMAN_TEXT_CHARS,))


def test_a_flag_gets_a_name_and_the_person_hears_of_it(steering: PanelSteering, told: Told) -> None:
    """
    Flags are m1, m2 and so on; noting and resolving one is confirmed in the panel.
    """
    steering.marked(MARK)
    steering.marked({"note": "and this", "source": {"file": "b.html"}})
    first, second = steering.marks()
    assert (first.mark_id, first.note, first.label, first.source) == (
        "m1", "too small", 'button "Save"', "app.html:7",
    )  # fmt: skip
    assert (second.mark_id, second.source, second.anchor) == ("m2", "b.html", "")
    resolved = steering.resolve("m1", "it is bigger")
    assert resolved is not None
    assert (resolved.pending, resolved.resolution) == (False, "it is bigger")
    assert [mark.pending for mark in steering.marks()] == [False, True]
    assert steering.resolve("m9", "") is None
    assert [args["text"] for _, args in told] == [
        'm1 noted: button "Save"', "m2 noted: ", "m1 resolved: it is bigger",
    ]  # fmt: skip


def test_a_flag_without_a_note_is_none(steering: PanelSteering) -> None:
    """
    A mark that says nothing asks for nothing.
    """
    steering.marked({"anchor": "save"})
    assert steering.marks() == []


def test_resolved_flags_make_room_first(steering: PanelSteering) -> None:
    """
    A page that was flagged all over forgets what is done before it forgets what is not.
    """
    for number in range(MARKS):
        steering.marked({"note": str(number)})
    steering.resolve("m3", "done")
    steering.marked({"note": "new"})
    assert ("m3" not in [mark.mark_id for mark in steering.marks()], steering.marks_lost()) == (True, 0)
    steering.marked({"note": "newer"})
    ids = [mark.mark_id for mark in steering.marks()]
    assert (len(ids), "m1" in ids, ids[-1]) == (MARKS, False, f"m{MARKS + 2}")
    assert steering.marks_lost() == 1


@pytest.mark.parametrize(
    "line",
    ["7", None, True, 0, -5, 10**5_000, 1.5],
    ids=["text", "none", "truth", "zero", "below", "huge", "part"],
)
def test_a_line_that_is_none_is_left_out(steering: PanelSteering, line: object) -> None:
    """
    Whatever a page sends as line, the file is told, and no number of thousands of digits.
    """
    steering.marked({"note": "too small", "source": {"file": "app.html", "line": line}})
    assert [mark.source for mark in steering.marks()] == ["app.html"]


def test_a_new_document_is_told_the_state(steering: PanelSteering, told: Told) -> None:
    """
    A pause survives a reload, and the fresh panel shows it.
    """
    steering.renew()
    assert told == []
    steering.controlled({"kind": "pause"})
    steering.renew()
    assert told == [(CommandName.PRESENTER, {"state": "paused"})] * 2


def test_an_agent_that_is_done_may_begin_again(steering: PanelSteering, told: Told) -> None:
    """
    The summary is shown; the next act lights the panel up again, while a person's end stays.
    """
    steering.finish("all green")
    assert (steering.state, steering.ended_by_person) == (ControlState.ENDED, False)
    steering.acts()
    assert steering.state is ControlState.ACTIVE
    steering.controlled({"kind": "end"})
    steering.acts()
    assert (steering.state, steering.ended_by_person) == (ControlState.ENDED, True)
    assert (steering.resume(), steering.state, steering.resume()) == (True, ControlState.ACTIVE, False)
    assert told[0] == (CommandName.PRESENTER, {"state": "ended", "text": "all green"})
