"""
The requests of one conversation that are being worked on: started, stopped, answered once or not at all.
"""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
from twisted.internet.defer import Deferred, succeed
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.dispatch.call import Call, cancelled_by_client, daemon_stops
from reticle.dispatch.outstanding import Outstanding
from reticle.dispatch.progress import ToldProgress
from reticle.dispatch.stepping import drive
from reticle.errors import PeerFault, Refusal
from reticle.mcp.jsonrpc import RequestId, error_message, result_message
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import CALLS_IN_FLIGHT
from reticle.ports import ReplySink


class _Life(enum.Enum):
    OPEN = "open"
    DRAINING = "draining"
    CLOSED = "closed"


class Running(msgspec.Struct, eq=False):
    """
    A request in flight. ``wanted`` is False once its client cancelled it: then nobody is answered.
    ``is_alone`` once its connection is gone: its answer is kept for who may come back.
    """

    request_id: RequestId
    call: Call
    body: Outstanding
    progress: ToldProgress | None = None
    wanted: bool = True
    is_alone: bool = False


Work = Callable[[Call], Awaitable[bytes]]
"""Gives the result of a request as one line of JSON, or raises ``PeerFault``."""


class InFlight:
    """
    Runs requests. At most ``CALLS_IN_FLIGHT`` at once, each id once at a time.
    """

    _log = Logger()

    def __init__(self) -> None:
        self._life = _Life.OPEN
        self._by_id: dict[RequestId, Running] = {}
        self._running: dict[Running, None] = {}  # oldest first
        self._drained: list[Deferred[None]] = []

    @property
    def busy(self) -> bool:
        """
        Whether anything runs.
        """
        return bool(self._running)

    def runs(self, request_id: RequestId) -> bool:
        """
        Whether a request of that id runs and its client wants it.
        """
        return request_id in self._by_id

    def start(self, running: Running, work: Work) -> None:
        """
        Begin a request, or answer why it cannot even begin, so that there is no row of it.
        """
        request_id, by_id, now = running.request_id, self._by_id, self._running
        if self._life is _Life.DRAINING or request_id in by_id or len(now) >= CALLS_IN_FLIGHT:
            fault = self._obstacle(request_id)
            running.body.answer_now(error_message(running.request_id, fault), fault)
            return
        running.body.expect()
        self._by_id[running.request_id] = running
        self._running[running] = None
        drive(self._answer(running, work), partial(self._failed, running))

    def cancel(self, request_id: RequestId) -> None:
        """
        Its client no longer wants it: no answer, no progress, and its id is free again. An id that does not
        run is no fault.
        """
        running = self._by_id.get(request_id)
        if running is not None:
            self._drop(running)

    def hung_up(self, replies: ReplySink) -> None:
        """
        The connection for those replies is gone. What waits for its client alone is stopped; all else goes
        on, since its client may come back for the answer.
        """
        for running in list(self._running):
            if running.body.goes_to(replies) and running.call.ends_with_connection:
                running.is_alone = True
                running.call.stop(cancelled_by_client())

    def drain(self, reason: str, why: Refusal | None = None) -> Deferred[None]:
        """
        Stop what runs so that it is answered, and refuse what comes. Ready when all is answered.
        """
        if self._life is _Life.OPEN:
            self._life = _Life.DRAINING
        for running in list(self._running):
            running.call.stop(why or daemon_stops(reason))
        if not self._running:
            return succeed(None)
        drained: Deferred[None] = Deferred()
        self._drained.append(drained)
        return drained

    def close(self) -> None:
        """
        Stop everything silently.
        """
        self._life = _Life.CLOSED
        for running in list(self._running):
            running.body.silence()
            self._drop(running)

    def _obstacle(self, request_id: RequestId) -> PeerFault:
        """
        Why none can begin.
        """
        if self._life is _Life.DRAINING:
            return PeerFault(
                FaultCode.SHUTTING_DOWN,
                "the daemon is stopping and takes no calls",
                JsonRpcCode.INTERNAL_ERROR,
            )
        if request_id in self._by_id:
            return duplicate(request_id)
        return PeerFault(
            FaultCode.TOO_MANY_CALLS, f"{CALLS_IN_FLIGHT} calls are running; wait for one of them"
        )

    async def _answer(self, running: Running, work: Work) -> None:
        fault: PeerFault | None = None
        try:
            message = result_message(running.request_id, await work(running.call))
        except PeerFault as told:
            message, fault = error_message(running.request_id, told), told
        self._finish(running, message, fault)

    def _failed(self, running: Running, failure: Failure) -> None:
        """
        Our own fault between the gate and the wire: the client still gets an answer.
        """
        self._log.failure("the answer to a request could not be made", failure)
        fault = PeerFault(FaultCode.INTERNAL_ERROR, "reticle failed to answer", JsonRpcCode.INTERNAL_ERROR)
        self._finish(running, error_message(running.request_id, fault), fault)

    def _finish(self, running: Running, message: bytes, fault: PeerFault | None) -> None:
        self._forget(running)
        if self._running.pop(running, running) is running:
            return  # the answer was on its way out when it failed; it is settled already
        try:
            if running.wanted and self._life is not _Life.CLOSED:
                running.body.answer(message, fault)
                if running.is_alone:
                    running.call.was_unheard()
            else:
                running.body.settle()
                running.call.was_unheard()
        finally:
            # Also when the answer could not leave: a stop must not wait for it.
            if not self._running:
                waiting, self._drained = self._drained, []
                for drained in waiting:
                    drained.callback(None)

    def _drop(self, running: Running) -> None:
        running.wanted = False
        self._forget(running)
        running.call.stop(cancelled_by_client())

    def _forget(self, running: Running) -> None:
        if running.progress is not None:
            running.progress.stop()
        if self._by_id.get(running.request_id) is running:
            del self._by_id[running.request_id]


def duplicate(request_id: RequestId) -> PeerFault:
    """
    The fault of a request whose id is in use: two answers to it could not be told apart.
    """
    return PeerFault(FaultCode.DUPLICATE_REQUEST, f"request {request_id!r} is still running")
