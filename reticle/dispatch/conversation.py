"""
One agent: its MCP session, its principal, its calls in flight.

The protocol core decides what a message is, the gate what a call may do; this module keeps them together:
which answer belongs to which request, and what happens to calls that nobody waits for any more.
"""

from __future__ import annotations

import enum
from typing import Final

import attrs
from twisted.internet.defer import Deferred, succeed
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.dispatch.call import Call, Caller, cancelled_by_client
from reticle.dispatch.gate import Gate
from reticle.dispatch.progress import ToldProgress, untold
from reticle.errors import PeerFault, Refusal
from reticle.mcp.down_convert import tool_result
from reticle.mcp.events import (
    CancelReceived,
    Event,
    Initialized,
    Replied,
    ToolCallRequested,
    ToolsListRequested,
)
from reticle.mcp.jsonrpc import RequestId, error_message, result_message
from reticle.mcp.session import Session
from reticle.model.codes import FaultCode, JsonRpcCode, RefusalCode
from reticle.model.limits import CALLS_IN_FLIGHT
from reticle.model.mcp import Agreed
from reticle.ports import Clock, MessageSink, ReplySink

_AFTER_RESTART: Final = "Wait until the daemon is up again (reticle status), then call again."


class _Life(enum.Enum):
    OPEN = "open"
    DRAINING = "draining"
    CLOSED = "closed"


@attrs.define(eq=False)
class _Running:
    """
    A call in flight. ``wanted`` is False once its client cancelled it: then nobody is answered.
    """

    request_id: RequestId
    call: Call
    progress: ToldProgress | None
    wanted: bool = True


class Conversation:
    """
    Provides ``ports.Conversation``.

    Args:
        caller: Who speaks, for the gate.
        gate: Runs the calls.
        sink: Where answers go.
        clock: Time, for progress.
    """

    _log = Logger()

    def __init__(
        self,
        *,
        caller: Caller,
        gate: Gate,
        sink: MessageSink,
        clock: Clock,
        agreed: Agreed | None = None,
    ) -> None:
        self._caller = caller
        self._gate = gate
        self._sink = sink
        self._clock = clock
        self._session = Session()
        self._agreed = agreed
        self._life = _Life.OPEN
        self._by_id: dict[RequestId, _Running] = {}
        self._running: dict[_Running, None] = {}  # oldest first
        self._drained: list[Deferred[None]] = []

    @property
    def agreed(self) -> Agreed | None:
        """
        What the handshake settled.
        """
        return self._agreed

    def receive(self, body: bytes, replies: ReplySink | None = None) -> None:
        """
        Take one body; see ``ports.Conversation``. After ``close`` it is dropped.
        """
        del replies
        if self._life is _Life.CLOSED:
            return
        for event in self._session.receive(body):
            self._take(event)

    def drain(self, reason: str) -> Deferred[None]:
        """
        Answer what runs, refuse what comes; see ``ports.Conversation``.

        Waits for the rows of the calls, so the store has to be open still.
        """
        if self._life is _Life.OPEN:
            self._life = _Life.DRAINING
        for running in list(self._running):
            running.call.stop(
                Refusal(
                    RefusalCode.SHUTTING_DOWN,
                    f"the daemon is stopping ({reason}); the call was ended and may have had an effect",
                    _AFTER_RESTART,
                )
            )
        if not self._running:
            return succeed(None)
        drained: Deferred[None] = Deferred()
        self._drained.append(drained)
        return drained

    def close(self) -> None:
        """
        Stop everything silently; see ``ports.Conversation``.
        """
        self._life = _Life.CLOSED
        self._session.close()
        for running in list(self._running):
            self._cancel(running)

    def _take(self, event: Event) -> None:
        match event:
            case ToolCallRequested():
                self._start(event)
            case ToolsListRequested(request_id):
                listed = self._gate.tools_list(self._caller.principal, self._session.revision)
                self._send(result_message(request_id, listed))
            case Replied(message):
                self._send(message)
            case CancelReceived(request_id):
                running = self._by_id.get(request_id)
                if running is not None:
                    self._cancel(running)
            case Initialized(revision, client):
                self._log.info(
                    "{conversation}: {client} speaks {revision}",
                    conversation=self._caller.conversation_id,
                    client=client,
                    revision=revision.name,
                )

    def _start(self, event: ToolCallRequested) -> None:
        fault = self._obstacle(event.request_id)
        if fault is not None:
            self._send(error_message(event.request_id, fault))
            return
        progress = None
        if event.progress_token is not None:
            progress = ToldProgress(event.progress_token, self._session.revision, self._clock, self._send)
        call = Call(
            self._caller,
            event.name,
            event.arguments,
            event.repository_id,
            untold if progress is None else progress,
        )
        running = _Running(event.request_id, call, progress)
        self._by_id[event.request_id] = running
        self._running[running] = None
        Deferred.fromCoroutine(self._answer(running)).addErrback(self._failed, running)

    def _obstacle(self, request_id: RequestId) -> PeerFault | None:
        """
        Why a call cannot even reach the gate, so that there is no row of it.
        """
        if self._life is _Life.DRAINING:
            return PeerFault(
                FaultCode.SHUTTING_DOWN,
                "the daemon is stopping and takes no calls",
                JsonRpcCode.INTERNAL_ERROR,
            )
        if request_id in self._by_id:
            return PeerFault(FaultCode.DUPLICATE_REQUEST, f"request {request_id!r} is still running")
        if len(self._running) >= CALLS_IN_FLIGHT:
            return PeerFault(
                FaultCode.TOO_MANY_CALLS, f"{CALLS_IN_FLIGHT} calls are running; wait for one of them"
            )
        return None

    async def _answer(self, running: _Running) -> None:
        result = await self._gate.call(running.call)
        self._finish(running)
        if running.wanted and self._life is not _Life.CLOSED:
            line = tool_result(
                result.text,
                result.structured,
                is_error=result.is_error,
                revision=self._session.revision,
                blocks=result.blocks,
            )
            self._send(result_message(running.request_id, line))
        self._tell_drained()

    def _failed(self, failure: Failure, running: _Running) -> None:
        """
        Our own fault between the gate and the wire: the client still gets an answer.
        """
        self._log.failure("the answer to a call could not be made", failure)
        self._finish(running)
        if running.wanted:
            fault = PeerFault(
                FaultCode.INTERNAL_ERROR, "reticle failed to answer", JsonRpcCode.INTERNAL_ERROR
            )
            self._send(error_message(running.request_id, fault))
        self._tell_drained()

    def _cancel(self, running: _Running) -> None:
        """
        Nobody waits for this call any more: no answer, no progress, and its id is free again.
        """
        running.wanted = False
        self._forget(running)
        running.call.stop(cancelled_by_client())

    def _forget(self, running: _Running) -> None:
        if running.progress is not None:
            running.progress.stop()
        if self._by_id.get(running.request_id) is running:
            del self._by_id[running.request_id]

    def _finish(self, running: _Running) -> None:
        self._forget(running)
        self._running.pop(running, None)

    def _tell_drained(self) -> None:
        if not self._running:
            waiting, self._drained = self._drained, []
            for drained in waiting:
                drained.callback(None)

    def _send(self, message: bytes) -> None:
        if self._life is not _Life.CLOSED:
            self._sink.send(message)
