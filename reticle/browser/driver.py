"""
The browser that the daemon drives: leases, each with its context, in a Chromium that is started when the
first of them is asked for. Provides ``ports.Browser``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import attrs
from twisted.internet.defer import Deferred, DeferredList, succeed
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.browser.book import LeaseBook, tab_of
from reticle.browser.chromium import Chromium
from reticle.browser.context import Context
from reticle.browser.failures import failed, in_a_frame, not_driven
from reticle.browser.logins import Logins
from reticle.browser.opening import Outfitter
from reticle.browser.picture import take_picture
from reticle.browser.pool import Pool, Starts
from reticle.browser.storage_visits import put_login, take_login
from reticle.browser.tab import Tab
from reticle.browser.turns import Turns
from reticle.errors import Refusal
from reticle.model.browser import BrowserLease, BrowserWish, Shot, Stroke
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease
from reticle.model.limits import BROWSER_KEEP_SECONDS, BROWSER_LOAD_SECONDS
from reticle.model.runs import RunScript
from reticle.ports import Pages

TROUBLED_SECONDS: Final = 2
"""How long the browser's own page about a failed load is waited for: the agent can go on from there."""


@attrs.frozen
class _Open:
    """
    Where a lease's context is.
    """

    chromium: Chromium
    context: Context


