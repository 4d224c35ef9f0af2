"""
Where a frame lies in its tab, for real input in it.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from reticle.browser.frames import in_tab
from reticle.model.browser import Stroke
from reticle.model.codes import RefusalCode
from reticle.testing.bridge import refusal_of, result_of
from reticle.testing.cdp import ScriptedBrowser

CLICK = [Stroke("move", x=10, y=20), Stroke("down", x=10, y=20), Stroke("up", x=10, y=20, clicks=2)]


@pytest.fixture(name="browser")
def browser_fixture() -> ScriptedBrowser:
    """
    One whose frame begins at (100, 200) and is drawn half as large.
    """
    browser = ScriptedBrowser()
    browser.answers |= {
        "DOM.getFrameOwner": lambda _: {"backendNodeId": 7},
        "Page.createIsolatedWorld": lambda _: {"executionContextId": 3},
        "DOM.resolveNode": lambda _: {"object": {"objectId": "o1"}},
        "Runtime.callFunctionOn": lambda _: measured(clear=True),
    }
    return browser


def measured(*, clear: bool) -> dict[str, object]:
    """
    What is found out about the frame.
    """
    return {"result": {"value": {"left": 100, "top": 200, "zoomX": 0.5, "zoomY": 0.5, "clear": clear}}}


def translated(browser: ScriptedBrowser, strokes: list[Stroke]) -> Deferred[list[Stroke]]:
    """
    Strokes in the frame as those in the tab.
    """
    return Deferred.fromCoroutine(in_tab([browser.conversation.session("s1")], "t1", "f1", strokes))


def test_a_point_of_the_frame_is_where_the_frame_is_drawn(browser: ScriptedBrowser) -> None:
    """
    A click in a payment form lands in it, wherever the page around has put it.
    """
    got = result_of(translated(browser, CLICK))
    assert [(one.kind, one.x, one.y, one.clicks) for one in got] == [
        ("move", 105, 210, 1), ("down", 105, 210, 1), ("up", 105, 210, 2),
    ]  # fmt: skip
    assert browser.asked("DOM.getFrameOwner") == [{"frameId": "f1"}]
    assert browser.asked("Page.createIsolatedWorld")[0]["frameId"] == "t1"
    assert browser.asked("Runtime.callFunctionOn")[0]["arguments"] == [{"value": 10}, {"value": 20}]


def test_what_the_page_around_lays_over_the_frame_is_not_clicked_through(browser: ScriptedBrowser) -> None:
    """
    A person could not reach it; nothing is dispatched.
    """
    browser.answers["Runtime.callFunctionOn"] = lambda _: measured(clear=False)
    assert refusal_of(translated(browser, CLICK)).code == RefusalCode.OCCLUDED


def test_a_frame_in_a_frame_is_measured_from_each_document_around(browser: ScriptedBrowser) -> None:
    """
    A click in a frame of a frame lands where both of them put it.
    """
    trees = iter(
        [
            {"frame": {"id": "t1"}, "childFrames": [{"frame": {"id": "f9", "parentId": "t1"}}]},
            {"frame": {"id": "f2", "parentId": "t1"}},
            {"frame": {"id": "f1", "parentId": "f2"}},
        ]
    )
    browser.answers["Page.getFrameTree"] = lambda _: {"frameTree": next(trees)}
    sessions = [browser.conversation.session(name) for name in ("s1", "s2", "s3")]
    got = result_of(Deferred.fromCoroutine(in_tab(sessions, "t1", "f1", CLICK[:1])))
    assert [(one.x, one.y) for one in got] == [(152.5, 305)]
    assert browser.asked("DOM.getFrameOwner") == [{"frameId": "f1"}, {"frameId": "f2"}]
    assert [asked["frameId"] for asked in browser.asked("Page.createIsolatedWorld")] == ["f2", "t1"]


def test_a_frame_that_the_browser_does_not_place_is_refused(browser: ScriptedBrowser) -> None:
    """
    Said, and not clicked somewhere.
    """
    browser.refusals["DOM.getFrameOwner"] = "Frame with the given id does not belong to the target."
    refusal = refusal_of(translated(browser, CLICK))
    assert refusal.code == RefusalCode.UNSUPPORTED_SURFACE
    assert "does not belong" in refusal.message


def test_keys_need_no_place(browser: ScriptedBrowser) -> None:
    """
    They go to what has the focus, in whatever frame.
    """
    keys = [Stroke("key", key="a"), Stroke("text", text="b")]
    assert result_of(translated(browser, keys)) == keys
    assert browser.commands == []
