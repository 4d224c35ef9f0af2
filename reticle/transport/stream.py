"""
One open event stream: its conversation, its outbox, its connection, and the order in which they end.

A stream is *live*, then *ending* (its last frame is written, its connection not yet gone), then
*gone*. Its session exists exactly while it is live, so a POST to an ended one is 404 at once.
Teardown runs once, whichever side begins it (field reports TR-01, TR-04).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

import attrs
import automat
from automat import pep614
from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.logger import Logger
from twisted.web.iweb import IRequest

from reticle.errors import Refusal
from reticle.mcp.sse_frames import KEEPALIVE
from reticle.model.ids import McpSessionId
from reticle.model.limits import DRAIN_SECONDS
from reticle.model.trust import Principal
from reticle.ports import Conversation
from reticle.transport.connection import Connection
from reticle.transport.frame import ENDED_EVENT, end_frame, message_frame
from reticle.transport.outbox import Outbox, Overflow
from reticle.transport.request import forget_heads

_log = Logger()


class _Inputs(Protocol):
    """
    What can happen to a stream.
    """

    def end(self, last: bytes, within_seconds: float) -> None:
        """
        Send what waits and a last frame; cut the connection when it is not gone by then.
        """

    def give_up(self, last: bytes, within_seconds: float) -> None:
        """
        As ``end``, dropping what waits.
        """

    def lost(self) -> None:
        """
        The connection is gone.
        """


@attrs.define
class _Facts:
    """
    What the behaviours work on.
    """

    outbox: Outbox
    connection: Connection
    conversation: Conversation
    clock: IReactorTime
    finish: Callable[[], None]
    on_ended: Callable[[], None]
    on_gone: Callable[[], None]

    def close_session(self) -> None:
        """
        Nothing more is taken from or for the agent.
        """
        self.on_ended()
        self.conversation.close()


def _build_machine() -> Callable[[_Facts], _Inputs]:
    builder = automat.TypeMachineBuilder(_Inputs, _Facts)

    def cut_later(
        _inputs: _Inputs,
        facts: _Facts,
        last: bytes,  # noqa: ARG001 - automat passes an input's arguments by name
        within_seconds: float,
    ) -> IDelayedCall:
        return facts.clock.callLater(within_seconds, facts.connection.abort)

    live = builder.state("live")
    ending = builder.state("ending", cut_later)
    gone = builder.state("gone")

    ending.upon(_Inputs.end).loop().returns(None)
    ending.upon(_Inputs.give_up).loop().returns(None)
    gone.upon(_Inputs.end).loop().returns(None)
    gone.upon(_Inputs.give_up).loop().returns(None)
    gone.upon(_Inputs.lost).loop().returns(None)

    @pep614(live.upon(_Inputs.end).to(ending))
    def end(
        _inputs: _Inputs,
        facts: _Facts,
        last: bytes,
        within_seconds: float,  # noqa: ARG001 - as above
    ) -> None:
        facts.close_session()
        facts.outbox.finish(last, facts.finish)

    @pep614(live.upon(_Inputs.give_up).to(ending))
    def give_up(
        _inputs: _Inputs,
        facts: _Facts,
        last: bytes,
        within_seconds: float,  # noqa: ARG001 - as above
    ) -> None:
        facts.close_session()
        facts.outbox.finish_now(last, facts.finish)

    @pep614(live.upon(_Inputs.lost).to(gone))
    def lost(_inputs: _Inputs, facts: _Facts) -> None:
        facts.outbox.close()
        facts.close_session()
        facts.on_gone()

    @pep614(ending.upon(_Inputs.lost).to(gone))
    def lost_while_ending(_inputs: _Inputs, facts: _Facts, cut: IDelayedCall) -> None:
        if cut.active():
            cut.cancel()
        facts.outbox.close()
        facts.on_gone()

    return builder.build()


_machine = _build_machine()


class Stream:
    """
    One agent's stream. It is its conversation's ``MessageSink``.

    Made in two steps, since the conversation needs its sink: construct, then ``begin``.

    Args:
        request: The GET that opened it; nothing has been written to it yet.
        session_id: The name its POSTs use.
        principal: Who opened it.
        clock: Where deadlines are set.
        on_ended: Called once, when the session is over.
        on_gone: Called once, when the connection is gone too.
    """

    def __init__(
        self,
        request: IRequest,
        session_id: McpSessionId,
        principal: Principal,
        *,
        clock: IReactorTime,
        on_ended: Callable[[Stream], None],
        on_gone: Callable[[Stream], None],
    ) -> None:
        self.session_id = session_id
        self.principal = principal
        self._request = request
        self._clock = clock
        self._on_ended = on_ended
        self._on_gone = on_gone
        self._outbox = Outbox(request.write, self._overflowed)

    def begin(self, conversation: Conversation, first: bytes) -> None:
        """
        Bind the conversation, then write the first frame. Register the session before: the first
        frame may bring the first POST.
        """
        self._conversation = conversation
        connection = Connection(self._request, on_lost=self._lost, on_pipelined=self._pipelined)
        self._inputs = _machine(
            _Facts(
                outbox=self._outbox,
                connection=connection,
                conversation=conversation,
                clock=self._clock,
                finish=self._finish,
                on_ended=lambda: self._on_ended(self),
                on_gone=lambda: self._on_gone(self),
            )
        )
        self._request.registerProducer(self._outbox, True)  # type: ignore[attr-defined]  # an IConsumer too
        self._outbox.put(first)
        forget_heads(self._request)

    def send(self, message: bytes) -> None:
        """
        Frame one JSON-RPC message and queue it.
        """
        self._outbox.put(message_frame(message))

    def receive(self, body: bytes) -> None:
        """
        Hand a POST's body to the conversation. Raises ``PeerFault`` as it does.
        """
        self._conversation.receive(body)

    def keep_alive(self) -> None:
        """
        Write a comment line, unless other bytes are on their way anyhow.
        """
        if self._outbox.idle:
            self._outbox.put(KEEPALIVE)

    def say(self, frame: bytes) -> bool:
        """
        Send a frame if nothing waits before it; whether it was sent.
        """
        if not self._outbox.idle:
            return False
        self._outbox.put(frame)
        return True

    def drain(self, reason: str, why: Refusal | None = None) -> Awaitable[None]:
        """
        Let the conversation answer its calls in flight.
        """
        return self._conversation.drain(reason, why)

    def end(self, last: bytes, *, within_seconds: float = DRAIN_SECONDS) -> None:
        """
        Say ``last`` behind what waits and close; cut what is not gone in time. May be called again.
        """
        self._inputs.end(last, within_seconds)

    def _finish(self) -> None:
        self._request.unregisterProducer()  # type: ignore[attr-defined]  # an IConsumer too
        self._request.finish()

    def _lost(self) -> None:
        self._inputs.lost()

    def _pipelined(self) -> None:
        _log.warn(
            "stream {session} ended: its connection sent another request behind it, which could never "
            "be answered; use one connection per stream",
            session=self.session_id[:8],
        )
        self.end(end_frame(ENDED_EVENT, "pipelined_request"))

    def _overflowed(self, lost: Overflow) -> None:
        _log.warn(
            "stream {session} ended: its reader was too slow, {frames} frames ({size} bytes) were dropped",
            session=self.session_id[:8],
            frames=lost.frames,
            size=lost.size_bytes,
        )
        self._inputs.give_up(end_frame(ENDED_EVENT, "outbox_overflow"), DRAIN_SECONDS)
