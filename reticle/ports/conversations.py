"""
Where a transport gets its agents from, and where their messages go.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol

from reticle.model.codes import Carrier
from reticle.model.trust import Principal


class MessageSink(Protocol):
    """
    Where one conversation's JSON-RPC messages go; the transport frames and bounds them.
    """

    def send(self, message: bytes) -> None:
        """
        Queue one complete JSON-RPC message. Never blocks; after the peer is gone it does nothing.
        """


class Conversation(Protocol):
    """
    One agent: its MCP session, its principal, its calls in flight.
    """

    def receive(self, body: bytes) -> None:
        """
        Take one JSON-RPC message (or a batch where the revision has them); answers go to the sink.

        Raises ``PeerFault`` when the body is not a JSON-RPC message, before anything was done with it;
        the transport answers in its own manner. Faults that have an id to answer to go to the sink.
        """

    def drain(self, reason: str) -> Awaitable[None]:
        """
        Answer every call in flight with ``shutting_down`` and take no more. Ready when all is sent to
        the sink. May be called twice.
        """

    def close(self) -> None:
        """
        The peer is gone: stop its calls and forget them. Nothing is sent afterwards. May be called twice.
        """


class Conversations(Protocol):
    """
    Where a transport gets conversations from.
    """

    def open(self, principal: Principal, carrier: Carrier, sink: MessageSink) -> Conversation:
        """
        A fresh conversation whose answers go to ``sink``.
        """
