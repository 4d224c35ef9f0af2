"""
What the hand does for each action.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.model.browser import Stroke
from reticle.model.codes import ActionName
from reticle.tools.strokes import DRAG_STEPS, Aim, Movement, Point, movements

AT = Point(10, 20)
MOVE, DOWN, UP = (Stroke(kind, x=10, y=20) for kind in ("move", "down", "up"))


def strokes(action: ActionName, aim: Aim, args: Mapping[str, object] | None = None) -> list[Stroke]:
    """
    All strokes of an action.
    """
    return [stroke for movement in movements(action, args or {}, aim) for stroke in movement.strokes]


@pytest.mark.parametrize(
    "action", [ActionName.CLICK, ActionName.CHECK, ActionName.UNCHECK, ActionName.SELECT]
)
def test_a_click_moves_there_and_presses_once(action: ActionName) -> None:
    """
    Menus that open under the mouse hear it come before it presses.
    """
    assert strokes(action, Aim("a1", at=AT)) == [MOVE, DOWN, UP]


def test_a_long_press_holds_between_press_and_release() -> None:
    """
    An app that waits for a long press gets one.
    """
    got = movements(ActionName.CLICK, {"holdMs": 1500}, Aim("a1", at=AT))
    assert got == [Movement([MOVE, DOWN], 1.5), Movement([UP])]
    assert movements(ActionName.HOVER, {"holdMs": 500}, Aim("a1", at=AT)) == [Movement([MOVE], 0.5)]


def test_a_double_click_counts_its_clicks() -> None:
    """
    The browser makes a dblclick of the second press.
    """
    got = strokes(ActionName.DBLCLICK, Aim("a1", at=AT))
    assert [(one.kind, one.clicks) for one in got[1:]] == [("down", 1), ("up", 1), ("down", 2), ("up", 2)]


def test_modifiers_are_held_for_all_of_a_click() -> None:
    """
    A click with Control is one from its press to its release.
    """
    got = strokes(ActionName.CLICK, Aim("a1", at=AT), {"modifiers": ["Control", "Shift"]})
    assert {one.modifiers for one in got} == {("Control", "Shift")}


def test_filling_replaces_all_text_and_an_empty_text_deletes_it() -> None:
    """
    Nothing of the old text is left, and nothing is typed where nothing is wanted.
    """
    everything = Stroke("key", key="a", modifiers=("Control",))
    filled = strokes(ActionName.FILL, Aim("a1", at=AT), {"value": "Ada"})
    assert filled == [MOVE, DOWN, UP, everything, Stroke("text", text="Ada")]
    for action, args in ((ActionName.FILL, {"value": ""}), (ActionName.CLEAR, {})):
        assert strokes(action, Aim("a1", at=AT, focused=True), args) == [
            everything,
            Stroke("key", key="Delete"),
        ]


def test_typing_begins_at_the_end_and_strikes_each_key() -> None:
    """
    What is typed comes after what stands there, in a text of lines too.
    """
    typed = strokes(ActionName.TYPE, Aim("a1", at=AT, focused=True, multiline=True), {"text": "a\r\nb"})
    end = Stroke("key", key="End", modifiers=("Control",))
    assert typed == [end, Stroke("key", key="a"), Stroke("key", key="Enter"), Stroke("key", key="b")]
    one_line = strokes(ActionName.TYPE, Aim("a1", at=AT, focused=True), {"text": "a"})
    assert one_line[0] == Stroke("key", key="End")


def test_a_key_is_the_one_that_the_page_read() -> None:
    """
    Names such as Ctrl+K are read by the page alone.
    """
    aim = Aim("a1", key="K", modifiers=["Control", "Shift"])
    assert strokes(ActionName.PRESS, aim, {"key": "Ctrl+Shift+K"}) == [
        Stroke("key", key="K", modifiers=("Control", "Shift"))
    ]


def test_a_drag_moves_in_steps_from_one_end_to_the_other() -> None:
    """
    Apps that start a drag after some pixels, and look at what lies under each of them, follow it.
    """
    got = strokes(ActionName.DRAG, Aim("a1", at=AT, to=Point(90, 180)))
    assert [one.kind for one in got] == ["move", "down", *["move"] * DRAG_STEPS, "up"]
    places = [(one.x, one.y) for one in got]
    assert (places[1], places[2], places[-2], places[-1]) == ((10, 20), (20, 40), (90, 180), (90, 180))
