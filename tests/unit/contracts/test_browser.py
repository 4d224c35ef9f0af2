"""
What every ``ports.Browser`` does: here the fake. ``tests/unit/browser/test_driver.py`` asks the real one the
same over a scripted browser, ``tests/system/test_drive.py`` with a Chromium.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.errors import Refusal
from reticle.model.browser import Attestation, BrowserLease, BrowserWish, Shot, Stroke
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease
from reticle.model.limits import BROWSER_QUEUE_SECONDS
from reticle.testing.bridge import refusal_of, result_of
from reticle.testing.browser import PNG, FakeBrowser

URL = "http://127.0.0.1:8000/"
NOBODY = BrowserLeaseId("nobody")


@pytest.fixture(name="browser")
def browser_fixture() -> FakeBrowser:
    """
    One with room for two leases.
    """
    return FakeBrowser(contexts=2)


def lease(browser: FakeBrowser, seconds: float = 300) -> Lease:
    """
    An agent's, from now on.
    """
    now = browser.clock.now()
    return Lease("local", "you", "", now, now + seconds)


def opened(browser: FakeBrowser, seconds: float = 300, login: str | None = None) -> BrowserLease:
    """
    A lease whose page is there.
    """
    return result_of(browser.acquire(BrowserWish(URL, login=login), lease(browser, seconds)))


def test_an_opened_page_is_connected_and_attested(browser: FakeBrowser) -> None:
    """
    What the daemon opened is a page like any other, and known as its own.
    """
    got = opened(browser)
    page = browser.pages.resolve(got.page_id)
    assert page.identity.attested == Attestation(got.lease_id, URL)
    assert browser.of_page(got.page_id) == got
    assert browser.of_page(PageId("another")) is None


def test_leases_are_listed_oldest_first(browser: FakeBrowser) -> None:
    """
    An agent sees what is open.
    """
    first, second = opened(browser), opened(browser)
    assert [each.lease_id for each in browser.leases()] == [first.lease_id, second.lease_id]


def test_release_closes_the_pages(browser: FakeBrowser) -> None:
    """
    After it nothing is connected any more, and the login was kept.
    """
    got = opened(browser, login="ann")
    assert result_of(browser.release(got.lease_id)) is True
    assert result_of(browser.release(got.lease_id)) is False
    assert (browser.leases(), browser.pages.all(), browser.kept_logins) == ([], [], ["ann"])


def test_a_rule_changes_a_lease_or_ends_it(browser: FakeBrowser) -> None:
    """
    Who may do what is decided outside; what the rule raises changes nothing.
    """

    def refuse(_: Lease | None) -> Lease | None:
        raise Refusal("page_held", "held")

    got = opened(browser)
    longer = attrs.evolve(got.lease, until=got.lease.until + 60)
    with pytest.raises(Refusal):
        browser.change(got.lease_id, refuse)
    assert browser.leases() == [got]
    assert browser.change(got.lease_id, lambda _: longer) == attrs.evolve(got, lease=longer)
    assert browser.change(NOBODY, lambda there: there) is None
    assert browser.change(got.lease_id, lambda _: None) is None
    assert browser.leases() == []


def test_a_lease_ends_with_its_time(browser: FakeBrowser) -> None:
    """
    An agent that went away holds no context for ever; one that renewed keeps it.
    """
    got = opened(browser, seconds=10)
    browser.clock.advance(9)
    browser.change(got.lease_id, lambda _: lease(browser, 10))
    browser.clock.advance(9)
    assert [each.lease_id for each in browser.leases()] == [got.lease_id]
    browser.clock.advance(2)
    assert browser.leases() == []


def test_the_queue_is_served_in_order(browser: FakeBrowser) -> None:
    """
    Who came first gets the context that becomes free; who waits too long is told that it is full.
    """
    got = opened(browser)
    opened(browser)
    third = browser.acquire(BrowserWish(URL), lease(browser))
    fourth = browser.acquire(BrowserWish(URL), lease(browser))
    assert not third.called
    assert browser.waiting() == 2
    result_of(browser.release(got.lease_id))
    assert browser.waiting() == 1
    assert result_of(third).lease_id in {each.lease_id for each in browser.leases()}
    browser.clock.advance(BROWSER_QUEUE_SECONDS)
    assert refusal_of(fourth).code == "browser_full"
    assert browser.waiting() == 0


def test_a_window_of_a_page_belongs_to_the_lease(browser: FakeBrowser) -> None:
    """
    A popup is driven like the page that opened it; what the daemon opened is what is attested.
    """
    got = opened(browser)
    window = browser.open_window(got.lease_id, "http://other.test/terms")
    assert window.identity.attested == Attestation(got.lease_id, URL)
    popup = window.identity.page_id
    [there] = browser.leases()
    assert there.pages == [got.page_id, popup]
    assert browser.of_page(popup) == there


def test_pictures_and_strokes_reach_a_driven_page_only(browser: FakeBrowser) -> None:
    """
    A page that dialled in by itself cannot be photographed or clicked for real.
    """
    got = opened(browser)
    assert result_of(browser.picture(got.page_id, Shot())) == PNG
    result_of(browser.input(got.page_id, [Stroke("move", 1, 2)]))
    assert browser.strokes == [(got.page_id, Stroke("move", 1, 2))]
    assert refusal_of(browser.picture(PageId("other"), Shot())).code == "not_driven"
    assert refusal_of(browser.input(PageId("other"), [])).code == "not_driven"


def test_a_dialog_is_answered_once(browser: FakeBrowser) -> None:
    """
    Without a dialog there is nothing to answer.
    """
    got = opened(browser)
    assert result_of(browser.answer_dialog(got.page_id, accept=True)) is False
    browser.open_dialog(got.page_id)
    assert result_of(browser.answer_dialog(got.page_id, accept=True, text="x")) is True
    assert browser.answered == [(got.page_id, True, "x")]


def test_a_browser_that_ends_takes_its_leases_along(browser: FakeBrowser) -> None:
    """
    Whoever waited for a place gets one in the next browser.
    """
    gone = [opened(browser).lease_id, opened(browser).lease_id]
    waiting = browser.acquire(BrowserWish(URL), lease(browser))
    browser.die()
    [there] = browser.leases()
    assert result_of(waiting) == there
    assert there.lease_id not in gone
