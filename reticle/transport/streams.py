"""
The set of open event streams: opening, finding, keeping alive, and the farewell to all.

Why the farewell waits for each connection: frames written while a reactor shuts down are lost unless
somebody holds the shutdown back until they have left, so ``drain`` gives a ``Deferred`` for that.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from twisted.application.service import Service
from twisted.internet.defer import CancelledError, Deferred, DeferredList
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import Cooperator, LoopingCall, SchedulerStopped, deferLater
from twisted.logger import Logger
from twisted.python.failure import Failure
from twisted.web.iweb import IRequest

from reticle.errors import LocalMisuse
from reticle.model.codes import Carrier
from reticle.model.ids import McpSessionId
from reticle.model.limits import DRAIN_SECONDS, SSE_KEEPALIVE_SECONDS
from reticle.model.trust import Principal
from reticle.ports import Conversations
from reticle.transport.frame import SHUTDOWN_EVENT, end_frame, endpoint_frame
from reticle.transport.stream import Stream

_log = Logger()

ANSWERS_SHARE = 0.5
"""The part of ``DRAIN_SECONDS`` that calls in flight may take to be answered before the farewells."""

FAREWELLS_PER_TURN = 500
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
        self._keepalive_seconds = keepalive_seconds
        self._new_id = new_id
        self._conversations: Conversations | None = None
        self._sessions: dict[str, Stream] = {}
        self._streams: set[Stream] = set()
        self._waiting_for_empty: list[Deferred[None]] = []
        self._keepalive = LoopingCall(self._sweep)
        self._keepalive.clock = clock
        self._cooperator = Cooperator(scheduler=lambda turn: clock.callLater(0, turn), started=False)

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
        self, request: IRequest, principal: Principal, message_path: Callable[[McpSessionId], str]
    ) -> Stream:
        """
        Make ``request``, whose response headers are set, the stream of a new session.

        Args:
            request: A GET to which nothing has been written.
            principal: Whom the guard let in.
            message_path: Where this session's messages are to be posted.
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
        conversation = self._conversations.open(principal, Carrier.SSE, stream)
        self._sessions[stream.session_id] = stream
        self._streams.add(stream)
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

    def startService(self) -> None:
        """
        Begin the keepalive sweeps.
        """
        Service.startService(self)
        self._cooperator.start()
        self._keepalive.start(self._keepalive_seconds, now=False).addErrback(
            lambda failure: _log.failure("the keepalive of streams died", failure)
        )

    def stopService(self) -> Deferred[None]:
        """
        End the sweeps and every stream that is still open.
        """
        Service.stopService(self)
        if self._keepalive.running:
            self._keepalive.stop()
        self._cooperator.stop()
        return self.drain()

    def _sweep(self) -> Deferred[Any]:
        # In slices, so that 20,000 streams do not hold the loop for a fifth of a second.
        def each() -> Iterator[None]:
            for stream in tuple(self._sessions.values()):
                stream.keep_alive()
                yield None

        # The sweep that a stop interrupts has nothing left to do.
        swept = self._cooperator.coiterate(each())
        return swept.addErrback(lambda failure: failure.trap(SchedulerStopped))

    async def _drain(self, reason: str) -> None:
        if self._sessions:
            await self._answer_calls(reason)
        last = end_frame(SHUTDOWN_EVENT, reason)
        for number, stream in enumerate(tuple(self._sessions.values()), start=1):
            stream.end(last, within_seconds=DRAIN_SECONDS * (1 - ANSWERS_SHARE))
            if number % FAREWELLS_PER_TURN == 0:
                await deferLater(self._clock, 0)
        if self._streams:
            emptied: Deferred[None] = Deferred()
            self._waiting_for_empty.append(emptied)
            await emptied

    async def _answer_calls(self, reason: str) -> None:
        async def answer(drained: Awaitable[None]) -> None:
            await drained

        answering = DeferredList(
            [
                Deferred.fromCoroutine(answer(stream.drain(reason))).addErrback(_drain_failed)
                for stream in tuple(self._sessions.values())
            ]
        )
        # A race, not a timeout on the list: a conversation that shrugs off its cancellation must not
        # hold the daemon back.
        answered: Deferred[bool] = Deferred()
        limit = self._clock.callLater(DRAIN_SECONDS * ANSWERS_SHARE, answered.callback, False)

        def all_answered(_: object) -> None:
            if limit.active():
                limit.cancel()
                answered.callback(True)

        answering.addCallback(all_answered)
        if not await answered:
            _log.warn("some calls in flight were not answered in time; their streams end without it")
            answering.cancel()

    def _ended(self, stream: Stream) -> None:
        self._sessions.pop(stream.session_id, None)

    def _gone(self, stream: Stream) -> None:
        self._streams.discard(stream)
        if not self._streams:
            waiting, self._waiting_for_empty = self._waiting_for_empty, []
            for emptied in waiting:
                emptied.callback(None)


def _drain_failed(failure: Failure) -> None:
    if not failure.check(CancelledError):
        _log.failure("a conversation could not be drained", failure)
