"""
One isolated context of a browser, with the tabs in it: cookies, storage and cache are its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec
from twisted.internet.defer import CancelledError
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger

from reticle.browser.conversation import Session
from reticle.browser.downloads import Downloads
from reticle.browser.failures import failed
from reticle.browser.tab import Attached, Fittings, Tab
from reticle.errors import Refusal
from reticle.model.ids import PageId
from reticle.model.limits import BROWSER_LOAD_SECONDS, BROWSER_LOGIN_ORIGINS, BROWSER_TABS


class _Made(msgspec.Struct, frozen=True):
    targetId: str


class _Navigated(msgspec.Struct, frozen=True):
    errorText: str = ""
    isDownload: bool = False


class Context:
    """
    One isolated context.

    Args:
        browser: The way to the browser itself.
        context_id: The browser's name for it.
        fittings: What each of its tabs is given.
        first: The name of the page that is opened.
        new_page: Mints the names of windows that the page opens.
        on_tabs: Called whenever a tab came or went.
        clock: For deadlines.
    """

    _log = Logger()

    def __init__(
        self,
        browser: Session,
        context_id: str,
        fittings: Fittings,
        *,
        first: PageId,
        new_page: Callable[[], PageId],
        on_tabs: Callable[[], object],
        clock: IReactorTime,
    ) -> None:
        self.browser = browser
        self.context_id = context_id
        self.fittings = fittings
        self._first: PageId | None = first
        self._new_page = new_page
        self._on_tabs = on_tabs
        self._clock = clock
        self._tabs: dict[str, Tab] = {}
        self._downloads: Downloads | None = None
        self._crowded = False
        self._left: dict[str, None] = {}

    @property
    def origins(self) -> Sequence[str]:
        """
        The origins that its tabs have been at; of those that are closed by now the first
        ``BROWSER_LOGIN_ORIGINS``.
        """
        return list(dict.fromkeys([*self._left, *(o for tab in self._tabs.values() for o in tab.origins)]))

    @property
    def pages(self) -> Sequence[PageId]:
        """
        The names of its tabs, oldest first.
        """
        return [tab.page_id for tab in self._tabs.values()]

    def tab_of(self, page_id: PageId) -> Tab | None:
        """
        The tab of that name.
        """
        return next((tab for tab in self._tabs.values() if tab.page_id == page_id), None)

    async def open(self, downloads: Downloads) -> Tab:
        """
        Its first tab, empty.
        """
        self._downloads = downloads
        downloads.follow(self.context_id, self.fittings.wish.downloads)
        return await self.new_tab()

    async def new_tab(self) -> Tab:
        """
        Another tab, empty.
        """
        wish = self.fittings.wish
        made = await self.browser.call(
            "Target.createTarget",
            {
                "url": "about:blank",
                "browserContextId": self.context_id,
                "width": wish.width,
                "height": wish.height,
                "newWindow": True,
            },
            _Made,
        )
        # it was told of before the answer, and is prepared by now
        tab = self._tabs.get(made.targetId)
        if tab is None:
            raise failed("The window that was opened was closed at once.")
        await tab.session.do("Runtime.evaluate", {"expression": "0"})
        return tab

    async def load(self, tab: Tab, url: str, *, seconds: float = BROWSER_LOAD_SECONDS) -> str:
        """
        Load a URL and wait so long at most for its ``load``. Gives why there is no page to be seen, in the
        browser's words; empty when there is one, or when it takes longer.
        """
        loaded = tab.when_loaded()
        loaded.addErrback(lambda failure: failure.trap(CancelledError) and None)
        waiting = self._clock.callLater(seconds, loaded.cancel)
        navigating = tab.session.call("Page.navigate", {"url": url}, _Navigated, seconds=seconds)
        try:
            navigated = await navigating
            if navigated.isDownload or navigated.errorText:
                return "it is a download" if navigated.isDownload else navigated.errorText
            await loaded
        except Refusal as refusal:
            return refusal.message
        finally:
            if waiting.active():
                waiting.cancel()
            loaded.cancel()
        return ""

    def adopt(self, told: Attached) -> None:
        """
        A tab of this context is there and waits for us.
        """
        session = self.browser.sibling(told.sessionId)
        if len(self._tabs) >= BROWSER_TABS:
            if not self._crowded:
                self._log.warn("a page opens more than {tabs} windows; they are closed", tabs=BROWSER_TABS)
            self._crowded = True
            # it shares its opener's process, which would stand still with it for good
            session.post("Runtime.runIfWaitingForDebugger")
            self.browser.post("Target.closeTarget", {"targetId": told.targetInfo.targetId})
            return
        page_id, self._first = self._first or self._new_page(), None
        tab = Tab(session, told.targetInfo.targetId, page_id, self.fittings, self._clock)
        self._tabs[tab.target_id] = tab
        opener = self._tabs.get(told.targetInfo.openerId)
        self._watch_downloads(tab, opener)
        tab.begin(sized=not told.targetInfo.openerId)
        if opener is not None:
            opener.tell(opener.openings.opened(page_id, told.targetInfo.url))
        self._on_tabs()

    def left(self, session_id: str) -> bool:
        """
        A session ended: the tab is gone, if it was one of ours.
        """
        for target_id, tab in self._tabs.items():
            if tab.session.session_id == session_id:
                del self._tabs[target_id]
                self._left.update(dict.fromkeys(tab.origins[: BROWSER_LOGIN_ORIGINS - len(self._left)]))
                tab.end()
                self._on_tabs()
                return True
        return False

    def end(self) -> None:
        """
        The context is gone, or about to be.
        """
        tabs, self._tabs = list(self._tabs.values()), {}
        for tab in tabs:
            tab.end()

    async def close(self) -> None:
        """
        Close it with all that is in it. Ready when the browser has done so; never fails.
        """
        self.end()
        with suppress(Refusal):
            await self.browser.do("Target.disposeBrowserContext", {"browserContextId": self.context_id})
        if self._downloads is not None:
            self._downloads.forget(self.context_id)

    def _watch_downloads(self, tab: Tab, opener: Tab | None) -> None:
        """
        A tab that only was opened for a download has no document that could be told: its opener hears of it.
        """

        def tell(payload: bytes) -> object:
            return tab.tell(payload) or (opener is not None and opener.tell(payload))

        if self._downloads is not None:
            self._downloads.watch_tab(self.context_id, tab.session, tab.target_id, tell)
