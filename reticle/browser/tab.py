"""
One tab of a context: its page, and the frames of it that run in processes of their own.

A target is prepared while it waits for us: the script stands in it before the app's first one. Commands of
one session are done in order, so nothing is waited for in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import attrs
import msgspec
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime

from reticle.browser.conversation import Session
from reticle.browser.dialogs import Dialogs
from reticle.browser.documents import ABNORMAL, Admit, Documents, Doors
from reticle.browser.fetches import Fetches
from reticle.browser.frames import in_tab
from reticle.browser.input import Hand
from reticle.browser.naming import TabNames
from reticle.browser.popups import Openings
from reticle.browser.runs import Runs
from reticle.model.browser import BrowserWish, Stroke
from reticle.model.codes import CloseCode
from reticle.model.ids import PageId
from reticle.model.limits import BROWSER_LOGIN_ORIGINS

WAIT_FOR_US: Final[Mapping[str, object]] = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
}

GONE: Final = "The page is gone."


class Target(msgspec.Struct, frozen=True):
    """
    What the browser tells of a target.
    """

    targetId: str
    type: str = ""
    url: str = ""
    openerId: str = ""
    browserContextId: str = ""


class Attached(msgspec.Struct, frozen=True):
    """
    ``Target.attachedToTarget``.
    """

    sessionId: str
    targetInfo: Target
    waitingForDebugger: bool = False


class Detached(msgspec.Struct, frozen=True):
    """
    ``Target.detachedFromTarget``.
    """

    sessionId: str


class _Frame(msgspec.Struct, frozen=True):
    url: str = ""
    parentId: str = ""


class _FrameNavigated(msgspec.Struct, frozen=True):
    frame: _Frame


class _Happened(msgspec.Struct, frozen=True):
    pass


@attrs.frozen
class Fittings:
    """
    What every tab of a context is given: the script to run in it as JSON text, how to reach that, where its
    documents connect, and how it shows. ``headed`` leaves the size to the window.
    """

    script: Callable[[PageId], bytes]
    doors: Doors
    admit: Admit
    wish: BrowserWish
    headed: bool


class Tab:
    """
    One page target.

    Args:
        session: The way to it.
        target_id: The browser's name for it.
        page_id: Ours.
        fittings: What it is given.
        clock: For its documents.
    """

    def __init__(
        self, session: Session, target_id: str, page_id: PageId, fittings: Fittings, clock: IReactorTime
    ) -> None:
        self.session = session
        self.target_id = target_id
        self.page_id = page_id
        self._fittings = fittings
        self._clock = clock
        self._script = msgspec.Raw(fittings.script(page_id))
        self.hand = Hand(session, clock)
        self.openings = Openings(session)
        self.runs = Runs(session, clock)
        self.dialogs = Dialogs(session, fittings.wish.dialogs, self.tell)
        self._names = TabNames(page_id, target_id)
        self._documents = Documents(session, self._names, fittings.doors, fittings.admit, clock)
        self._fetches = Fetches(session, self._documents.fetching)
        self._frames: dict[str, tuple[Session, Documents]] = {}
        self._load_waiters: list[Deferred[None]] = []
        self._origins: dict[str, None] = {}

    @property
    def origins(self) -> Sequence[str]:
        """
        Where it has been.
        """
        return list(self._origins)

    def begin(self, *, sized: bool) -> None:
        """
        Make it ours and let it go on. ``sized``: in the size of the wish, not in that of the window that the
        app asked for.
        """
        session, wish = self.session, self._fittings.wish
        session.on("Page.loadEventFired", _Happened, lambda _: self._load_fired())
        session.on("Page.frameNavigated", _FrameNavigated, self._navigated)
        session.on("Inspector.targetCrashed", _Happened, lambda _: self._crashed())
        session.post("Inspector.enable")
        self.dialogs.watch()
        self.runs.watch()
        self._fetches.watch()
        self._prepare(session, self._documents)
        session.post("Page.setPrerenderingAllowed", {"isAllowed": False})
        # several tabs at once: each is to believe that it is the one in front
        session.post("Emulation.setFocusEmulationEnabled", {"enabled": True})
        if sized and not self._fittings.headed:
            size = {"width": wish.width, "height": wish.height, "deviceScaleFactor": 1, "mobile": False}
            session.post("Emulation.setDeviceMetricsOverride", size)
        session.post("Runtime.runIfWaitingForDebugger")

    def when_loaded(self) -> Deferred[None]:
        """
        Ready with the next document's ``load``, or when the tab is gone.
        """
        waiter: Deferred[None] = Deferred(self._load_waiters.remove)
        self._load_waiters.append(waiter)
        return waiter

    def hide(self) -> None:
        """
        What it loads from now on is nothing that the bridge should see, until ``show``.
        """
        self._documents.mute(muted=True)

    def show(self) -> None:
        """
        See ``hide``.
        """
        self._documents.mute(muted=False)

    async def strike(self, page_id: PageId, strokes: Sequence[Stroke]) -> None:
        """
        Real input in the tab, or in a frame of it that is a page of its own; see ``Hand.strike``.
        """
        if page_id != self.page_id:
            every = [self._documents, *(documents for _, documents in self._frames.values())]
            frame = next(filter(None, (documents.frame_of(page_id) for documents in every)), "")
            sessions = [self.session, *(session for session, _ in self._frames.values())]
            strokes = await in_tab(sessions, self.target_id, frame, strokes)
        await self.hand.strike(strokes)

    def tell(self, payload: bytes) -> bool:
        """
        Give the bridge a message as if the tab's own document had said it; see ``Documents.tell``.
        """
        return self._documents.tell(self.target_id, payload)

    def end(self) -> None:
        """
        The tab is gone: its documents too, and nobody is left waiting.
        """
        self.runs.end()
        for session, documents in [*self._frames.values(), (self.session, self._documents)]:
            documents.end(CloseCode.TAB_GONE)
            session.end(GONE)
        self._frames.clear()
        self._loaded()

    # --- inside ------------------------------------------------------------------------------

    def _prepare(self, session: Session, documents: Documents) -> None:
        session.on("Target.attachedToTarget", Attached, partial(self._frame_came, session))
        session.on("Target.detachedFromTarget", Detached, self._frame_went)
        documents.watch()
        session.post("Page.enable")
        session.post("Page.addScriptToEvaluateOnNewDocument", {"source": self._script})
        session.post(
            "Target.setAutoAttach", {**WAIT_FOR_US, "filter": [{"type": "iframe"}, {"type": "worker"}]}
        )

    def _frame_came(self, parent: Session, told: Attached) -> None:
        session = parent.sibling(told.sessionId)
        if told.targetInfo.type == "worker":
            # the browser holds a worker back even where it is filtered out, and then nobody lets it go on
            session.post("Runtime.runIfWaitingForDebugger")
            parent.post("Target.detachFromTarget", {"sessionId": told.sessionId})
            return
        fittings = self._fittings
        documents = Documents(session, self._names, fittings.doors, fittings.admit, self._clock)
        self._frames[told.sessionId] = (session, documents)
        self._prepare(session, documents)
        session.post("Runtime.runIfWaitingForDebugger")

    def _frame_went(self, told: Detached) -> None:
        session, documents = self._frames.pop(told.sessionId, (None, None))
        if session is not None and documents is not None:
            documents.end(CloseCode.GOING_AWAY)
            session.end(GONE)

    def _navigated(self, told: _FrameNavigated) -> None:
        if told.frame.parentId:
            return
        self.runs.left()
        self._fetches.left()
        parts = urlsplit(told.frame.url)
        if parts.scheme in ("http", "https"):
            origin = f"{parts.scheme}://{parts.netloc}"
            if len(self._origins) < BROWSER_LOGIN_ORIGINS:
                self._origins[origin] = None

    def _crashed(self) -> None:
        """
        The page's own process is gone; the tab stays, and what is loaded in it next has a new one.
        """
        self._documents.end(ABNORMAL)
        self._loaded()

    def _load_fired(self) -> None:
        self.runs.loaded()
        self._fetches.loaded()
        self._loaded()

    def _loaded(self) -> None:
        waiters, self._load_waiters = self._load_waiters, []
        for waiter in waiters:
            waiter.callback(None)
