"""
The set of open event streams: opening, finding, keeping alive, and the farewell to all.

Why the farewell waits for each connection: frames written while a reactor shuts down are lost unless
somebody holds the shutdown back until they have left, so ``drain`` gives a ``Deferred`` for that.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator

from twisted.application.service import Service
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater
from twisted.logger import Logger
from twisted.web.iweb import IRequest

from reticle.errors import LocalMisuse, Refusal
from reticle.model.codes import Carrier
from reticle.model.ids import McpSessionId
from reticle.model.limits import DRAIN_SECONDS, SSE_KEEPALIVE_SECONDS
from reticle.model.trust import Principal
from reticle.ports import Conversations
from reticle.transport.answering import ANSWERS_SHARE, answered_in_time
from reticle.transport.frame import ENDED_EVENT, SHUTDOWN_EVENT, end_frame, endpoint_frame
from reticle.transport.keepalive import KeepaliveSweep
from reticle.transport.stream import Stream

_log = Logger()

FAREWELLS_PER_TURN = 1000
"""Farewells written before the loop may send them; else the first deadlines pass before any byte left."""


def new_session_id() -> McpSessionId:
    """
    A fresh, unguessable session name (122 random bits), in the form that the contract shows.
    """
    return McpSessionId(str(uuid.uuid4()))


class StreamSet(Service):
    """
    All open streams of one daemon; while it runs as a service it keeps them alive.

    Args:
        clock: Where timers are set.
        new_id: Mints session names.
        keepalive_seconds: Time between two sweeps; tests take less.
    """

    name = "event streams"

    def __init__(
        self,
        clock: IReactorTime,
        *,
        new_id: Callable[[], McpSessionId] = new_session_id,
        keepalive_seconds: float = SSE_KEEPALIVE_SECONDS,
    ) -> None:
        self._clock = clock
        self._new_id = new_id
        self._conversations: Conversations | None = None
        self._sessions: dict[str, Stream] = {}
        self._streams: set[Stream] = set()
        self._waiting_for_empty: list[Deferred[None]] = []
        self.sweep = KeepaliveSweep(clock, keepalive_seconds)

    @property
    def session_count(self) -> int:
        """
        MCP sessions, for ``/status`` and ``/metrics``.
        """
        return len(self._sessions)

    @property
    def connection_count(self) -> int:
        """
        Streams whose connection is not gone yet; at least ``session_count``.
        """
        return len(self._streams)

    def attach(self, conversations: Conversations) -> None:
        """
        Say where conversations come from; needed before the first ``open``.
        """
        self._conversations = conversations

    def open(
        self,
        request: IRequest,
        principal: Principal,
        message_path: Callable[[McpSessionId], str],
        carrier: Carrier = Carrier.SSE,
    ) -> Stream:
        """
        Make ``request``, whose response headers are set, the stream of a new session.

        Args:
            request: A GET to which nothing has been written.
            principal: Whom the guard let in.
            message_path: Where this session's messages are to be posted.
            carrier: What the other end says it is, for audit rows.
        """
        if self._conversations is None:
            raise LocalMisuse("a stream was opened before conversations were attached")
        stream = Stream(
            request,
            self._new_id(),
            principal,
            clock=self._clock,
            on_ended=self._ended,
            on_gone=self._gone,
        )
        conversation = self._conversations.open(principal, carrier, stream)
        self._sessions[stream.session_id] = stream
        self._streams.add(stream)
        self.sweep.add(stream)
        stream.begin(conversation, endpoint_frame(message_path(stream.session_id)))
        return stream

    def find(self, session_id: str) -> Stream | None:
        """
        The live stream of that name; None once it has ended.
        """
        return self._sessions.get(session_id)

    def drain(self, reason: str = "shutdown") -> Deferred[None]:
        """
        Answer calls in flight, say farewell on every stream, and fire when every connection is gone.

        Takes ``DRAIN_SECONDS`` at most: then unread streams are cut. Never fails. Open no streams
        afterwards; may be called again, then it waits for the same.
        """
        return Deferred.fromCoroutine(self._drain(reason)).addErrback(
            lambda failure: _log.failure("draining the streams failed", failure)
        )

    def token_ids(self) -> Iterator[str]:
        """
        See ``token_watch.Holder``.
        """
        principals = (stream.principal for stream in tuple(self._sessions.values()))
        return (each.token_id for each in principals if each.token_id is not None)

    def dismiss(self, token_id: str, why: Refusal) -> None:
        """
        See ``token_watch.Holder``.
        """
        for stream in tuple(self._sessions.values()):
            if stream.principal.token_id == token_id:
                Deferred.fromCoroutine(self._dismiss(stream, why)).addErrback(
                    lambda failure: _log.failure("a stream could not be ended", failure)
                )

    async def _dismiss(self, stream: Stream, why: Refusal) -> None:
        await answered_in_time(self._clock, [stream.drain(why.code, why)])
        stream.end(end_frame(ENDED_EVENT, why.code))

    def startService(self) -> None:
        """
        Begin the keepalive sweeps.
        """
        Service.startService(self)
        self.sweep.start()

    def stopService(self) -> Deferred[None]:
        """
        End the sweeps and every stream that is still open.
        """
        Service.stopService(self)
        self.sweep.stop()
        return self.drain()

    async def _drain(self, reason: str) -> None:
        if self._sessions:
            drains = [stream.drain(reason) for stream in tuple(self._sessions.values())]
            await answered_in_time(self._clock, drains)
        last = end_frame(SHUTDOWN_EVENT, reason)
        streams = tuple(self._sessions.values())
        for first in range(0, len(streams), FAREWELLS_PER_TURN):
            if first:
                await deferLater(self._clock, 0)
            these = streams[first : first + FAREWELLS_PER_TURN]
            # All frames before the first close, which takes longer than a frame.
            told = [stream.say(last) for stream in these]
            for stream, was_told in zip(these, told, strict=True):
                stream.end(b"" if was_told else last, within_seconds=DRAIN_SECONDS * (1 - ANSWERS_SHARE))
        if self._streams:
            emptied: Deferred[None] = Deferred()
            self._waiting_for_empty.append(emptied)
            await emptied

    def _ended(self, stream: Stream) -> None:
        self._sessions.pop(stream.session_id, None)
        self.sweep.discard(stream)

    def _gone(self, stream: Stream) -> None:
        self._streams.discard(stream)
        if not self._streams:
            waiting, self._waiting_for_empty = self._waiting_for_empty, []
            for emptied in waiting:
                emptied.callback(None)
