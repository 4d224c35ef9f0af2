"""
Conversations without MCP: a transport's test says itself what the agent's other end answers.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.defer import Deferred, succeed

from reticle.model.codes import Carrier
from reticle.model.trust import Principal
from reticle.ports import MessageSink

Script = Callable[["FakeConversation", bytes], None]
"""What a conversation does with a body: records, answers through its sink, raises ``PeerFault``."""


def stay_silent(_conversation: FakeConversation, _body: bytes) -> None:
    """
    Answer nothing.
    """


class FakeConversation:
    """
    Provides ``ports.Conversation``; remembers what was done with it.

    ``received`` holds the bodies, ``drained`` the reasons, ``closed`` how often it was closed.
    """

    def __init__(self, principal: Principal, carrier: Carrier, sink: MessageSink, script: Script) -> None:
        self.principal = principal
        self.carrier = carrier
        self.sink = sink
        self.received: list[bytes] = []
        self.drained: list[str] = []
        self.closed = 0
        self.unanswered: Deferred[None] | None = None
        self._script = script

    def receive(self, body: bytes) -> None:
        """
        Remember the body, then follow the script.
        """
        self.received.append(body)
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


class FakeConversations:
    """
    Provides ``ports.Conversations``; ``opened`` lists them in order.
    """

    def __init__(self, script: Script = stay_silent) -> None:
        self.opened: list[FakeConversation] = []
        self._script = script

    def open(self, principal: Principal, carrier: Carrier, sink: MessageSink) -> FakeConversation:
        """
        A fresh conversation that follows this object's script.
        """
        conversation = FakeConversation(principal, carrier, sink, self._script)
        self.opened.append(conversation)
        return conversation
