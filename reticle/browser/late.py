"""
The driven browser before the first lease: it is made when one is asked for, so that a daemon that drives
nothing does not carry it. Provides ``ports.Browser``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from twisted.internet.defer import Deferred, fail, succeed

from reticle.browser.failures import not_driven
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease
from reticle.ports import Browser

if TYPE_CHECKING:
    from reticle.model.browser import BrowserLease, BrowserWish, Shot, Stroke
    from reticle.model.runs import RunScript


class Stoppable(Browser, Protocol):
    """
    A browser that ends with the daemon.
    """

    def stop(self) -> Awaitable[None]:
        """
        Ready when nothing of it is left.
        """


class LateBrowser:
    """
    Provides ``ports.Browser``.

    Args:
        make: Makes the real one, once.
    """

    def __init__(self, make: Callable[[], Stoppable]) -> None:
        self._make = make
        self._made: Stoppable | None = None

    def acquire(self, wish: BrowserWish, lease: Lease) -> Awaitable[BrowserLease]:
        """
        See ``ports.Browser``.
        """
        if self._made is None:
            self._made = self._make()
        return self._made.acquire(wish, lease)

    def release(self, lease_id: BrowserLeaseId) -> Awaitable[bool]:
        """
        See ``ports.Browser``.
        """
        return succeed(False) if self._made is None else self._made.release(lease_id)

    def change(
        self, lease_id: BrowserLeaseId, rule: Callable[[Lease | None], Lease | None]
    ) -> BrowserLease | None:
        """
        See ``ports.Browser``.
        """
        if self._made is not None:
            return self._made.change(lease_id, rule)
        rule(None)
        return None

    def leases(self) -> Sequence[BrowserLease]:
        """
        See ``ports.Browser``.
        """
        return [] if self._made is None else self._made.leases()

    def waiting(self) -> int:
        """
        See ``ports.Browser``.
        """
        return 0 if self._made is None else self._made.waiting()

    def of_page(self, page_id: PageId) -> BrowserLease | None:
        """
        See ``ports.Browser``.
        """
        return None if self._made is None else self._made.of_page(page_id)

    def picture(self, page_id: PageId, shot: Shot) -> Awaitable[bytes]:
        """
        See ``ports.Browser``.
        """
        return fail(not_driven(page_id)) if self._made is None else self._made.picture(page_id, shot)

    def input(self, page_id: PageId, strokes: Sequence[Stroke]) -> Awaitable[None]:
        """
        See ``ports.Browser``.
        """
        return fail(not_driven(page_id)) if self._made is None else self._made.input(page_id, strokes)

    def answer_dialog(self, page_id: PageId, *, accept: bool, text: str = "") -> Awaitable[bool]:
        """
        See ``ports.Browser``.
        """
        if self._made is None:
            return fail(not_driven(page_id))
        return self._made.answer_dialog(page_id, accept=accept, text=text)

    def begin_runs(self, page_id: PageId) -> None:
        """
        See ``ports.Browser``.
        """
        if self._made is not None:
            self._made.begin_runs(page_id)

    def runs(self, page_id: PageId) -> Awaitable[Sequence[RunScript]]:
        """
        See ``ports.Browser``.
        """
        return succeed(()) if self._made is None else self._made.runs(page_id)

    def stop(self) -> Deferred[None]:
        """
        Ready when nothing of it is left.
        """

        async def stopped() -> None:
            if self._made is not None:
                await self._made.stop()

        return Deferred.fromCoroutine(stopped())
