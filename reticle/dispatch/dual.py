"""
One stream whose client may be of either era: its first request decides, for as long as the stream lives.

Carriers without routing headers have such streams (MCP 2026-07-28 "Versioning"). Notifications and responses
before that decide nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Raw
from twisted.internet.defer import Deferred

from reticle.dispatch.conversation import Conversation
from reticle.dispatch.exchange import Exchange
from reticle.dispatch.outstanding import ToSink
from reticle.errors import PeerFault, Refusal
from reticle.mcp.era import names_revision
from reticle.mcp.jsonrpc import Invalid, Message, Notification, Request, Response, error_message, parse
from reticle.mcp.modern.ladder import unsupported
from reticle.mcp.params import cancelled_id, initialize
from reticle.model.codes import FaultCode
from reticle.model.mcp import Agreed, Preferences
from reticle.ports import MessageSink, ReplySink


class DualConversation:
    """
    Provides ``ports.Conversation``.

    Args:
        conversation: Speaks with a client that begins with a handshake, or without anything.
        exchange: Makes what answers a client that names its revision in every request.
        sink: Where everything goes that belongs to no body.
    """

    def __init__(
        self, conversation: Conversation, exchange: Callable[[], Exchange], sink: MessageSink
    ) -> None:
        self._conversation = conversation
        self._make_exchange = exchange
        self._sink = ToSink(sink)
        self._has_handshake = False
        self._closed = False
        self._exchange: Exchange | None = None

    @property
    def agreed(self) -> Agreed | None:
        """
        What a handshake settled; always None for a client that names its revision in every request.
        """
        return self._conversation.agreed

    @property
    def preferences(self) -> Preferences:
        """
        What a client with a handshake wished for.
        """
        return self._conversation.preferences

    @property
    def busy(self) -> bool:
        """
        Whether a request is in flight or listens.
        """
        return self._conversation.busy if self._exchange is None else self._exchange.busy

    def receive(self, body: bytes, replies: ReplySink | None = None) -> None:
        """
        Take one body; see ``ports.Conversation``. After ``close`` it is dropped.
        """
        if self._closed:
            return
        to = self._sink if replies is None else replies
        if self._exchange is not None:
            self._take(parse(body), self._exchange, to)
        elif names_revision(body) and isinstance(message := parse(body), Request):
            self._receive_marked(message, to)
        else:
            self._conversation.receive(body, replies)
            self._has_handshake = self._has_handshake or isinstance(parse(body), Request | tuple)

    def _receive_marked(self, message: Request, to: ReplySink) -> None:
        if self._has_handshake:
            fault = PeerFault(
                FaultCode.WRONG_ERA, "this stream began without a revision in each request; go on without"
            )
            to.answer(error_message(message.request_id, fault), fault)
            to.done()
            return
        self._exchange = self._make_exchange()
        self._exchange.take(message, to)

    def _take(self, message: Message | tuple[Message, ...], exchange: Exchange, to: ReplySink) -> None:
        match message:
            case Request(request_id, "initialize", params):
                fault = unsupported(_asked_revision(params))
                to.answer(error_message(request_id, fault), fault)
                to.done()
            case Notification("notifications/cancelled", params):
                cancelled = cancelled_id(params)
                if cancelled is not None:
                    exchange.cancel_request(cancelled)
                to.done()
            case tuple():
                raise PeerFault(
                    FaultCode.BATCH_UNSUPPORTED, "this revision has no batches; send one message per body"
                )
            case Invalid(None, fault):
                raise fault
            case Response():
                to.done()  # to nothing of ours: this revision asks nothing of a client by requests
            case _:
                exchange.take(message, to)

    def hung_up(self, replies: ReplySink) -> None:
        """
        A connection is gone; see ``ports.Conversation``.
        """
        self._conversation.hung_up(replies)

    def drain(self, reason: str, why: Refusal | None = None) -> Deferred[None]:
        """
        Answer what runs; see ``ports.Conversation``.
        """
        return (self._exchange or self._conversation).drain(reason, why)

    def close(self) -> None:
        """
        The peer is gone; see ``ports.Conversation``.
        """
        self._closed = True
        self._conversation.close()
        if self._exchange is not None:
            self._exchange.cancel()


def _asked_revision(params: Raw | None) -> str:
    """
    What a handshake that comes too late asked for; nothing when it is no text.
    """
    try:
        requested = initialize(params).protocolVersion
    except PeerFault:
        return ""
    return requested if isinstance(requested, str) else ""
