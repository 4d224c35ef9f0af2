"""
What a page hears of a window that it opened.
"""

from __future__ import annotations

import pytest

from reticle.bridge.wire import Events, parse_message
from reticle.browser.popups import ASKED, Openings
from reticle.model.ids import PageId
from reticle.testing.cdp import ScriptedBrowser


@pytest.fixture(name="browser")
def browser_fixture() -> ScriptedBrowser:
    """
    One with a tab.
    """
    return ScriptedBrowser()


@pytest.fixture(name="openings")
def openings_fixture(browser: ScriptedBrowser) -> Openings:
    """
    Of that tab.
    """
    return Openings(browser.conversation.session("s1"))


def said(openings: Openings, page_id: str, url: str = "") -> tuple[str, bytes]:
    """
    What is told of a window that came.
    """
    message = parse_message(openings.opened(PageId(page_id), url))
    assert isinstance(message, Events)
    (event,) = message.events
    return event.type, bytes(event.data)


def test_the_opener_hears_the_name_and_where_it_was_to_go(
    browser: ScriptedBrowser, openings: Openings
) -> None:
    """
    An agent can go on in the new tab by its name, and knows what it is.
    """
    for url in ("http://app.test/help?token=abc", "http://app.test/print"):
        browser.tell("Page.windowOpen", {"url": url, "windowName": "", "userGesture": True}, "s1")
    assert said(openings, "b2") == (
        "page.opened",
        '{"sessionId":"b2","url":"http://app.test/help?…"}'.encode(),
    )
    assert said(openings, "b3")[1] == b'{"sessionId":"b3","url":"http://app.test/print"}'


def test_an_address_that_is_known_is_told_as_it_is(openings: Openings) -> None:
    """
    A window that nobody was told of beforehand is named all the same.
    """
    assert said(openings, "b2", "about:blank")[1] == b'{"sessionId":"b2","url":"about:blank"}'
    assert said(openings, "b3")[1] == b'{"sessionId":"b3","url":""}'


def test_a_page_that_asks_without_end_is_not_remembered_without_end(
    browser: ScriptedBrowser, openings: Openings
) -> None:
    """
    Windows that the browser blocks cost no memory.
    """
    for number in range(ASKED * 3):
        browser.tell("Page.windowOpen", {"url": f"http://app.test/{number}"}, "s1")
    assert said(openings, "b2")[1].endswith(f'/{ASKED * 2}"}}'.encode())
