"""
The browser leases there are, each until its time is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs
from twisted.internet.interfaces import IDelayedCall, IReactorTime

from reticle.model.browser import BrowserLease
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease


def tab_of(page_id: PageId) -> PageId:
    """
    The name of the tab that a page is, or lies in as a frame (``naming.TabNames``).
    """
    return PageId(page_id.partition(".")[0])


class LeaseBook:
    """
    Leases in memory: they end with the browser.

    Args:
        clock: For the end of each.
        now: Seconds since the epoch.
        on_over: Told the name of each whose time is over; it stands in the book until it is taken out.
    """

    def __init__(
        self, clock: IReactorTime, now: Callable[[], float], on_over: Callable[[BrowserLeaseId], object]
    ) -> None:
        self._clock = clock
        self._now = now
        self._on_over = on_over
        self._leases: dict[BrowserLeaseId, BrowserLease] = {}
        self._timers: dict[BrowserLeaseId, IDelayedCall] = {}

    def all(self) -> Sequence[BrowserLease]:
        """
        Oldest first.
        """
        return list(self._leases.values())

    def of(self, lease_id: BrowserLeaseId) -> BrowserLease | None:
        """
        The one of that name.
        """
        return self._leases.get(lease_id)

    def of_page(self, page_id: PageId) -> BrowserLease | None:
        """
        The one that a page belongs to, a frame of a page too.
        """
        tab = tab_of(page_id)
        return next((lease for lease in self._leases.values() if tab in lease.pages), None)

    def put(self, lease: BrowserLease) -> None:
        """
        Note it, or what became of it.
        """
        self._leases[lease.lease_id] = lease
        timer = self._timers.pop(lease.lease_id, None)
        if timer is not None and timer.active():
            timer.cancel()
        seconds = max(lease.lease.until - self._now(), 0)
        self._timers[lease.lease_id] = self._clock.callLater(seconds, self._on_over, lease.lease_id)

    def show(self, lease_id: BrowserLeaseId, pages: Sequence[PageId]) -> None:
        """
        Which pages there are in its context now.
        """
        lease = self._leases.get(lease_id)
        if lease is not None:
            self._leases[lease_id] = attrs.evolve(lease, pages=list(pages))

    def change(
        self, lease_id: BrowserLeaseId, rule: Callable[[Lease | None], Lease | None]
    ) -> tuple[bool, BrowserLease | None]:
        """
        Run a rule over it. Gives whether the rule ends it, and what it is from now on; what the rule raises
        is raised with nothing changed.
        """
        there = self._leases.get(lease_id)
        changed = rule(None if there is None else there.lease)
        if there is None:
            return False, None
        if changed is None:
            return True, None
        self.put(attrs.evolve(there, lease=changed))
        return False, self._leases[lease_id]

    def take_out(self, lease_id: BrowserLeaseId) -> BrowserLease | None:
        """
        Strike it; None where it is not there.
        """
        timer = self._timers.pop(lease_id, None)
        if timer is not None and timer.active():
            timer.cancel()
        return self._leases.pop(lease_id, None)
