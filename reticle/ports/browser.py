"""
The browser that the daemon drives; provided by ``reticle.browser``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.browser import BrowserLease, BrowserWish, Shot, Stroke
    from reticle.model.ids import BrowserLeaseId, PageId
    from reticle.model.leases import Lease
    from reticle.model.runs import RunScript


class Browser(Protocol):
    """
    Isolated contexts in one Chromium, each under a browser lease.

    Every method that waits raises ``Refusal``: ``no_browser`` (none found, none reachable: what to install or
    set), ``browser_failed`` (it died or did not answer in time; a retry starts another one),
    ``browser_full``, ``not_driven`` (not a page that this daemon opened). No method blocks the reactor.
    """

    def acquire(self, wish: BrowserWish, lease: Lease) -> Awaitable[BrowserLease]:
        """
        Open a context and in it the page; ready when the page's script has said hello and the document has
        been loaded, or the time for that is over (the lease then exists all the same). Waits its turn while
        all contexts are in use; ``browser_full`` when that takes too long.
        """

    def release(self, lease_id: BrowserLeaseId) -> Awaitable[bool]:
        """
        Close the context, first keeping its cookies and storage if it has a ``login``; False when there is
        no such lease. Never raises for a browser that is gone.
        """

    def change(
        self, lease_id: BrowserLeaseId, rule: Callable[[Lease | None], Lease | None]
    ) -> BrowserLease | None:
        """
        Run a rule (``domain.lease``) over a lease as it is, None where there is none; what it raises is
        raised with nothing changed. A rule that gives None ends the lease soon after.
        """

    def leases(self) -> Sequence[BrowserLease]:
        """
        Those there are, oldest first.
        """

    def waiting(self) -> int:
        """
        How many ``acquire`` wait their turn.
        """

    def of_page(self, page_id: PageId) -> BrowserLease | None:
        """
        The lease that a page belongs to; None for pages that dialled in by themselves.
        """

    def picture(self, page_id: PageId, shot: Shot) -> Awaitable[bytes]:
        """
        A PNG, at most ``PICTURE_BYTES``.
        """

    def input(self, page_id: PageId, strokes: Sequence[Stroke]) -> Awaitable[None]:
        """
        Ready when the browser has dispatched all of them, in order. The page's tab comes to the front of the
        lease's others first, also when there is nothing to dispatch: only then it is drawn.
        """

    def answer_dialog(self, page_id: PageId, *, accept: bool, text: str = "") -> Awaitable[bool]:
        """
        Answer the dialog that is open; False when none is.
        """

    def begin_runs(self, page_id: PageId) -> None:
        """
        An action on the page begins with what it is asked next: note which functions of its scripts run from
        then on. Costs the page a few milliseconds and the caller nothing; nothing for a page that is not
        driven. Never raises.
        """

    def runs(self, page_id: PageId) -> Awaitable[Sequence[RunScript]]:
        """
        The page's scripts with what ran since then; empty for a page that is not driven, or where the browser
        does not tell in ``RUNS_SECONDS``. Never raises.
        """
