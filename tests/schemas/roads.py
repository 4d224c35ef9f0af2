"""
The roads on which the gate's messages travel, and how somebody listens on them.

``Conversations`` is the one: every carrier speaks to the gate through it. Runs in the tests' process and, to
write down what is said, in daemons that they start; so it imports nothing that a daemon does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from reticle.dispatch.conversations import Conversations
from reticle.errors import PeerFault
from reticle.ports import MessageSink, ReplySink


class Listener(Protocol):
    """
    Hears one client's dialogue with the daemon, in the order of the wire.
    """

    def sent(self, body: bytes) -> None:
        """
        What the client sent.
        """

    def received(self, message: bytes) -> None:
        """
        What it gets.
        """


Listen = Callable[[str | None], Listener]
"""Gives who hears a new dialogue, its revision where that is known beforehand (a restored one, a header)."""

PER_REQUEST = "2026-07-28"

Install = Callable[[object, str, object], None]
"""``setattr``, or one that can be undone."""


class HeardSink:
    """
    Provides ``ports.MessageSink`` in front of another.
    """

    def __init__(self, sink: MessageSink, listener: Listener) -> None:
        self._sink = sink
        self._listener = listener

    def send(self, message: bytes) -> None:
        """
        Let it be heard and hand it on.
        """
        self._listener.received(message)
        self._sink.send(message)


class HeardReplies:
    """
    Provides ``ports.ReplySink`` in front of another.
    """

    def __init__(
        self, replies: ReplySink, listener: Listener, over: Callable[[], object] = lambda: None
    ) -> None:
        self._replies = replies
        self._listener = listener
        self._over = over

    def tell(self, message: bytes) -> None:
        """
        Let it be heard and hand it on.
        """
        self._listener.received(message)
        self._replies.tell(message)

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        Let it be heard and hand it on.
        """
        self._listener.received(message)
        self._replies.answer(message, fault)

    def done(self) -> None:
        """
        Hand it on.
        """
        self._over()
        self._replies.done()


def listen_to_conversations(install: Install, listen: Listen) -> None:
    """
    Hear everything that passes between transports (or tests in their place) and the gate.
    """
    open_, restore, exchange = Conversations.open, Conversations.restore, Conversations.exchange

    def heard(conversation: Any, listener: Listener) -> Any:
        receive, hung_up = conversation.receive, conversation.hung_up
        standing: dict[int, HeardReplies] = {}

        def hear(body: bytes, replies: ReplySink | None = None) -> None:
            listener.sent(body)
            if replies is None:
                receive(body, None)
                return
            name = id(replies)
            standing[name] = HeardReplies(replies, listener, lambda: standing.pop(name, None))
            receive(body, standing[name])

        def leave(replies: ReplySink) -> None:
            hung_up(standing.get(id(replies), replies))

        conversation.receive, conversation.hung_up = hear, leave
        return conversation

    def opening(self: Conversations, principal: Any, carrier: Any, sink: MessageSink) -> Any:
        listener = listen(None)
        return heard(open_(self, principal, carrier, HeardSink(sink, listener)), listener)

    def restoring(
        self: Conversations, principal: Any, carrier: Any, sink: MessageSink, agreed: Any, *more: Any
    ) -> Any:
        listener = listen(agreed.revision)
        heard_sink = HeardSink(sink, listener)
        return heard(restore(self, principal, carrier, heard_sink, agreed, *more), listener)

    def exchanging(self: Conversations, principal: Any, carrier: Any, body: bytes, *more: Any) -> Any:
        headers, replies = more
        listener = listen(PER_REQUEST)
        listener.sent(body)
        return exchange(self, principal, carrier, body, headers, HeardReplies(replies, listener))

    install(Conversations, "open", opening)
    install(Conversations, "restore", restoring)
    install(Conversations, "exchange", exchanging)
