"""
What a Streamable POST is, and who judges it: a session, an exchange of 2026-07-28, or a conversation of its
own that ends with its answer.

Needs no request: the head, the body and the principal are enough, and what comes back is a whole answer or
a reply that is still to be attached to one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Final

from twisted.web.iweb import IRequest

from reticle.domain.daemon_life import DaemonLife
from reticle.errors import PeerFault, Refusal
from reticle.mcp.era import Era, era_of_post
from reticle.model.codes import Carrier, FaultCode, JsonRpcCode
from reticle.model.trust import Principal
from reticle.ports import Conversation, Exchange
from reticle.transport.accept import Form
from reticle.transport.credential import credential_fault
from reticle.transport.frame import message_frame
from reticle.transport.http_answer import RETRY_AFTER, HttpAnswer, fault_answer, not_ready, session_unknown
from reticle.transport.post_head import PostHead
from reticle.transport.post_reply import PostReply
from reticle.transport.sse_response import SseResponse
from reticle.transport.streamable_session import StreamableSession
from reticle.transport.streamable_sessions import StreamableSessions

_LISTEN: Final = ("subscriptions/listen",)
"""The one method that is answered by a stream or not at all."""


class Posts:
    """
    Takes every Streamable POST of the daemon.

    Args:
        sessions: Where sessions live.
        life: Whether the daemon accepts.
    """

    def __init__(self, sessions: StreamableSessions, life: DaemonLife) -> None:
        self._sessions = sessions
        self._life = life
        self.exchanges: dict[ModernPost, None] = {}
        self.lone: dict[LonePost, None] = {}

    def receive(self, head: PostHead, body: bytes, principal: Principal) -> HttpAnswer | PostReply:
        """
        Take one body; nothing is raised for what the client did wrong.

        Returns:
            A refusal, or the reply: ``whole()`` if it ``is_done``, else to be attached.
        """
        refused = self._refusal(head, body) or credential_fault(body, principal)
        if refused is not None:
            return refused
        if era_of_post(head.versions, body, has_session=bool(head.session_ids)) is Era.PER_REQUEST:
            return self._exchange(head, body, principal)
        if not head.session_ids or principal.refused is not None:
            # A session is its principal's, and this one is none: its call is answered, and that is all.
            return self._without_session(head, body, principal)
        session = self._find(head, principal)
        return session_unknown(body) if session is None else self._in_session(session, head, body)

    def _refusal(self, head: PostHead, body: bytes) -> HttpAnswer | None:
        """
        Why nobody looks at the body; what the client can mend by waiting comes first.
        """
        if not self._life.accepting:
            return not_ready(body, draining=self._life.draining)
        if not head.is_json:
            return fault_answer(
                415, FaultCode.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json", body=body
            )
        if head.form is Form.NEITHER:
            return _not_acceptable("name application/json or text/event-stream in Accept", body)
        return None

    def _find(self, head: PostHead, principal: Principal) -> StreamableSession | None:
        return self._sessions.find(head.session_ids[0], principal) if len(head.session_ids) == 1 else None

    def _in_session(self, session: StreamableSession, head: PostHead, body: bytes) -> HttpAnswer | PostReply:
        reply = PostReply(session, head.form, body)
        session.call_begins()
        try:
            session.conversation.receive(body, reply)
        except PeerFault as fault:
            session.call_refused()
            return _unreadable(fault, body)
        except BaseException:
            # Our own fault must not make the session look busy for ever.
            session.call_refused()
            raise
        self._sessions.note_preferences(session, body)
        return reply

    def _without_session(self, head: PostHead, body: bytes, principal: Principal) -> HttpAnswer | PostReply:
        """
        A handshake, which opens a session, or a single request of somebody who has none (DESIGN §2).
        """
        if not self._sessions.make_room():
            message = "too many sessions are in use; try again later"
            return fault_answer(
                503, FaultCode.TOO_MANY_SESSIONS, message,
                body=body, number=JsonRpcCode.INTERNAL_ERROR, headers=RETRY_AFTER,
            )  # fmt: skip
        session = self._sessions.new_session(principal)
        lone = LonePost(session, self)
        reply = PostReply(lone, head.form, body)
        try:
            session.conversation.receive(body, reply)
        except PeerFault as fault:
            session.conversation.close()
            return _unreadable(fault, body)
        agreed = session.conversation.agreed
        if agreed is not None:
            reply.headers = ((b"Mcp-Session-Id", self._sessions.admit(session, agreed).encode("ascii")),)
        elif reply.is_done:
            session.conversation.close()
        else:
            self.lone[lone] = None
        return reply

    def _exchange(self, head: PostHead, body: bytes, principal: Principal) -> HttpAnswer | PostReply:
        routing = head.routing()
        if head.form is Form.JSON and routing.method == _LISTEN:
            return _not_acceptable("subscriptions/listen answers by a stream; name it in Accept", body)
        modern = ModernPost(self, principal)
        reply = PostReply(modern, head.form, body)
        exchange = self._sessions.conversations.exchange(principal, Carrier.HTTP, body, routing, reply)
        if not reply.is_done:
            modern.exchange = exchange
            self.exchanges[modern] = None
        return reply

    def principals(self) -> Sequence[Principal]:
        """
        Whose requests run outside sessions.
        """
        return [each.principal for each in self._outside()]

    def _outside(self) -> Sequence[ModernPost | LonePost]:
        return [*self.exchanges, *self.lone]

    def drains(
        self, reason: str, *, token_id: str | None = None, why: Refusal | None = None
    ) -> Sequence[Awaitable[None]]:
        """
        Begin to answer everything that runs outside sessions, or what does for one token; with ``why`` in
        place of ``shutting_down``.
        """
        meant = [each for each in self._outside() if token_id is None or each.principal.token_id == token_id]
        return [work.drain(reason, why) for work in (each.work for each in meant) if work is not None]

    @property
    def sessions(self) -> StreamableSessions:
        """
        Where sessions live.
        """
        return self._sessions


class _SingleStream:
    """
    A POST's stream that cannot be resumed: events without ids.
    """

    __slots__ = ("_response",)

    def __init__(self, response: SseResponse) -> None:
        self._response = response

    def send(self, message: bytes) -> None:
        """
        See ``ReplyStream``.
        """
        self._response.put(message_frame(message))

    def end(self) -> None:
        """
        See ``ReplyStream``.
        """
        self._response.end()


class ModernPost:
    """
    The carrier of one request of 2026-07-28: its faults show in the status, and hanging up cancels it.
    """

    __slots__ = ("_posts", "exchange", "patience", "principal")

    shows_faults = True

    def __init__(self, posts: Posts, principal: Principal) -> None:
        self._posts = posts
        self.principal = principal
        self.exchange: Exchange | None = None
        self.patience = posts.sessions.means.patience

    @property
    def work(self) -> Exchange | None:
        """
        What can be drained; None while it begins.
        """
        return self.exchange

    def open_stream(self, request: IRequest) -> _SingleStream:
        """
        See ``ReplyCarrier``.
        """
        return _SingleStream(SseResponse(request, self._posts.sessions.means.sweep, _nothing))

    def told_beside(self, message: bytes) -> None:
        """
        See ``ReplyCarrier``. There is no other place, and the client chose to hear only the answer.
        """

    def hung_up(self, reply: PostReply) -> None:
        """
        See ``ReplyCarrier``.
        """
        del reply
        self._posts.exchanges.pop(self, None)
        if self.exchange is not None:
            self.exchange.cancel()

    def waits(self, reply: PostReply) -> None:
        """
        See ``ReplyCarrier``.
        """

    def over(self, reply: PostReply) -> None:
        """
        See ``ReplyCarrier``.
        """
        del reply
        self._posts.exchanges.pop(self, None)


class LonePost:
    """
    The carrier of a POST outside any session, or of the handshake that opens one.
    """

    __slots__ = ("_posts", "_session", "patience")

    shows_faults = False

    def __init__(self, session: StreamableSession, posts: Posts) -> None:
        self._posts = posts
        self._session = session
        self.patience = posts.sessions.means.patience

    @property
    def principal(self) -> Principal:
        """
        Who asks.
        """
        return self._session.principal

    @property
    def work(self) -> Conversation:
        """
        What can be drained.
        """
        return self._session.conversation

    @property
    def conversation(self) -> Conversation:
        """
        Its other end.
        """
        return self._session.conversation

    def open_stream(self, request: IRequest) -> _SingleStream:
        """
        See ``ReplyCarrier``.
        """
        return _SingleStream(SseResponse(request, self._posts.sessions.means.sweep, _nothing))

    def told_beside(self, message: bytes) -> None:
        """
        See ``ReplyCarrier``: the client has no other stream.
        """

    def hung_up(self, reply: PostReply) -> None:
        """
        See ``ReplyCarrier``: as in a session.
        """
        self._session.conversation.hung_up(reply)

    def waits(self, reply: PostReply) -> None:
        """
        See ``ReplyCarrier``.
        """

    def over(self, reply: PostReply) -> None:
        """
        See ``ReplyCarrier``.
        """
        del reply
        if self in self._posts.lone:
            del self._posts.lone[self]
            self._session.conversation.close()


def _nothing() -> None:
    """
    The reply hears of a lost connection by itself.
    """


def _unreadable(fault: PeerFault, body: bytes) -> HttpAnswer:
    return fault_answer(
        400, FaultCode(fault.code), fault.message, body=body, number=JsonRpcCode(fault.jsonrpc_code)
    )


def _not_acceptable(message: str, body: bytes) -> HttpAnswer:
    return fault_answer(406, FaultCode.NOT_ACCEPTABLE, message, body=body)
