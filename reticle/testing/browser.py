"""
A driven browser in memory: no process; its pages are fakes that a test scripts.

``FakeBrowser`` provides ``ports.Browser`` and passes the contract tests that the one in ``reticle.browser``
passes. Each lease opens a ``FakePage`` in ``pages``, as a page of the real one connects to the bridge.
"""

from __future__ import annotations

import base64
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import attrs
from twisted.internet.defer import Deferred, fail, succeed

from reticle.errors import Refusal
from reticle.model.browser import Attestation, BrowserLease, BrowserWish, Shot, Stroke
from reticle.model.codes import RefusalCode
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease
from reticle.model.limits import BROWSER_CONTEXTS, BROWSER_QUEUE_SECONDS
from reticle.model.runs import RunScript
from reticle.testing.clock import FakeClock
from reticle.testing.page import FakePage
from reticle.testing.pages import FakePages

PNG: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""A picture of one pixel."""

LOADED_SECONDS = 1.0
"""How old a page is when it is handed out: it has come to rest."""


@attrs.frozen
class _Waiting:
    """
    An agent in the queue for a context.
    """

    wish: BrowserWish
    lease: Lease
    opened: Deferred[BrowserLease]


class FakeBrowser:
    """
    Provides ``ports.Browser``.

    Args:
        pages: Where its pages connect; a set of its own unless given.
        clock: Whose time it lives in: leases end and queues time out when it is advanced.
        contexts: How many leases there may be at once.

    Set ``trouble`` to have the next calls that wait refused with it, ``png`` to have another picture.
    ``shots``, ``strokes``, ``answered``, ``begun_runs`` and ``kept_logins`` list what was asked, in order;
    ``scripts`` are what ran in its pages.
    """

    def __init__(
        self,
        pages: FakePages | None = None,
        *,
        clock: FakeClock | None = None,
        contexts: int = BROWSER_CONTEXTS,
    ) -> None:
        self.pages = FakePages() if pages is None else pages
        self.clock = FakeClock() if clock is None else clock
        self.trouble: Refusal | None = None
        self.png = PNG
        self.shots: list[tuple[PageId, Shot]] = []
        self.strokes: list[tuple[PageId, Stroke]] = []
        self.answered: list[tuple[PageId, bool, str]] = []
        self.kept_logins: list[str] = []
        self.scripts: Sequence[RunScript] = ()
        self.begun_runs: list[PageId] = []
        self._contexts = contexts
        self._leases: dict[BrowserLeaseId, BrowserLease] = {}
        self._queue: deque[_Waiting] = deque()
        self._dialogs: set[PageId] = set()
        self._opened = 0

    # --- the script --------------------------------------------------------------------------

    def open_window(self, lease_id: BrowserLeaseId, url: str) -> FakePage:
        """
        Let a page of the lease open another window.
        """
        lease = self._leases[lease_id]
        page = self._page(lease_id, url, lease.wish)
        self._leases[lease_id] = attrs.evolve(lease, pages=[*lease.pages, page.identity.page_id])
        return page

    def open_dialog(self, page_id: PageId) -> None:
        """
        Let a page stand still with a dialog.
        """
        self._dialogs.add(page_id)

    def die(self) -> None:
        """
        Let the browser end by itself: its leases are gone, and who waits for one gets it in the next.
        """
        for lease_id in list(self._leases):
            self._close(lease_id)
        self._serve()

    # --- ports.Browser -----------------------------------------------------------------------

    def acquire(self, wish: BrowserWish, lease: Lease) -> Deferred[BrowserLease]:
        """
        See ``ports.Browser``.
        """
        if self.trouble is not None:
            return fail(self.trouble)
        if len(self._leases) < self._contexts:
            return succeed(self._open(wish, lease))
        waiting = _Waiting(wish, lease, Deferred(lambda _: self._queue.remove(waiting)))
        self._queue.append(waiting)
        timer = self.clock.reactor.callLater(BROWSER_QUEUE_SECONDS, self._waited, waiting)

        def came(result: object) -> object:
            if timer.active():
                timer.cancel()
            return result

        waiting.opened.addBoth(came)
        return waiting.opened

    def release(self, lease_id: BrowserLeaseId) -> Deferred[bool]:
        """
        See ``ports.Browser``.
        """
        if lease_id not in self._leases:
            return succeed(False)
        login = self._leases[lease_id].wish.login
        if login is not None:
            self.kept_logins.append(login)
        self._close(lease_id)
        self._serve()
        return succeed(True)

    def change(
        self, lease_id: BrowserLeaseId, rule: Callable[[Lease | None], Lease | None]
    ) -> BrowserLease | None:
        """
        See ``ports.Browser``.
        """
        there = self._leases.get(lease_id)
        changed = rule(None if there is None else there.lease)
        if there is None:
            return None
        if changed is None:
            self.release(lease_id)
            return None
        self._leases[lease_id] = attrs.evolve(there, lease=changed)
        self._reap_at(changed.until)
        return self._leases[lease_id]

    def leases(self) -> Sequence[BrowserLease]:
        """
        See ``ports.Browser``.
        """
        return list(self._leases.values())

    def waiting(self) -> int:
        """
        See ``ports.Browser``.
        """
        return len(self._queue)

    def of_page(self, page_id: PageId) -> BrowserLease | None:
        """
        See ``ports.Browser``.
        """
        return next((lease for lease in self._leases.values() if page_id in lease.pages), None)

    def picture(self, page_id: PageId, shot: Shot) -> Deferred[bytes]:
        """
        See ``ports.Browser``.
        """
        refused = self._refused(page_id)
        if refused is not None:
            return fail(refused)
        self.shots.append((page_id, shot))
        return succeed(self.png)

    def input(self, page_id: PageId, strokes: Sequence[Stroke]) -> Deferred[None]:
        """
        See ``ports.Browser``.
        """
        refused = self._refused(page_id)
        if refused is not None:
            return fail(refused)
        self.strokes.extend((page_id, stroke) for stroke in strokes)
        return succeed(None)

    def answer_dialog(self, page_id: PageId, *, accept: bool, text: str = "") -> Deferred[bool]:
        """
        See ``ports.Browser``.
        """
        refused = self._refused(page_id)
        if refused is not None:
            return fail(refused)
        if page_id not in self._dialogs:
            return succeed(False)
        self._dialogs.remove(page_id)
        self.answered.append((page_id, accept, text))
        return succeed(True)

    def begin_runs(self, page_id: PageId) -> None:
        """
        See ``ports.Browser``.
        """
        if self.of_page(page_id) is not None:
            self.begun_runs.append(page_id)

    def runs(self, page_id: PageId) -> Deferred[Sequence[RunScript]]:
        """
        See ``ports.Browser``.
        """
        return succeed(() if self.of_page(page_id) is None else self.scripts)

    # --- inside ------------------------------------------------------------------------------

    def _open(self, wish: BrowserWish, lease: Lease) -> BrowserLease:
        self._opened += 1
        lease_id = BrowserLeaseId(f"l{self._opened}")
        page = self._page(lease_id, wish.url, wish)
        page_id = page.identity.page_id
        self._leases[lease_id] = BrowserLease(lease_id, wish, lease, page_id, [page_id])
        self._reap_at(lease.until)
        return self._leases[lease_id]

    def _page(self, lease_id: BrowserLeaseId, url: str, wish: BrowserWish) -> FakePage:
        number = len(self._leases[lease_id].pages) + 1 if lease_id in self._leases else 1
        page = FakePage(
            f"b{lease_id}-{number}",
            clock=self.clock.reactor,
            url=url,
            project_id=wish.project_id,
            attested=Attestation(lease_id, wish.url, self.clock.now(), self.clock.monotonic()),
            age_seconds=LOADED_SECONDS,
        )
        self.pages.pages.append(page)
        return page

    def _close(self, lease_id: BrowserLeaseId) -> None:
        lease = self._leases.pop(lease_id)
        for page in self.pages.pages:
            if page.identity.page_id in lease.pages:
                page.disconnect()
        self._dialogs -= set(lease.pages)

    def _serve(self) -> None:
        while self._queue and len(self._leases) < self._contexts:
            waiting = self._queue.popleft()
            waiting.opened.callback(self._open(waiting.wish, waiting.lease))

    def _waited(self, waiting: _Waiting) -> None:
        self._queue.remove(waiting)
        waiting.opened.errback(Refusal(RefusalCode.BROWSER_FULL, "All contexts of the browser are in use."))

    def _reap_at(self, until: float) -> None:
        self.clock.reactor.callLater(max(until - self.clock.now(), 0), self._reap)

    def _reap(self) -> None:
        now = self.clock.now()
        for lease_id in [lease_id for lease_id, each in self._leases.items() if each.lease.until <= now]:
            self.release(lease_id)

    def _refused(self, page_id: PageId) -> Refusal | None:
        if self.of_page(page_id) is None:
            return Refusal(RefusalCode.NOT_DRIVEN, f"Page {page_id} was not opened by this daemon.")
        return self.trouble
