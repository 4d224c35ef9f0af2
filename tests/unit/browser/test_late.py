"""
The driven browser before and after the first lease.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import pytest
from twisted.internet.defer import Deferred

from reticle.browser.late import LateBrowser
from reticle.errors import Refusal
from reticle.model.browser import BrowserWish, Shot, Stroke
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease
from reticle.testing.bridge import refusal_of, result_of
from reticle.testing.browser import PNG, FakeBrowser

T = TypeVar("T")
P1, L1 = PageId("p1"), BrowserLeaseId("l1")
NOW = 1_750_000_000.0


class Stopping(FakeBrowser):
    """
    One that can be stopped.
    """

    stopped = False

    async def stop(self) -> None:
        """
        Note it.
        """
        self.stopped = True


def settled(awaited: Awaitable[T]) -> Deferred[T]:
    """
    What an awaitable gives.
    """

    async def give() -> T:
        return await awaited

    return Deferred.fromCoroutine(give())


def test_nothing_is_made_before_the_first_lease() -> None:
    """
    A daemon that drives nothing answers all the same.
    """
    late = LateBrowser(lambda: pytest.fail("made"))
    assert (late.leases(), late.waiting(), late.of_page(P1)) == ([], 0, None)
    assert result_of(settled(late.release(L1))) is False
    assert late.change(L1, lambda _: None) is None
    asked: list[Awaitable[object]] = [
        late.picture(P1, Shot()),
        late.input(P1, []),
        late.answer_dialog(P1, accept=True),
    ]
    assert {refusal_of(settled(each)).code for each in asked} == {"not_driven"}
    result_of(late.stop())

    def refuse(_: Lease | None) -> Lease | None:
        raise Refusal("not_found", "no")

    with pytest.raises(Refusal):
        late.change(L1, refuse)


def test_after_it_everything_is_the_real_ones() -> None:
    """
    Made once.
    """
    made: list[Stopping] = []

    def make() -> Stopping:
        made.append(Stopping())
        return made[-1]

    late = LateBrowser(make)
    lease = Lease("a", "a", "", NOW, NOW + 60)
    got = result_of(settled(late.acquire(BrowserWish("http://a/"), lease)))
    result_of(settled(late.acquire(BrowserWish("http://b/"), lease)))
    [real] = made
    assert (len(late.leases()), late.of_page(got.page_id), late.waiting()) == (2, got, 0)
    assert result_of(settled(late.picture(got.page_id, Shot()))) == PNG
    result_of(settled(late.input(got.page_id, [Stroke("move")])))
    real.open_dialog(got.page_id)
    assert result_of(settled(late.answer_dialog(got.page_id, accept=True))) is True
    assert late.change(got.lease_id, lambda there: there) == got
    assert result_of(settled(late.release(got.lease_id))) is True
    result_of(late.stop())
    assert real.stopped
