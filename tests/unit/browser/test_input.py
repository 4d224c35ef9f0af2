"""
The hand on a target: what the browser is asked for, in which order.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from reticle.browser.input import KEYS_AT_ONCE, Hand
from reticle.model.browser import Stroke
from reticle.model.limits import COMMAND_SECONDS
from reticle.testing.bridge import refusal_of
from reticle.testing.cdp import ScriptedBrowser

CLICK = [Stroke(kind, x=10, y=20) for kind in ("move", "down", "up")]
DRAG = [
    Stroke("move"), Stroke("down"), Stroke("move", x=40, y=40), Stroke("move", x=80, y=80),
    Stroke("up", x=80, y=80),
]  # fmt: skip


def strike(browser: ScriptedBrowser, hand: Hand, *strokes: Stroke) -> None:
    """
    Have it done, with all the time it needs.
    """
    done = Deferred.fromCoroutine(hand.strike(strokes))
    for _ in range(100):
        browser.clock.advance(0.01)
    assert done.called
    done.addErrback(lambda failure: failure.raiseException())
    assert done.result is None


@pytest.fixture(name="browser")
def browser_fixture() -> ScriptedBrowser:
    """
    One that does everything at once.
    """
    return ScriptedBrowser()


@pytest.fixture(name="hand")
def hand_fixture(browser: ScriptedBrowser) -> Hand:
    """
    On one of its targets.
    """
    return Hand(browser.conversation.session("s1"), browser.clock)


def test_a_click_is_a_move_a_press_and_a_release(browser: ScriptedBrowser, hand: Hand) -> None:
    """
    The page gets what a mouse sends, with the button that is held.
    """
    strike(browser, hand, *CLICK)
    events = browser.asked("Input.dispatchMouseEvent")
    assert [(one["type"], one["button"], one["buttons"], one["clickCount"]) for one in events] == [
        ("mouseMoved", "none", 0, 0),
        ("mousePressed", "left", 1, 1),
        ("mouseReleased", "left", 0, 1),
    ]
    assert {(one["x"], one["y"]) for one in events} == {(10, 20)}
    assert {command.session_id for command in browser.commands} == {"s1"}
    assert "Input.setInterceptDrags" not in browser.methods()


def test_a_button_that_was_left_down_is_let_go_before_the_next_act(
    browser: ScriptedBrowser, hand: Hand
) -> None:
    """
    A long press whose call was given up makes no drag of what comes next, and no click of what it was on.
    """
    strike(browser, hand, *CLICK[:2])
    strike(browser, hand, *CLICK)
    events = browser.asked("Input.dispatchMouseEvent")[2:]
    assert [(one["type"], one["x"], one["buttons"]) for one in events] == [
        ("mouseReleased", -1, 0), ("mouseMoved", 10, 0), ("mousePressed", 10, 1), ("mouseReleased", 10, 0),
    ]  # fmt: skip


def test_text_is_inserted_and_keys_are_struck_in_order(browser: ScriptedBrowser, hand: Hand) -> None:
    """
    What comes after a text is not typed before it.
    """
    strike(browser, hand, Stroke("key", key="a"), Stroke("text", text="Ada"), Stroke("key", key="Enter"))
    assert browser.methods() == [
        "Input.dispatchKeyEvent", "Input.dispatchKeyEvent", "Input.insertText",
        "Input.dispatchKeyEvent", "Input.dispatchKeyEvent",
    ]  # fmt: skip


def test_a_long_text_is_typed_in_few_turns(browser: ScriptedBrowser, hand: Hand) -> None:
    """
    Keys do not wait for each other, but not all of a long text is under way at once.
    """
    browser.silent.add("Input.dispatchKeyEvent")
    Deferred.fromCoroutine(hand.strike([Stroke("key", key="x")] * 200)).addErrback(lambda _: None)
    assert len(browser.commands) == KEYS_AT_ONCE


def test_a_drag_that_the_page_follows_itself_is_a_mouse_that_moves(
    browser: ScriptedBrowser, hand: Hand
) -> None:
    """
    Boards that listen for the mouse get moves with the button held, and the release.
    """
    strike(browser, hand, *DRAG)
    events = browser.asked("Input.dispatchMouseEvent")
    assert [(one["type"], one["buttons"]) for one in events] == [
        ("mouseMoved", 0), ("mousePressed", 1), ("mouseMoved", 1), ("mouseMoved", 1), ("mouseReleased", 0),
    ]  # fmt: skip
    assert [one["enabled"] for one in browser.asked("Input.setInterceptDrags")] == [True, False]


def test_what_the_page_drags_is_dropped_where_the_mouse_goes(browser: ScriptedBrowser, hand: Hand) -> None:
    """
    Drag and drop enters, moves and drops with what the page put into it; no release follows.
    """
    data = {"items": [{"mimeType": "text/plain", "data": "card"}], "dragOperationsMask": 1}
    moves = []

    def move(params: object) -> dict[str, object]:
        moves.append(params)
        if len(moves) == 3:  # the first move of the held mouse
            browser.tell("Input.dragIntercepted", {"data": data}, "s1")
        return {}

    browser.answers["Input.dispatchMouseEvent"] = move
    strike(browser, hand, *DRAG)
    dragged = browser.asked("Input.dispatchDragEvent")
    assert [(one["type"], one["x"]) for one in dragged] == [
        ("dragEnter", 80), ("dragOver", 80), ("dragOver", 80), ("drop", 80),
    ]  # fmt: skip
    assert all(one["data"] == data for one in dragged)
    assert "mouseReleased" not in [one["type"] for one in browser.asked("Input.dispatchMouseEvent")]
    strike(browser, hand, *CLICK)
    assert browser.asked("Input.dispatchMouseEvent")[-1]["type"] == "mouseReleased"


@pytest.mark.parametrize("stroke", [Stroke("move"), Stroke("key", key="a"), Stroke("text", text="a")])
def test_a_page_that_does_not_take_it_is_told(browser: ScriptedBrowser, hand: Hand, stroke: Stroke) -> None:
    """
    A page that hangs ends the act in bounded time, as the browser's failure.
    """
    browser.silent |= {"Input.dispatchMouseEvent", "Input.dispatchKeyEvent", "Input.insertText"}
    done = Deferred.fromCoroutine(hand.strike([stroke]))
    browser.clock.advance(COMMAND_SECONDS)
    assert refusal_of(done).code == "browser_failed"