class DrivenBrowser:
    """
    Provides ``ports.Browser``.

    Args:
        starter: Starts or reaches a browser.
        outfitter: Dresses the tabs.
        logins: Where login states are kept.
        pages: Where connected pages are waited for.
        clock: For the ends of leases.
        now: Seconds since the epoch.
        monotonic: Seconds of a clock that nobody sets.
    """

    _log = Logger()

    def __init__(
        self,
        starter: Starts,
        outfitter: Outfitter,
        logins: Logins,
        *,
        pages: Pages,
        clock: IReactorTime,
        now: Callable[[], float],
        monotonic: Callable[[], float],
    ) -> None:
        self._outfitter = outfitter
        self._logins = logins
        self._pages = pages
        self._clock = clock
        self._now = now
        self._monotonic = monotonic
        self._pool = Pool(starter, clock, self._browser_ended)
        self._book = LeaseBook(clock, now, self._time_is_over)
        self._turns = Turns(clock)
        self._open: dict[BrowserLeaseId, _Open] = {}
        self._stopping = False

    # --- ports.Browser -----------------------------------------------------------------------

    def acquire(self, wish: BrowserWish, lease: Lease) -> Deferred[BrowserLease]:
        """
        See ``ports.Browser``.
        """
        return Deferred.fromCoroutine(self._acquire(wish, lease))

    def release(self, lease_id: BrowserLeaseId) -> Deferred[bool]:
        """
        See ``ports.Browser``.
        """
        return Deferred.fromCoroutine(self._release(lease_id))

    def change(
        self, lease_id: BrowserLeaseId, rule: Callable[[Lease | None], Lease | None]
    ) -> BrowserLease | None:
        """
        See ``ports.Browser``.
        """
        ends, lease = self._book.change(lease_id, rule)
        if ends:
            self._time_is_over(lease_id)
        return lease

    def leases(self) -> Sequence[BrowserLease]:
        """
        See ``ports.Browser``.
        """
        return self._book.all()

    def waiting(self) -> int:
        """
        See ``ports.Browser``.
        """
        return self._turns.waiting

    def of_page(self, page_id: PageId) -> BrowserLease | None:
        """
        See ``ports.Browser``.
        """
        return self._book.of_page(page_id)

    def picture(self, page_id: PageId, shot: Shot) -> Deferred[bytes]:
        """
        See ``ports.Browser``.
        """
        return Deferred.fromCoroutine(self._picture(page_id, shot))

    def input(self, page_id: PageId, strokes: Sequence[Stroke]) -> Deferred[None]:
        """
        See ``ports.Browser``.
        """
        return Deferred.fromCoroutine(self._input(page_id, strokes))

    def answer_dialog(self, page_id: PageId, *, accept: bool, text: str = "") -> Deferred[bool]:
        """
        See ``ports.Browser``.
        """
        return Deferred.fromCoroutine(self._answer_dialog(page_id, accept=accept, text=text))

    def begin_runs(self, page_id: PageId) -> None:
        """
        See ``ports.Browser``.
        """
        if self._book.of_page(page_id) is not None:
            with suppress(Refusal):
                self._tab(page_id).runs.begin()

    def runs(self, page_id: PageId) -> Deferred[Sequence[RunScript]]:
        """
        See ``ports.Browser``.
        """
        if self._book.of_page(page_id) is None:
            return succeed(())
        try:
            tab = self._tab(page_id)
        except Refusal:
            return succeed(())
        return Deferred.fromCoroutine(tab.runs.told())

    # --- the daemon --------------------------------------------------------------------------

    async def stop(self) -> None:
        """
        End everything, first keeping logins as far as there is time. Ready when no process is left.
        """
        self._stopping = True
        self._turns.refuse(_stopping())
        keeping = DeferredList(
            [self.release(lease.lease_id) for lease in self._book.all()], consumeErrors=True
        )
        keeping.addTimeout(BROWSER_KEEP_SECONDS, self._clock)
        with suppress(Exception):
            await keeping
        await self._pool.stop()

    # --- leases ------------------------------------------------------------------------------

    async def _acquire(self, wish: BrowserWish, lease: Lease) -> BrowserLease:
        asked = self._now()
        await self._turns.take()
        lease_id = BrowserLeaseId(f"l{self._outfitter.new_word()}")
        waited = self._now() - asked
        try:
            self._go_on()
            chromium = await self._pool.get(headed=wish.headed)
            held = attrs.evolve(lease, since=lease.since + waited, until=lease.until + waited)
            page_id = self._outfitter.new_page()
            self._book.put(BrowserLease(lease_id, wish, held, page_id, [page_id]))
            context = await chromium.open(lambda name: self._context(chromium, name, lease_id, page_id, wish))
        except BaseException:
            self._book.take_out(lease_id)
            self._turns.give()
            raise
        self._open[lease_id] = _Open(chromium, context)
        try:
            await self._restore(context, page_id, wish.login)
            return await self._loaded(lease_id, context, page_id, wish.url)
        except BaseException:
            await self._release(lease_id)
            raise

    def _go_on(self) -> None:
        if self._stopping:
            raise _stopping()

    def _context(
        self, chromium: Chromium, name: str, lease_id: BrowserLeaseId, page_id: PageId, wish: BrowserWish
    ) -> Context:
        context = Context(
            chromium.browser,
            name,
            self._outfitter.fittings(lease_id, wish, self._now(), self._monotonic()),
            first=page_id,
            new_page=self._outfitter.new_page,
            on_tabs=lambda: self._tabs_changed(lease_id, context),
            clock=self._clock,
        )
        return context

    def _tabs_changed(self, lease_id: BrowserLeaseId, context: Context) -> None:
        self._book.show(lease_id, context.pages)
        if not context.pages and lease_id in self._open:
            # its last window was closed: there is nothing left to lease
            self._time_is_over(lease_id)

    async def _loaded(
        self, lease_id: BrowserLeaseId, context: Context, page_id: PageId, url: str
    ) -> BrowserLease:
        tab = context.tab_of(page_id)
        trouble = "its window was closed" if tab is None else await context.load(tab, url)
        await self._pages.await_page(page_id, TROUBLED_SECONDS if trouble else BROWSER_LOAD_SECONDS)
        lease = self._book.of(lease_id)
        if lease is None:
            raise failed("The browser lease ended while its page was being opened.")
        return attrs.evolve(lease, trouble=trouble)

    async def _release(self, lease_id: BrowserLeaseId) -> bool:
        opened = self._open.pop(lease_id, None)
        lease = self._book.take_out(lease_id)
        if opened is None:
            return lease is not None
        try:
            if lease is not None and lease.wish.login is not None:
                await self._keep(opened.context, lease.page_id, lease.wish.login)
            await opened.chromium.dispose(opened.context)
        finally:
            self._turns.give()
            self._pool.rest()
        return True

    async def _restore(self, context: Context, page_id: PageId, login: str | None) -> None:
        kept = None if login is None else await self._logins.read(login)
        tab = context.tab_of(page_id)
        if kept is not None and tab is not None:
            await put_login(context, tab, kept)

    async def _keep(self, context: Context, page_id: PageId, login: str) -> None:
        try:
            before = await self._logins.read(login)
            await self._logins.keep(await take_login(context, page_id, login, before))
        except Refusal as refusal:
            self._log.warn(
                "the login {login} stays as it was kept before: {why}", login=login, why=refusal.message
            )

    def _time_is_over(self, lease_id: BrowserLeaseId) -> None:
        self.release(lease_id).addErrback(self._not_released)

    def _not_released(self, failure: Failure) -> None:
        self._log.failure("a browser lease could not be ended", failure)

    def _browser_ended(self, chromium: Chromium, why: Refusal) -> None:
        if not self._stopping:
            self._log.warn("{why}", why=why.message)
        for lease_id in [name for name, opened in self._open.items() if opened.chromium is chromium]:
            del self._open[lease_id]
            self._book.take_out(lease_id)
            # whoever waits is served by the next browser
            self._turns.give()

    # --- pages -------------------------------------------------------------------------------

    async def _picture(self, page_id: PageId, shot: Shot) -> bytes:
        tab = self._tab(page_id)
        if tab.page_id != page_id:
            raise in_a_frame(page_id, tab.page_id)
        return await take_picture(tab.session, shot)

    async def _input(self, page_id: PageId, strokes: Sequence[Stroke]) -> None:
        tab, lease = self._tab(page_id), self._book.of_page(page_id)
        if lease is not None and len(lease.pages) > 1:
            # of several tabs in one window only that in front is drawn
            await tab.session.do("Page.bringToFront")
        await tab.strike(page_id, strokes)

    async def _answer_dialog(self, page_id: PageId, *, accept: bool, text: str) -> bool:
        return await self._tab(page_id).dialogs.answer(accept=accept, text=text)

    def _tab(self, page_id: PageId) -> Tab:
        lease = self._book.of_page(page_id)
        opened = None if lease is None else self._open.get(lease.lease_id)
        tab = None if opened is None else opened.context.tab_of(tab_of(page_id))
        if tab is None:
            raise not_driven(page_id)
        return tab


def _stopping() -> Refusal:
    return failed("The daemon is stopping.", "Wait until it is back, then acquire again.")
