"""
Where a transport gets its agents from, and where their messages go.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.errors import PeerFault, Refusal
    from reticle.model.codes import Carrier
    from reticle.model.mcp import Agreed, Preferences, RoutingHeaders
    from reticle.model.trust import Principal


class MessageSink(Protocol):
    """
    Where one conversation's JSON-RPC messages go; the transport frames and bounds them.
    """

    def send(self, message: bytes) -> None:
        """
        Queue one complete JSON-RPC message. Never blocks; after the peer is gone it does nothing.
        """


class ReplySink(Protocol):
    """
    Where everything about one received body goes, on a carrier that answers each body by itself.

    First any number of ``tell``, one ``answer`` for each request of the body, ``done`` last and once. A body
    without requests gets ``done`` alone.
    """

    def tell(self, message: bytes) -> None:
        """
        A notification or a request of ours that belongs to a request of the body.
        """

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        The response to one request of the body. ``fault`` when it is a JSON-RPC error, for carriers and
        revisions that show it in a status.
        """

    def done(self) -> None:
        """
        Nothing follows. A request without an answer was cancelled by its client.
        """


class Conversation(Protocol):
    """
    One agent: its MCP session, its principal, its calls in flight.
    """

    @property
    def agreed(self) -> Agreed | None:
        """
        What the handshake settled; None before there was one.
        """

    @property
    def preferences(self) -> Preferences:
        """
        What the client wished for so far, to be kept for ``restore``.
        """

    @property
    def busy(self) -> bool:
        """
        Whether a request is in flight.
        """

    def receive(self, body: bytes, replies: ReplySink | None = None) -> None:
        """
        Take one JSON-RPC message (or a batch where the revision has them). What belongs to the body goes to
        ``replies``, everything else to the conversation's own sink; without ``replies`` all of it goes there.

        Raises ``PeerFault`` when the body is not a JSON-RPC message, before anything was done with it;
        the transport answers in its own manner. Faults that have an id to answer to are answered.
        """

    def drain(self, reason: str, why: Refusal | None = None) -> Awaitable[None]:
        """
        Answer every call in flight with ``shutting_down``, or with ``why``, and take no more. Ready when all
        is sent to the sink. May be called twice.
        """

    def hung_up(self, replies: ReplySink) -> None:
        """
        The connection that those replies go to is gone, and the peer may come back. Calls that wait for their
        client alone are stopped. May be called twice.
        """

    def close(self) -> None:
        """
        The peer is gone: stop its calls and forget them. Nothing is sent afterwards. May be called twice.
        """


class Exchange(Protocol):
    """
    One request of revision 2026-07-28 and its answer, ``subscriptions/listen`` included.
    """

    def cancel(self) -> None:
        """
        The client no longer wants it, by saying so or by hanging up: stop the work and send nothing more.
        Does nothing once it is answered.
        """

    def drain(self, reason: str, why: Refusal | None = None) -> Awaitable[None]:
        """
        Answer now with ``shutting_down``, or with ``why``; a listening one gets its final result. Ready when
        that is sent.
        """


class Conversations(Protocol):
    """
    Where a transport gets conversations from.
    """

    def open(self, principal: Principal, carrier: Carrier, sink: MessageSink) -> Conversation:
        """
        A fresh conversation whose answers go to ``sink``. On carriers without routing headers (all but HTTP)
        the first request decides its era, handshake or 2026-07-28.
        """

    def restore(
        self,
        principal: Principal,
        carrier: Carrier,
        sink: MessageSink,
        agreed: Agreed,
        preferences: Preferences,
    ) -> Conversation:
        """
        A conversation that had its handshake in an earlier life of the daemon (DESIGN §4).
        """

    def exchange(
        self,
        principal: Principal,
        carrier: Carrier,
        body: bytes,
        headers: RoutingHeaders | None,
        replies: ReplySink,
    ) -> Exchange:
        """
        Judge and run one body of revision 2026-07-28; everything about it, faults of any kind included, goes
        to ``replies``, also before this returns. ``headers`` is None on carriers that have none.
        """
