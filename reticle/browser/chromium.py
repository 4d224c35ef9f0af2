"""
One running browser and the contexts in it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from reticle.browser.context import Context
from reticle.browser.conversation import Conversation
from reticle.browser.downloads import Downloads
from reticle.browser.tab import WAIT_FOR_US, Attached, Detached
from reticle.errors import Refusal
from reticle.model.limits import BROWSER_START_SECONDS

T = TypeVar("T")


class _Version(msgspec.Struct, frozen=True):
    product: str = ""


class _Made(msgspec.Struct, frozen=True):
    browserContextId: str


class Chromium:
    """
    One running browser.

    Args:
        conversation: What is said with it.
        close: Ends it, or what was begun in one that is not ours; ready when that is done.
        downloads: Where it may put files; None where that is not ours to say.
        on_end: Called once when it is gone, with the reason, after its contexts have ended.
    """

    def __init__(
        self,
        conversation: Conversation,
        close: Callable[[], Deferred[None]],
        downloads: Path | None,
        on_end: Callable[[Chromium, Refusal], object],
    ) -> None:
        self._conversation = conversation
        self._close = close
        self._on_end: Callable[[Chromium, Refusal], object] | None = on_end
        self.browser = conversation.session()
        self._downloads = Downloads(self.browser, downloads, conversation.in_thread)
        self._contexts: dict[str, Context] = {}
        self.product = ""

    async def begin(self) -> None:
        """
        Meet it. Refused when it does not answer in time.
        """
        browser = self.browser
        version = await browser.call("Browser.getVersion", {}, _Version, seconds=BROWSER_START_SECONDS)
        self.product = version.product
        browser.on("Target.attachedToTarget", Attached, self._tab_came)
        browser.on("Target.detachedFromTarget", Detached, self._tab_went)
        await browser.do("Target.setAutoAttach", {**WAIT_FOR_US, "filter": [{"type": "page"}]})

    @property
    def gone(self) -> Refusal | None:
        """
        Why it is there no more, if so.
        """
        return self._conversation.ended

    @property
    def empty(self) -> bool:
        """
        Whether there is no context in it.
        """
        return not self._contexts

    async def open(self, make: Callable[[str], Context]) -> Context:
        """
        A context with its first tab, still empty; ``make`` dresses it.
        """
        creating = self.browser.call("Target.createBrowserContext", {"disposeOnDetach": True}, _Made)
        made = await uncancelled(creating, self._drop)
        context = self._contexts[made.browserContextId] = make(made.browserContextId)
        try:
            await context.open(self._downloads)
        except BaseException:
            await self.dispose(context)
            raise
        return context

    def _drop(self, made: _Made) -> None:
        self.browser.post("Target.disposeBrowserContext", {"browserContextId": made.browserContextId})

    async def dispose(self, context: Context) -> None:
        """
        Close a context; never fails.
        """
        await context.close()
        self._contexts.pop(context.context_id, None)

    def ended(self, why: Refusal) -> None:
        """
        It is gone: all that waits is refused at once, its pages are lost.
        """
        on_end, self._on_end = self._on_end, None
        if on_end is None:
            return
        self._conversation.end(why)
        contexts, self._contexts = list(self._contexts.values()), {}
        for context in contexts:
            context.end()
        on_end(self, why)

    def stop(self) -> Deferred[None]:
        """
        Have it end. Ready when it is gone.
        """
        return self._close()

    def _tab_came(self, told: Attached) -> None:
        context = self._contexts.get(told.targetInfo.browserContextId)
        if context is not None:
            context.adopt(told)
            return
        # not ours, in a browser that somebody uses: it goes on as if nothing had been
        self.browser.sibling(told.sessionId).post("Runtime.runIfWaitingForDebugger")
        self.browser.post("Target.detachFromTarget", {"sessionId": told.sessionId})

    def _tab_went(self, told: Detached) -> None:
        for context in self._contexts.values():
            if context.left(told.sessionId):
                return


def uncancelled(work: Deferred[T], undo: Callable[[T], object]) -> Deferred[T]:
    """
    Wait for something that cannot be called back. Who stops waiting has it undone once it is done.
    """
    waiting: Deferred[T] = Deferred()

    def done(result: T) -> None:
        if waiting.called:
            undo(result)
        else:
            waiting.callback(result)

    def failed(failure: Failure) -> None:
        if not waiting.called:
            waiting.errback(failure)

    work.addCallbacks(done, failed)
    return waiting
