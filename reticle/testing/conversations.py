"""
Conversations without MCP: a transport's test says itself what the agent's other end answers.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.defer import Deferred, succeed

from reticle.model.codes import Carrier
from reticle.model.mcp import Agreed, RoutingHeaders
from reticle.model.trust import Principal
from reticle.ports import MessageSink, ReplySink

Script = Callable[["FakeConversation", bytes], None]
"""What a conversation does with a body: records, answers through its sink, raises ``PeerFault``."""


def stay_silent(_conversation: FakeConversation, _body: bytes) -> None:
    """
    Answer nothing.
    """


class FakeConversation:
    """
    Provides ``ports.Conversation``; remembers what was done with it.

    ``received`` holds the bodies and ``replies`` where their answers go, ``drained`` the reasons, ``closed``
    how often it was closed. A test sets ``agreed``.
    """

    def __init__(self, principal: Principal, carrier: Carrier, sink: MessageSink, script: Script) -> None:
        self.principal = principal
        self.carrier = carrier
        self.sink = sink
        self.received: list[bytes] = []
        self.drained: list[str] = []
        self.closed = 0
        self.agreed: Agreed | None = None
        self.replies: list[ReplySink | None] = []
        self.unanswered: Deferred[None] | None = None
        self._script = script

    def receive(self, body: bytes, replies: ReplySink | None = None) -> None:
        """
        Remember the body, then follow the script.
        """
        self.received.append(body)
        self.replies.append(replies)
        self._script(self, body)

    def drain(self, reason: str) -> Deferred[None]:
        """
        Ready at once, or when a test fires ``unanswered``, which stands for a call in flight.
        """
        self.drained.append(reason)
        return succeed(None) if self.unanswered is None else self.unanswered

    def close(self) -> None:
        """
        Count it.
        """
        self.closed += 1


class FakeExchange:
    """
    Provides ``ports.Exchange``; remembers what came and what was done with it.
    """

    def __init__(self, body: bytes, headers: RoutingHeaders | None, replies: ReplySink) -> None:
        self.body = body
        self.headers = headers
        self.replies = replies
        self.cancelled = 0
        self.drained: list[str] = []

    def cancel(self) -> None:
        """
        Count it.
        """
        self.cancelled += 1

    def drain(self, reason: str) -> Deferred[None]:
        """
        Ready at once.
        """
        self.drained.append(reason)
        return succeed(None)


class FakeConversations:
    """
    Provides ``ports.Conversations``; ``opened`` and ``exchanges`` list them in order.
    """

    def __init__(self, script: Script = stay_silent) -> None:
        self.opened: list[FakeConversation] = []
        self.exchanges: list[FakeExchange] = []
        self._script = script

    def open(self, principal: Principal, carrier: Carrier, sink: MessageSink) -> FakeConversation:
        """
        A fresh conversation that follows this object's script.
        """
        conversation = FakeConversation(principal, carrier, sink, self._script)
        self.opened.append(conversation)
        return conversation

    def restore(
        self, principal: Principal, carrier: Carrier, sink: MessageSink, agreed: Agreed
    ) -> FakeConversation:
        """
        As ``open``, with a handshake behind it.
        """
        conversation = self.open(principal, carrier, sink)
        conversation.agreed = agreed
        return conversation

    def exchange(
        self,
        principal: Principal,
        carrier: Carrier,
        body: bytes,
        headers: RoutingHeaders | None,
        replies: ReplySink,
    ) -> FakeExchange:
        """
        Keep what came; the test answers.
        """
        del principal, carrier
        made = FakeExchange(body, headers, replies)
        self.exchanges.append(made)
        return made
