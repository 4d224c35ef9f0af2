"""
What the browser fetches for a tab and the page does not see.
"""

from __future__ import annotations

import pytest

from reticle.browser.fetches import FETCHES_FOLLOWED, Fetches
from reticle.testing.cdp import ScriptedBrowser


class Tab:
    """
    A tab that loads things.
    """

    def __init__(self) -> None:
        self.browser = ScriptedBrowser()
        self.told: list[tuple[int, int]] = []
        self.fetches = Fetches(
            self.browser.conversation.session("s1"), lambda *counts: self.told.append(counts)
        )
        self.fetches.watch()

    def begin(self, request: str, kind: str = "Script") -> None:
        """
        The browser asks for something.
        """
        self.browser.tell("Network.requestWillBeSent", {"requestId": request, "type": kind}, "s1")

    def end(self, request: str, how: str = "Network.loadingFinished") -> None:
        """
        It has it, or never will.
        """
        self.browser.tell(how, {"requestId": request}, "s1")


@pytest.fixture(name="tab")
def tab_fixture() -> Tab:
    """
    One whose document has begun.
    """
    return Tab()


def test_the_first_and_the_last_are_told_once_the_document_has_loaded(tab: Tab) -> None:
    """
    A module that is still fetched is known to the verdict; a thousand of them at the start cost nothing.
    """
    tab.begin("1")
    tab.begin("2")
    tab.end("1")
    assert tab.told == []
    tab.fetches.loaded()
    assert tab.told == [(1, 0)]
    tab.begin("3")
    tab.end("2")
    tab.end("3", "Network.loadingFailed")
    assert tab.told == [(1, 0), (0, 0)]
    tab.begin("4")
    tab.begin("4")
    tab.end("4")
    assert tab.told == [(1, 0), (0, 0), (1, 0), (0, 0)]


def test_what_the_page_sees_itself_is_not_told(tab: Tab) -> None:
    """
    Requests and documents are the page script's to tell.
    """
    tab.fetches.loaded()
    for kind in ("Fetch", "XHR", "Document", "EventSource", "Ping"):
        tab.begin(kind, kind)
        tab.end(kind)
    tab.end("never begun")
    assert tab.told == [(0, 0)]


def test_what_elements_show_is_counted_by_itself(tab: Tab) -> None:
    """
    A picture is no work that a verdict waits for, and yet its end may bring something.
    """
    tab.fetches.loaded()
    tab.begin("1", "Media")
    tab.begin("2")
    tab.begin("3", "Image")
    tab.end("1", "Network.loadingFailed")
    tab.end("3")
    tab.end("2")
    assert tab.told == [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]


def test_another_document_begins_with_nothing(tab: Tab) -> None:
    """
    What the last document asked for and never got is no work of the next.
    """
    tab.fetches.loaded()
    tab.begin("1")
    tab.fetches.left()
    tab.end("1")
    tab.fetches.loaded()
    assert tab.told == [(0, 0), (1, 0), (0, 0)]


def test_what_is_never_told_to_end_is_not_kept_for_ever(tab: Tab) -> None:
    """
    A tab that lives for weeks costs no more than one that lives for minutes.
    """
    tab.fetches.loaded()
    for number in range(FETCHES_FOLLOWED + 10):
        tab.begin(str(number))
    for number in range(FETCHES_FOLLOWED + 10):
        tab.end(str(number))
    assert tab.told == [(0, 0), (1, 0), (0, 0)]
