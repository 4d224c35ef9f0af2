"""
The Streamable HTTP sessions of one daemon: opening, finding, bringing back, ending.

A session that nobody uses is put out of memory, by age or to make room; its id stays good, and the next
request brings it back as after a restart. Ending one is for ever (DESIGN §4).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from typing import Final

from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger

from reticle.domain.mcp_session_id import (
    RANDOM_BYTES,
    Rejection,
    SessionClaims,
    mint_session_id,
    read_session_id,
)
from reticle.domain.trust import may_use_stream
from reticle.errors import LocalMisuse
from reticle.mcp.versions import BY_HANDSHAKE
from reticle.model.codes import Carrier
from reticle.model.ids import McpSessionId
from reticle.model.limits import (
    MCP_SESSION_IDLE_SECONDS,
    MCP_SESSIONS,
    RESUMABLE_AFTER_SECONDS,
    STREAM_AFTER_SECONDS,
)
from reticle.model.mcp import Agreed
from reticle.model.trust import Principal
from reticle.ports import Conversation, Conversations
from reticle.ports.mcp_sessions import McpSessionStore
from reticle.transport.keepalive import KeepaliveSweep
from reticle.transport.patience import Patience
from reticle.transport.replay import Replay, ReplayBudget
from reticle.transport.streamable_session import SessionMeans, StreamableSession

_log = Logger()


SWEPT_AT_ONCE: Final = 200
"""Sessions that one slice of a sweep looks at: well below a millisecond."""


class StreamableSessions:
    """
    Args:
        clock: Where timers are set.
        sweep: Keeps streams alive; idle sessions are put away as often.
        boot: Begins every event id of this life, lower-case letters and digits.
        now: Seconds since the epoch.
        random: Gives so many fresh random bytes.
        other_sessions: How many sessions the old transport has; the limit is for all.
    """

    def __init__(
        self,
        clock: IReactorTime,
        sweep: KeepaliveSweep,
        *,
        boot: str,
        now: Callable[[], float],
        random: Callable[[int], bytes],
        other_sessions: Callable[[], int] = lambda: 0,
    ) -> None:
        self._clock = clock
        self._now = now
        self._random = random
        self._other_sessions = other_sessions
        self._lives: Iterator[str] = (f"{boot}{number:x}" for number in count(1))
        self._sessions: OrderedDict[str, StreamableSession] = OrderedDict()  # least recently used first
        self._conversations: Conversations | None = None
        self._store: McpSessionStore | None = None
        budget = ReplayBudget()
        self.means = SessionMeans(
            sweep,
            Patience(clock, STREAM_AFTER_SECONDS),
            Patience(clock, RESUMABLE_AFTER_SECONDS),
            lambda: Replay(budget, clock.seconds),
        )
        sweep.also(self._put_idle_away)

    @property
    def session_count(self) -> int:
        """
        Sessions in memory, for ``/status`` and ``/metrics``.
        """
        return len(self._sessions)

    @property
    def conversations(self) -> Conversations:
        """
        Where conversations come from.
        """
        if self._conversations is None:
            raise LocalMisuse("a request was taken before conversations were attached")
        return self._conversations

    def attach(self, conversations: Conversations, store: McpSessionStore) -> None:
        """
        Say where conversations come from and what outlives us; needed before anything else.
        """
        self._conversations = conversations
        self._store = store

    def make_room(self) -> bool:
        """
        Whether one more session may be opened; the least recently used that nobody uses is put away for it.
        """
        if len(self._sessions) + self._other_sessions() < MCP_SESSIONS:
            return True
        # No copy: it would take milliseconds for each new session once there are so many.
        for _ in range(len(self._sessions)):
            session = next(iter(self._sessions.values()))
            if not session.is_busy:
                self._put_away(session)
                return True
            # So that the next search does not begin with it again.
            self._sessions.move_to_end(session.session_id)
        return False

    def new_session(self, principal: Principal) -> StreamableSession:
        """
        A session that is nobody's yet: its conversation has had no handshake. ``admit`` it, or close it.
        """
        session = StreamableSession(principal, next(self._lives), self.means)
        session.conversation = self.conversations.open(principal, Carrier.HTTP, session)
        return session

    def admit(self, session: StreamableSession, agreed: Agreed) -> McpSessionId:
        """
        The handshake was accepted: from now on the session is found by the id that this gives.
        """
        session_id = mint_session_id(
            self._kept.key,
            issued_at=self._now(),
            random=self._random(RANDOM_BYTES),
            agreed=agreed,
            principal=session.principal,
        )
        self._enter(session, session_id, session.conversation, agreed)
        return session_id

    def find(self, text: str, principal: Principal) -> StreamableSession | None:
        """
        The session of that id, brought back if need be; None when there is none for this principal.
        """
        session = self._sessions.get(text)
        if session is None:
            return self._bring_back(text, principal)
        if not may_use_stream(session.principal, principal):
            return None
        session.last_used = self._clock.seconds()
        self._sessions.move_to_end(text)
        return session

    def end(self, session: StreamableSession) -> Awaitable[None]:
        """
        End a session for ever; ready when that will outlive us. Raises ``Refusal`` ``storage_failed``.
        """
        session_id = session.session_id
        claims = read_session_id(self._kept.key, session_id, now=self._now(), principal=session.principal)
        issued_at = claims.issued_at if isinstance(claims, SessionClaims) else 0
        # First of all: a response that ends with the session lets the next request on its connection in, and
        # that must not bring the session back.
        ended = self._kept.end(session_id, issued_at)
        self._put_away(session)
        return ended

    def note_preferences(self, session: StreamableSession, body: bytes) -> None:
        """
        A body was received: if it may have changed what the client wishes for (``logging/setLevel``,
        ``resources/subscribe``, ``resources/unsubscribe``), remember that.
        """
        if b"etLevel" in body or b"ubscribe" in body:
            key, session_id = self._kept.key, session.session_id
            claims = read_session_id(key, session_id, now=self._now(), principal=session.principal)
            if isinstance(claims, SessionClaims):
                self._kept.keep(session_id, claims.issued_at, session.conversation.preferences)

    def all(self) -> tuple[StreamableSession, ...]:
        """
        Every session in memory, the least recently used first.
        """
        return tuple(self._sessions.values())

    def stop(self) -> None:
        """
        Put everything away; sessions go on in the next life.
        """
        for session in self.all():
            self._put_away(session)
        self.means.patience.stop()
        self.means.short_patience.stop()

    @property
    def _kept(self) -> McpSessionStore:
        if self._store is None:
            raise LocalMisuse("a request was taken before the store was attached")
        return self._store

    def _bring_back(self, text: str, principal: Principal) -> StreamableSession | None:
        claims = read_session_id(self._kept.key, text, now=self._now(), principal=principal)
        if isinstance(claims, Rejection):
            _log.debug("an MCP session id was refused: {reason}", reason=claims.value)
            return None
        session_id = McpSessionId(text)
        if claims.agreed.revision not in BY_HANDSHAKE or self._kept.is_ended(session_id, claims.issued_at):
            return None
        self.make_room()
        session = StreamableSession(principal, next(self._lives), self.means)
        preferences = self._kept.preferences(session_id)
        conversation = self.conversations.restore(
            principal, Carrier.HTTP, session, claims.agreed, preferences
        )
        self._enter(session, session_id, conversation, claims.agreed)
        return session

    def _enter(
        self, session: StreamableSession, session_id: McpSessionId, conversation: Conversation, agreed: Agreed
    ) -> None:
        session.begin(session_id, conversation, primes=BY_HANDSHAKE[agreed.revision].priming)
        session.last_used = self._clock.seconds()
        self._sessions[session_id] = session

    def _put_idle_away(self) -> Iterator[None]:
        now = self._clock.seconds()
        for number, session in enumerate(self.all()):
            if number % SWEPT_AT_ONCE == 0:
                yield None
            if self._sessions.get(session.session_id) is not session:
                continue  # ended since the sweep began, or put away and back as another
            if session.is_busy:
                session.last_used = now
            if session.last_used <= now - MCP_SESSION_IDLE_SECONDS:
                self._put_away(session)
            else:
                session.tidy()

    def _put_away(self, session: StreamableSession) -> None:
        self._sessions.pop(session.session_id, None)
        session.close()
