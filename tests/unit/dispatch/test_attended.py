"""
The page of a call: the one that is meant, if the person there lets the agent act.
"""

from __future__ import annotations

import pytest

from reticle.dispatch.agents import Agent, LastPage
from reticle.dispatch.attended import AttendedPages
from reticle.errors import Refusal
from reticle.model.codes import EventType
from reticle.model.ids import PageId
from reticle.testing.pages import FakePage, FakePages


def attended(*pages: FakePage, last: LastPage | None = None, acts: bool = True) -> AttendedPages:
    """
    A call's view of these pages, at second 1,000.
    """
    return AttendedPages(FakePages(*pages), Agent(last), acts=acts, now=1_000.0)


def test_the_page_of_the_last_call_is_meant() -> None:
    """
    With two tabs open an agent goes on with the one it used, whatever the other tab does meanwhile.
    """
    one, two = FakePage("one"), FakePage("two")
    call = attended(one, two, last=LastPage(PageId("two"), two.identity.url, 990.0))
    assert call.resolve(None) is two
    assert (call.page, call.switched_from, call.warns_of_age()) == (two, None, False)
    with pytest.raises(Refusal) as caught:
        attended(one, two).resolve(None)
    assert caught.value.code == "multiple_sessions"


def test_a_named_page_is_that_page() -> None:
    """
    A sessionId wins over what was used last, and is no silent switch.
    """
    one, two = FakePage("one"), FakePage("two")
    call = attended(one, two, last=LastPage(PageId("two"), "http://other/", 0.0))
    assert call.resolve(PageId("one")) is one
    assert call.switched_from is None


def test_another_tab_of_the_same_site_is_used_and_named() -> None:
    """
    A tab that was closed and opened anew is gone on with, and the answer says so.
    """
    here = FakePage("new", url="http://localhost:8000/b")
    call = attended(here, last=LastPage(PageId("old"), "http://localhost:8000/a", 0.0))
    assert call.resolve(None) is here
    assert call.switched_from == "old"


@pytest.mark.parametrize("acts", [True, False])
def test_a_tab_of_another_site_is_not_acted_on_unasked(*, acts: bool) -> None:
    """
    When the agent's tab is gone its next click does not land in another app that happens to be open.
    """
    other = FakePage("other", url="http://localhost:9000/")
    call = attended(other, last=LastPage(PageId("mine"), "http://localhost:8000/", 0.0), acts=acts)
    if not acts:
        assert call.resolve(None) is other
        return
    with pytest.raises(Refusal) as caught:
        call.resolve(None)
    assert caught.value.code == "session_gone"
    assert "mine" in caught.value.message
    assert "other" in caught.value.recovery
    assert call.resolve(PageId("other")) is other


@pytest.mark.parametrize("button", ["pause", "end"])
def test_a_person_stops_what_acts_and_nothing_else(button: str) -> None:
    """
    After Pause or End nothing acts on the page; looking goes on.
    """
    page = FakePage("p1")
    page.record(EventType.HUMAN_CONTROL, {"kind": button})
    with pytest.raises(Refusal) as caught:
        attended(page).resolve(None)
    assert (caught.value.code, caught.value.details) == ("paused", {"paused": True})
    assert "nothing was done" in caught.value.message
    assert attended(page, acts=False).resolve(None) is page
    page.steering.resume()
    assert attended(page).resolve(None) is page


def test_the_page_of_a_refused_act_is_known() -> None:
    """
    The messages that explain a pause can come with the refusal.
    """
    page = FakePage("p1")
    page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
    call = attended(page)
    with pytest.raises(Refusal):
        call.resolve(None)
    assert call.page is page


def test_a_page_left_alone_for_long_is_warned_of() -> None:
    """
    Ten minutes later refs may be dead and the page another one.
    """
    page = FakePage("p1")
    call = attended(page, last=LastPage(PageId("p1"), page.identity.url, 399.0))
    call.resolve(None)
    assert (call.idle_seconds, call.warns_of_age()) == (601.0, True)


def test_everything_else_is_the_directorys() -> None:
    """
    Lists, waits and the past are those of all pages.
    """
    page = FakePage("p1")
    call = attended(page)
    assert list(call.all()) == [page]
    assert (call.seen_before(), call.refused_dials(), call.earlier_lives()) == (1, [], None)
    assert call.await_page(None, 1.0).result is True  # type: ignore[attr-defined]  # the fake's is a Deferred
