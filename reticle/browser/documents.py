"""
The documents of one target, each with its link to the page bridge: what other pages do over a WebSocket.

The page script (``page/prelude.js``, ``page/driven.js``) calls a binding to speak, and is called through its
door to be spoken to. A document is known by its execution context; what it says of itself is not asked.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
import msgspec
from twisted.internet.interfaces import IReactorTime
from twisted.python.failure import Failure

from reticle.browser.conversation import Session
from reticle.browser.naming import TabNames
from reticle.errors import Refusal
from reticle.model.browser import Standing
from reticle.model.codes import CloseCode
from reticle.model.ids import PageId
from reticle.model.limits import PAGE_MESSAGE_BYTES, PAGE_UNSENT_BYTES
from reticle.ports import PageLink, SocketWriter

OPEN = "open"
BYE = "bye"

_KNOCK = "function (door, word, text, code, reason) { 'use strict'; window[door](word, text, code, reason); }"
"""Strict, and with no iterator of an array, which the app may have replaced: else it had the word."""

ABNORMAL = 1006
"""As for a WebSocket that ended without a word (RFC 6455 §7.1.5)."""

Admit = Callable[[SocketWriter, Callable[[str], Standing]], PageLink | None]
"""Gives a document its link, or None after closing the writer; asked with who the document is."""


@attrs.frozen
class Doors:
    """
    The names by which script and daemon find each other in a window; unguessable, one set for each browser.
    """

    binding: str
    door: str
    word: str


class _Whose(msgspec.Struct, frozen=True):
    isDefault: bool = False
    frameId: str = ""


class Context(msgspec.Struct, frozen=True):
    """
    A document's execution context: ``uniqueId`` is a name that no other ever has.
    """

    id: int
    uniqueId: str
    origin: str = ""
    auxData: _Whose = _Whose()


class _ContextCreated(msgspec.Struct, frozen=True):
    context: Context


class _ContextDestroyed(msgspec.Struct, frozen=True):
    executionContextId: int


class _BindingCalled(msgspec.Struct, frozen=True):
    name: str
    payload: str
    executionContextId: int


class _Cleared(msgspec.Struct, frozen=True):
    pass


class DocumentLink:
    """
    One document's connection; provides ``SocketWriter`` to the bridge.

    Args:
        session: The target that the document is in.
        context: Its execution context.
        names: Who is called how in its tab.
        doors: How to reach its script.
        clock: For telling the bridge of an end outside of the bridge's own call.
        on_over: Called once, when nothing more goes either way.

    ``page`` is which page it is, from its hello on.
    """

    def __init__(
        self,
        session: Session,
        context: Context,
        names: TabNames,
        doors: Doors,
        *,
        clock: IReactorTime,
        on_over: Callable[[], object],
    ) -> None:
        self._session = session
        self._context = context
        self._names = names
        self._doors = doors
        self._clock = clock
        self._on_over = on_over
        self._link: PageLink | None = None
        self._unsent = 0
        self._over = False
        self.page: PageId | None = None

    def begin(self, admit: Admit) -> None:
        """
        The script is there and about to say hello.
        """
        link = admit(self, self._standing)
        if not self._over:
            self._link = link

    def heard(self, payload: bytes) -> None:
        """
        The script said something.
        """
        if len(payload) > PAGE_MESSAGE_BYTES:
            self.close(CloseCode.TOO_BIG, "the message is too large")
        elif self._link is not None:
            self._link.texts_received([payload])

    def fetching(self, scripts: int, elements: int) -> None:
        """
        The browser fetches so many scripts, and so much for elements, for the target that the document is in.
        """
        if self._link is not None:
            self._link.fetching(scripts, elements)

    def over(self, code: int, reason: str = "") -> None:
        """
        The document is gone, or its script hung up.
        """
        if self._over:
            return
        self._over = True
        self._on_over()
        if self.page is not None:
            self._names.give_back(self._context.auxData.frameId, self.page)
        link, self._link = self._link, None
        if link is not None:
            link.socket_closed(code, reason)

    # --- SocketWriter ------------------------------------------------------------------------

    def send_text(self, payload: bytes) -> None:
        """
        See ``ports.SocketWriter``. A page that takes nothing any more is cut off at ``PAGE_UNSENT_BYTES``.
        """
        if self._over:
            return
        self._unsent += len(payload)
        if self._unsent > PAGE_UNSENT_BYTES:
            self.close(CloseCode.INTERNAL, "the page does not read")
            return
        self._knock({"value": payload.decode()}, taken=len(payload))

    def close(self, code: int, reason: str) -> None:
        """
        See ``ports.SocketWriter``.
        """
        if self._over:
            return
        self._knock({}, {"value": int(code)}, {"value": reason})
        # after the bridge's own call, as the end of a socket would be
        self._clock.callLater(0, self.over, int(code), reason)

    def unsent_bytes(self) -> int:
        """
        See ``ports.SocketWriter``.
        """
        return self._unsent

    def _standing(self, claimed: str) -> Standing:
        frame, origin = self._context.auxData.frameId, self._context.origin
        if self.page is None:
            self.page = self._names.take(frame, claimed)
        return Standing(self.page, self._names.is_frame(frame), origin if origin.startswith("http") else "")

    def _knock(self, *message: object, taken: int = 0) -> None:
        calling = self._session.do(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": _KNOCK,
                "uniqueContextId": self._context.uniqueId,
                "arguments": [{"value": self._doors.door}, {"value": self._doors.word}, *message],
                "silent": True,
            },
            # a page that stands still behind a dialog takes its time
            seconds=None,
        )

        def done(_: object) -> None:
            self._unsent -= taken

        calling.addCallbacks(done, self._unreachable)

    def _unreachable(self, failure: Failure) -> None:
        failure.trap(Refusal)
        self.over(ABNORMAL)


class Documents:
    """
    All documents of one target, frames in the same process included.

    Args:
        session: The target.
        names: Who is called how in its tab.
        doors: How to reach the script in them.
        admit: Gives each its link.
        clock: As above.
    """

    def __init__(
        self, session: Session, names: TabNames, doors: Doors, admit: Admit, clock: IReactorTime
    ) -> None:
        self._session = session
        self._names = names
        self._doors = doors
        self._admit = admit
        self._clock = clock
        self._contexts: dict[int, Context] = {}
        self._links: dict[int, DocumentLink] = {}
        self._muted = False

    def mute(self, *, muted: bool) -> None:
        """
        While it is set, nothing that there is or comes is linked to the bridge.
        """
        self._muted = muted
        if muted:
            for link in list(self._links.values()):
                link.over(CloseCode.GOING_AWAY)

    def watch(self) -> None:
        """
        Follow what there is and what comes. Post before the target's first document begins.
        """
        session = self._session
        session.on("Runtime.executionContextCreated", _ContextCreated, self._created)
        session.on("Runtime.executionContextDestroyed", _ContextDestroyed, self._destroyed)
        session.on("Runtime.executionContextsCleared", _Cleared, lambda _: self.end(CloseCode.GOING_AWAY))
        session.on("Runtime.bindingCalled", _BindingCalled, self._called)
        session.post("Runtime.enable")
        session.post("Runtime.addBinding", {"name": self._doors.binding})

    def end(self, code: int) -> None:
        """
        All of them are gone.
        """
        self._contexts.clear()
        for link in list(self._links.values()):
            link.over(code)

    def tell(self, frame_id: str, payload: bytes) -> bool:
        """
        Give the bridge a message as if the document of that frame had said it: what the browser knows of the
        page and the page does not. False when it has no link at the moment.
        """
        for number, link in self._links.items():
            context = self._contexts.get(number)
            if context is not None and context.auxData.frameId == frame_id:
                link.heard(payload)
                return True
        return False

    def fetching(self, scripts: int, elements: int) -> None:
        """
        The browser fetches so much for the target, whichever of its documents asked for it.
        """
        for link in list(self._links.values()):
            link.fetching(scripts, elements)

    def frame_of(self, page: str) -> str:
        """
        The browser's name for the frame of the document that is this page; empty where it is none of these.
        """
        for number, link in self._links.items():
            context = self._contexts.get(number)
            if context is not None and link.page == page:
                return context.auxData.frameId
        return ""

    def _created(self, told: _ContextCreated) -> None:
        # what runs in worlds of their own (extensions) is not the page
        if told.context.auxData.isDefault:
            self._contexts[told.context.id] = told.context

    def _destroyed(self, told: _ContextDestroyed) -> None:
        self._contexts.pop(told.executionContextId, None)
        link = self._links.get(told.executionContextId)
        if link is not None:
            link.over(CloseCode.GOING_AWAY)

    def _called(self, told: _BindingCalled) -> None:
        number = told.executionContextId
        context = self._contexts.get(number)
        if told.name != self._doors.binding or context is None or self._muted:
            return
        link = self._links.get(number)
        if told.payload == OPEN:
            if link is not None:
                link.over(CloseCode.GOING_AWAY)
            self._begin(number, context)
        elif link is not None and told.payload == BYE:
            link.over(CloseCode.NORMAL)
        elif link is not None:
            link.heard(told.payload.encode("utf-8", "replace"))

    def _begin(self, number: int, context: Context) -> None:
        def forget() -> None:
            if self._links.get(number) is link:
                del self._links[number]

        link = DocumentLink(
            self._session, context, self._names, self._doors, clock=self._clock, on_over=forget
        )
        self._links[number] = link
        link.begin(self._admit)
