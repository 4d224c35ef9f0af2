"""
Conversations without MCP: a transport's test says itself what the agent's other end answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from twisted.internet.defer import Deferred, succeed

from reticle.errors import Refusal
from reticle.model.codes import Carrier
from reticle.model.mcp import Agreed, ClientCapabilities, Preferences, RoutingHeaders
from reticle.model.trust import Principal
from reticle.ports import MessageSink, ReplySink

Script = Callable[["FakeConversation", bytes], None]
"""What a conversation does with a body: records, answers through its sink, raises ``PeerFault``."""

ExchangeScript = Callable[["FakeExchange"], None]
"""What is done with a body of 2026-07-28: answers through its ``replies``, now or later."""


def stay_silent(_conversation: FakeConversation, _body: bytes) -> None:
    """
    Answer nothing.
    """


def leave_open(_exchange: FakeExchange) -> None:
    """
    Answer nothing yet.
    """


def follow_handshake(conversation: FakeConversation, body: bytes) -> None:
    """
    Agree to every ``initialize`` on the revision that it names, answer every other request with its params,
    and a request ``hang`` never; for tests of a carrier that answers each body by itself.
    """
    replies = conversation.replies
    assert replies is not None
    parsed = json.loads(body)
    for message in parsed if isinstance(parsed, list) else [parsed]:
        if message.get("method") == "initialize":
            conversation.agreed = Agreed(message["params"]["protocolVersion"], ClientCapabilities())
        if message.get("method") == "hang":
            return
        if "method" in message and "id" in message:
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": message.get("params", {})}
            replies.answer(json.dumps(reply).encode())
    replies.done()


class FakeConversation:
    """
    Provides ``ports.Conversation``; remembers what was done with it.

    ``received`` holds the bodies, ``replies`` where answers to the newest one go, ``drained`` the reasons,
    ``closed`` how often it was closed. ``agreed`` and ``preferences`` are for the script to set.
    """

    busy = False

    def __init__(self, principal: Principal, carrier: Carrier, sink: MessageSink, script: Script) -> None:
        self.principal = principal
        self.carrier = carrier
        self.sink = sink
        self.agreed: Agreed | None = None
        self.preferences = Preferences()
        self.replies: ReplySink | None = None
        self.received: list[bytes] = []
        self.drained: list[str] = []
        self.dismissed: Refusal | None = None
        self.closed = 0
        self.left: list[ReplySink] = []
        self.unanswered: Deferred[None] | None = None
        self._script = script

    def receive(self, body: bytes, replies: ReplySink | None = None) -> None:
        """
        Remember the body, then follow the script.
        """
        self.received.append(body)
        self.replies = replies
        self._script(self, body)

    def drain(self, reason: str, why: Refusal | None = None) -> Deferred[None]:
        """
        Ready at once, or when a test fires ``unanswered``, which stands for a call in flight.
        """
        self.drained.append(reason)
        self.dismissed = why or self.dismissed
        return succeed(None) if self.unanswered is None else self.unanswered

    def hung_up(self, replies: ReplySink) -> None:
        """
        Remember whose.
        """
        self.left.append(replies)

    def close(self) -> None:
        """
        Count it.
        """
        self.closed += 1


class FakeExchange:
    """
    Provides ``ports.Exchange``; remembers what was done with it.
    """

    def __init__(
        self, principal: Principal, body: bytes, headers: RoutingHeaders, replies: ReplySink
    ) -> None:
        self.principal = principal
        self.body = body
        self.headers = headers
        self.replies = replies
        self.cancelled = 0
        self.drained: list[str] = []
        self.dismissed: Refusal | None = None
        self.on_drain: Callable[[], None] = _nothing
        self.on_cancel: Callable[[], None] = _nothing

    def cancel(self) -> None:
        """
        Count it, and call ``on_cancel``.
        """
        self.cancelled += 1
        self.on_cancel()

    def drain(self, reason: str, why: Refusal | None = None) -> Deferred[None]:
        """
        Call ``on_drain``; ready at once.
        """
        self.drained.append(reason)
        self.dismissed = why or self.dismissed
        self.on_drain()
        return succeed(None)


def _nothing() -> None:
    """
    What happens unless a test says more.
    """


class FakeConversations:
    """
    Provides ``ports.Conversations``.

    ``opened`` lists the conversations in order, restored ones included; ``exchanges`` the bodies of
    2026-07-28.
    """

    def __init__(self, script: Script = stay_silent, exchange_script: ExchangeScript = leave_open) -> None:
        self.opened: list[FakeConversation] = []
        self.exchanges: list[FakeExchange] = []
        self._script = script
        self._exchange_script = exchange_script

    def open(self, principal: Principal, carrier: Carrier, sink: MessageSink) -> FakeConversation:
        """
        A fresh conversation that follows this object's script.
        """
        conversation = FakeConversation(principal, carrier, sink, self._script)
        self.opened.append(conversation)
        return conversation

    def restore(
        self,
        principal: Principal,
        carrier: Carrier,
        sink: MessageSink,
        agreed: Agreed,
        preferences: Preferences,
    ) -> FakeConversation:
        """
        As ``open``, with what was agreed and wished for before.
        """
        conversation = self.open(principal, carrier, sink)
        conversation.agreed = agreed
        conversation.preferences = preferences
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
        Remember it, then follow the script.
        """
        assert carrier is Carrier.HTTP
        assert headers is not None
        exchange = FakeExchange(principal, body, headers, replies)
        self.exchanges.append(exchange)
        self._exchange_script(exchange)
        return exchange
