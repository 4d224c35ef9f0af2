"""
Where transports get conversations from.
"""

from __future__ import annotations

from collections.abc import Callable

from reticle.dispatch.call import Caller
from reticle.dispatch.conversation import Conversation, Shared
from reticle.model.codes import Carrier
from reticle.model.mcp import Agreed, Preferences, RoutingHeaders
from reticle.model.trust import Principal
from reticle.ports import Exchange, MessageSink, ReplySink


class Conversations:
    """
    Provides ``ports.Conversations``.

    Args:
        shared: What they all work with.
        new_id: A fresh text each time; names a conversation in logs and for what tools remember of it.
    """

    def __init__(self, shared: Shared, *, new_id: Callable[[], str]) -> None:
        self._shared = shared
        self._new_id = new_id

    def open(self, principal: Principal, carrier: Carrier, sink: MessageSink) -> Conversation:
        """
        A fresh conversation; nothing of it outlives it.
        """
        caller = Caller(principal, carrier, self._new_id())
        return Conversation(caller=caller, shared=self._shared, sink=sink)

    def restore(
        self,
        principal: Principal,
        carrier: Carrier,
        sink: MessageSink,
        agreed: Agreed,
        preferences: Preferences,
    ) -> Conversation:
        """
        A conversation that had its handshake in an earlier life of the daemon.
        """
        caller = Caller(principal, carrier, self._new_id())
        return Conversation(
            caller=caller, shared=self._shared, sink=sink, agreed=agreed, preferences=preferences
        )

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
