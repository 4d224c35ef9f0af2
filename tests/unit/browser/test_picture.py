"""
Pictures of a page as the browser paints it.
"""

from __future__ import annotations

import base64
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from reticle.browser.picture import LONGEST_SIDE, take_picture
from reticle.model.browser import Shot
from reticle.model.limits import PICTURE_BYTES
from reticle.testing.bridge import refusal_of, result_of
from reticle.testing.cdp import ScriptedBrowser

LAYOUT = {
    "cssContentSize": {"x": 0, "y": 0, "width": 1280, "height": 5000},
    "cssVisualViewport": {"pageX": 10, "pageY": 700, "clientWidth": 1280, "clientHeight": 800},
}


@pytest.fixture(name="browser")
def browser_fixture() -> ScriptedBrowser:
    """
    One that shows a long page, scrolled down.
    """
    browser = ScriptedBrowser()
    browser.answers["Page.getLayoutMetrics"] = lambda _: LAYOUT
    browser.answers["Page.captureScreenshot"] = lambda _: {"data": base64.b64encode(b"\x89PNG").decode()}
    return browser


def taken(browser: ScriptedBrowser, shot: Shot) -> Deferred[bytes]:
    """
    A picture.
    """
    return Deferred.fromCoroutine(take_picture(browser.conversation.session("tab"), shot))


@pytest.mark.parametrize(
    ("shot", "clip"),
    [
        (Shot(), None),
        (Shot(full_page=True), (0, 0, 1280, 5000)),
        (Shot(clip=(1, 2, 3, 4)), (1, 2, 3, 4)),
        (Shot(clip=(1, 2, 3, 4), in_window=True), (11, 702, 3, 4)),
    ],
)
def test_the_part_that_was_asked_for_is_painted(
    browser: ScriptedBrowser, shot: Shot, clip: tuple[float, ...] | None
) -> None:
    """
    The window, the whole page, a region of either; also what is not scrolled into view.
    """
    assert result_of(taken(browser, shot)) == b"\x89PNG"
    [asked] = browser.asked("Page.captureScreenshot")
    found: dict[str, Any] | None = asked.get("clip")
    assert (None if found is None else tuple(found[key] for key in ("x", "y", "width", "height"))) == clip
    assert asked["captureBeyondViewport"] is (clip is not None)


def test_a_picture_beyond_what_can_be_painted_is_not_tried(browser: ScriptedBrowser) -> None:
    """
    It would repeat itself below, which looks like the page.
    """
    refused = refusal_of(taken(browser, Shot(clip=(0, 0, 10, LONGEST_SIDE + 1))))
    assert refused.code == "bad_arguments"
    assert browser.asked("Page.captureScreenshot") == []


def test_a_picture_above_the_limit_is_refused(browser: ScriptedBrowser) -> None:
    """
    With what to ask for instead; it was decoded in a thread.
    """
    large = base64.b64encode(bytes(PICTURE_BYTES + 1)).decode()
    browser.answers["Page.captureScreenshot"] = lambda _: {"data": large}
    refused = refusal_of(taken(browser, Shot()))
    assert (refused.code, browser.threads) == ("bad_arguments", 1)
    assert "element" in refused.recovery
