"""
Streamable HTTP as one part of the daemon: its sessions, its POSTs, and how it stops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.domain.daemon_life import DaemonLife
from reticle.errors import Refusal
from reticle.model.limits import DRAIN_SECONDS
from reticle.ports import Conversations
from reticle.ports.mcp_sessions import McpSessionStore
from reticle.transport.answering import ANSWERS_SHARE, answered_in_time
from reticle.transport.open_responses import OpenResponses
from reticle.transport.posts import Posts
from reticle.transport.streamable_session import StreamableSession
from reticle.transport.streamable_sessions import StreamableSessions
from reticle.transport.streams import FAREWELLS_PER_TURN, StreamSet

_log = Logger()


class StreamableHttp:
    """
    Args:
        clock: Where timers are set.
        streams: The old transport, whose keepalive sweep is shared and whose sessions count too.
        life: Whether the daemon accepts.
        boot: Begins every event id of this life, lower-case letters and digits.
        now: Seconds since the epoch.
        random: Gives so many fresh random bytes.
    """

    def __init__(
        self,
        clock: IReactorTime,
        streams: StreamSet,
        life: DaemonLife,
        *,
        boot: str,
        now: Callable[[], float],
        random: Callable[[int], bytes],
    ) -> None:
        self._clock = clock
        self.life = life
        self.responses = OpenResponses(clock)
        self.sessions = StreamableSessions(
            clock,
            streams.sweep,
            boot=boot,
            now=now,
            random=random,
            other_sessions=lambda: streams.connection_count,
        )
        self.posts = Posts(self.sessions, life)

    @property
    def session_count(self) -> int:
        """
        Sessions in memory, for ``/status`` and ``/metrics``.
        """
        return self.sessions.session_count

    def attach(self, conversations: Conversations, store: McpSessionStore) -> None:
        """
        Say where conversations come from and what outlives us; needed before the daemon accepts.
        """
        self.sessions.attach(conversations, store)

    def token_ids(self) -> Iterator[str]:
        """
        See ``token_watch.Holder``.
        """
        principals = [*(session.principal for session in self.sessions.all()), *self.posts.principals()]
        return (each.token_id for each in principals if each.token_id is not None)

    def dismiss(self, token_id: str, why: Refusal) -> None:
        """
        See ``token_watch.Holder``. A session of the token is ended for ever; what it asks outside sessions
        is answered, listening included.
        """
        for session in self.sessions.all():
            if session.principal.token_id == token_id:
                Deferred.fromCoroutine(self._dismiss(session, why)).addErrback(_not_ended)
        for drained in self.posts.drains(why.code, token_id=token_id, why=why):
            Deferred.fromCoroutine(answered_in_time(self._clock, [drained])).addErrback(_not_ended)

    async def _dismiss(self, session: StreamableSession, why: Refusal) -> None:
        if session.has_calls:
            await answered_in_time(self._clock, [session.conversation.drain(why.code, why)])
        await self.sessions.end(session)

    def drain(self, reason: str = "shutdown") -> Deferred[None]:
        """
        Answer calls in flight, give listening requests their final result, end every stream, and fire when
        their connections are gone, at most ``DRAIN_SECONDS`` later. Never fails; may be called twice.
        """
        return Deferred.fromCoroutine(self._drain(reason)).addErrback(
            lambda failure: _log.failure("draining Streamable HTTP failed", failure)
        )

    async def _drain(self, reason: str) -> None:
        self.responses.close_behind()
        sessions = self.sessions.all()
        drains = [
            *(session.conversation.drain(reason) for session in sessions if session.has_calls),
            *self.posts.drains(reason),
        ]
        if drains:
            await answered_in_time(self._clock, drains)
        for number, session in enumerate(sessions, start=1):
            session.end_streams()
            if number % FAREWELLS_PER_TURN == 0:
                await deferLater(self._clock, 0)
        await self.responses.gone(within_seconds=DRAIN_SECONDS * (1 - ANSWERS_SHARE))
        self.sessions.stop()


def _not_ended(failure: Failure) -> None:
    if failure.check(Refusal):
        # It is over all the same: its token opens nothing any more.
        _log.warn("the end of a session could not be written: {fault}", fault=failure.value)
    else:
        _log.failure("what a token had open could not be ended", failure)
