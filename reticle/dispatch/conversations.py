"""
Where transports get conversations from.
"""

from __future__ import annotations

from collections.abc import Callable

from reticle.dispatch.call import Caller
from reticle.dispatch.conversation import Conversation
from reticle.dispatch.gate import Gate
from reticle.model.codes import Carrier
from reticle.model.mcp import Agreed, RoutingHeaders
from reticle.model.trust import Principal
from reticle.ports import Clock, Exchange, MessageSink, ReplySink


class Conversations:
    """
    Provides ``ports.Conversations``.

    Args:
        gate: The one gate.
        clock: Time.
        new_id: A fresh text each time; names a conversation in logs and for what tools remember of it.
    """

    def __init__(self, *, gate: Gate, clock: Clock, new_id: Callable[[], str]) -> None:
        self._gate = gate
        self._clock = clock
        self._new_id = new_id

    def open(self, principal: Principal, carrier: Carrier, sink: MessageSink) -> Conversation:
        """
        A fresh conversation; nothing of it outlives it.
        """
        caller = Caller(principal, carrier, self._new_id())
        return Conversation(caller=caller, gate=self._gate, sink=sink, clock=self._clock)

    def restore(
        self, principal: Principal, carrier: Carrier, sink: MessageSink, agreed: Agreed
    ) -> Conversation:
        """
        A conversation that had its handshake in an earlier life of the daemon.
        """
        caller = Caller(principal, carrier, self._new_id())
        return Conversation(caller=caller, gate=self._gate, sink=sink, clock=self._clock, agreed=agreed)

    def exchange(
        self,
        principal: Principal,
        carrier: Carrier,
        body: bytes,
        headers: RoutingHeaders | None,
        replies: ReplySink,
    ) -> Exchange:
        """
        One request of 2026-07-28.
        """
        raise NotImplementedError
