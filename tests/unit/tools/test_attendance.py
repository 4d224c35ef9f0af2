"""
Which page a call means, and what is said of one that is not well.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from reticle.errors import Refusal
from reticle.model.ids import PageId
from reticle.model.limits import FIRST_LOOK_SECONDS, STALE_SECONDS
from reticle.model.page import PageHealth
from reticle.ports import Page
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages
from reticle.tools.attendance import (
    DIALOG_ADVICE,
    SKEW_ADVICE,
    THROTTLED_ADVICE,
    health_fields,
    present_page,
    refuse_if_throttled,
    session_note,
)


class LatePages(FakePages):
    """
    Pages whose one page connects while it is waited for.
    """

    def __init__(self, late: FakePage) -> None:
        super().__init__()
        self.late = late
        self.waited: list[tuple[str | None, float]] = []

    def await_page(self, page_id: str | None, timeout_seconds: float) -> Deferred[bool]:
        """
        The page connects within the time.
        """
        self.waited.append((page_id, timeout_seconds))
        self.pages.append(self.late)
        return super().await_page(None, timeout_seconds)


def chosen(context: FakeContext, session_id: str | None, refs: tuple[str, ...] = ()) -> object:
    """
    The page, or the failure, of a choice that needs no time.
    """
    got: list[object] = []
    Deferred.fromCoroutine(present_page(context, session_id, refs)).addBoth(got.append)
    return got[0]


@pytest.mark.parametrize("session_id", [None, "p1"])
def test_a_first_call_waits_for_a_page_that_is_just_starting(session_id: str | None) -> None:
    """
    A call that comes a moment before its page connects finds it.
    """
    page = FakePage("p1")
    pages = LatePages(page)
    assert chosen(FakeContext(pages), session_id) is page
    assert pages.waited == [(session_id, FIRST_LOOK_SECONDS)]


def test_a_connected_page_is_not_waited_for() -> None:
    """
    A call to a page that is there starts at once.
    """
    pages = LatePages(FakePage("late"))
    page = FakePage("p1")
    pages.pages.append(page)
    assert chosen(FakeContext(pages), "p1") is page
    assert pages.waited == []


@pytest.mark.parametrize(
    ("pages", "session_id", "code"),
    [
        (FakePages(), None, "no_session"),
        (FakePages(FakePage("a"), FakePage("b")), None, "multiple_sessions"),
        (FakePages(FakePage("a")), "other", "unknown_session"),
    ],
)
def test_a_call_without_one_sensible_page_is_refused(
    pages: FakePages, session_id: str | None, code: str
) -> None:
    """
    No page, several pages and a wrong name are told apart.
    """
    with pytest.raises(Refusal) as caught:
        chosen(FakeContext(pages), session_id).raiseException()  # type: ignore[attr-defined]  # a Failure
    assert caught.value.code == code


def test_a_healthy_page_is_not_mentioned() -> None:
    """
    Answers about a page that is well say nothing of its health.
    """
    page = FakePage()
    assert session_note(page) == {}
    refuse_if_throttled(page)


def test_a_silent_page_is_mentioned() -> None:
    """
    A page that has not been heard of for long is called throttled, with the time.
    """
    page = FakePage()
    page.clock.advance(STALE_SECONDS + 1)
    session = session_note(page)["session"]
    assert isinstance(session, dict)
    assert (session["lastSeenMs"], session["throttled"]) == (13_000, True)
    assert "reload it" in session["recommendation"]


def test_a_page_behind_a_dialog_is_not_to_be_reloaded() -> None:
    """
    Of a page that a dialog stops no advice is given that it cannot follow.
    """
    standing = PageHealth(STALE_SECONDS + 1, hidden=False, focused=True, connected=True, dialog='alert "Hi"')
    assert health_fields(standing)["recommendation"] == DIALOG_ADVICE


def test_a_lost_page_is_mentioned() -> None:
    """
    An answer that outlived its page says so.
    """
    page = FakePage()
    page.disconnect()
    session = session_note(page)["session"]
    assert isinstance(session, dict)
    assert session["gone"] is True
    assert "no longer connected" in session["recommendation"]


def test_a_throttled_page_is_refused_on_request() -> None:
    """
    An act that must not run in a background tab names the reason and the way out.
    """
    page = FakePage()
    page.hide()
    with pytest.raises(Refusal) as caught:
        refuse_if_throttled(page)
    assert caught.value.code == "throttled"
    assert "Bring it to the front" in caught.value.recovery


def refused(context: FakeContext, refs: tuple[str, ...]) -> Refusal:
    """
    The refusal of a call that names no page.
    """
    failure = chosen(context, None, refs)
    assert isinstance(failure, Failure)
    assert isinstance(failure.value, Refusal)
    return failure.value


def test_a_ref_of_another_page_is_refused_with_both_names() -> None:
    """
    A ref from one tab is never used in another because that one happened to be chosen.
    """
    page = FakePage("p1")
    context = FakeContext(FakePages(page))
    context.shown["e5"] = [PageId("p2")]
    refusal = refused(context, ("e4", "e5"))
    assert (refusal.code, refusal.recovery) == (
        "ref_of_another_page", "Pass the sessionId of the page that you mean.",
    )  # fmt: skip
    assert refusal.message == (
        "e5 was shown to you on page p2 (no longer connected), but the call would go to page p1 "
        "(http://localhost:8000/). Nothing was done."
    )
    assert chosen(context, "p1", ("e5",)) is page
    assert chosen(context, None, ("e4",)) is page


class StickyPages(FakePages):
    """
    Pages of which the first is meant.
    """

    def resolve(self, page_id: PageId | None, among: Callable[[Page], bool] | None = None) -> FakePage:
        """
        The first one, unless another is named.
        """
        return super().resolve(page_id or self.pages[0].identity.page_id, among)


def test_a_ref_that_two_connected_pages_have_is_asked_back() -> None:
    """
    The same number in two tabs is two elements: the agent must say which; a closed tab's does not count.
    """
    one, two = FakePage("p1"), FakePage("p2")
    context = FakeContext(StickyPages(one, two))
    context.shown["e5"] = [PageId("p1"), PageId("p2")]
    assert "it is not clear which is meant" in refused(context, ("e5",)).message
    two.disconnect()
    assert chosen(context, None, ("e5",)) is one


def test_an_old_page_script_is_named_once_with_its_remedy() -> None:
    """
    The next result on a page with an old script says to reload it hard; the one after is quiet (SN-11).
    """
    page = FakePage()
    page.run_old_script()
    assert session_note(page) == {
        "session": {
            "lastSeenMs": 0,
            "throttled": False,
            "focused": True,
            "versionSkew": "The page runs another page script than this daemon serves, an old copy perhaps.",
            "recommendation": "Reload the page hard; a service worker may hold an old copy of the page "
            "script: unregister it.",
        }
    }
    assert session_note(page) == {}
    page.load_document("doc00002")
    assert "versionSkew" in str(session_note(page))


def test_an_old_page_script_in_a_hidden_tab_gets_both_pieces_of_advice() -> None:
    """
    A tab that is both in the background and old is told of both (SN-11).
    """
    page = FakePage()
    page.run_old_script()
    page.hide()
    session = session_note(page)["session"]
    assert isinstance(session, dict)
    assert session["recommendation"] == f"{THROTTLED_ADVICE} {SKEW_ADVICE}"
