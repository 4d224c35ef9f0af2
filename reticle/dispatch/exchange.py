"""
The requests of one client without a session: one by HTTP, all of a stream on carriers that have one.

``mcp.modern.ladder`` judges, ``methods`` knows what a request leads to; this module answers each once, and
stops what its client no longer wants.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from twisted.internet.defer import Deferred
from twisted.logger import Logger

from reticle.dispatch.asked import Asked, Work
from reticle.dispatch.call import Call, Caller
from reticle.dispatch.in_flight import InFlight, Running, duplicate
from reticle.dispatch.listening import Listening
from reticle.dispatch.methods import unknown_method
from reticle.dispatch.outstanding import Outstanding
from reticle.dispatch.per_request import PerRequest
from reticle.errors import PeerFault, Refusal
from reticle.mcp.jsonrpc import Message, RequestId, error_message, parse, result_message
from reticle.mcp.modern.ladder import Admitted, Dropped, Rejected, judge
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import CALLS_IN_FLIGHT
from reticle.model.mcp import RoutingHeaders
from reticle.ports import ReplySink

LISTEN: Final = "subscriptions/listen"
_BUG: Final = PeerFault(FaultCode.INTERNAL_ERROR, "reticle failed to answer", JsonRpcCode.INTERNAL_ERROR)


class Exchange:
    """
    Provides ``ports.Exchange``.

    Args:
        shared: What it works with.
        caller: Who asks, for the gate.
    """

    _log = Logger()

    def __init__(self, shared: PerRequest, caller: Caller) -> None:
        self._shared = shared
        self._caller = caller
        self._in_flight = InFlight()
        self._listening: dict[RequestId, Listening] = {}
        self._draining = False

    def receive(self, body: bytes, headers: RoutingHeaders | None, replies: ReplySink) -> None:
        """
        Take one body and answer it, faults of any kind included.
        """
        received = Outstanding(replies)
        try:
            message = parse(body)
        except PeerFault as fault:
            received.answer_now(error_message(None, fault), fault)
        else:
            self._take(message, headers, received)
        received.settle()

    def take(self, message: Message, replies: ReplySink) -> None:
        """
        Take one parsed message of a carrier without headers.
        """
        received = Outstanding(replies)
        self._take(message, None, received)
        received.settle()

    def cancel(self) -> None:
        """
        The client is gone; see ``ports.Exchange``.
        """
        self._in_flight.close()
        for listening in tuple(self._listening.values()):
            listening.drop()

    def cancel_request(self, request_id: RequestId) -> None:
        """
        The client no longer wants one of its requests. An id that does not run is no fault.
        """
        listening = self._listening.get(request_id)
        if listening is None:
            self._in_flight.cancel(request_id)
        else:
            listening.drop()

    @property
    def busy(self) -> bool:
        """
        Whether anything runs or listens.
        """
        return self._in_flight.busy or bool(self._listening)

    def drain(self, reason: str, why: Refusal | None = None) -> Deferred[None]:
        """
        Answer what runs and end what listens; see ``ports.Exchange``.
        """
        self._draining = True
        for listening in tuple(self._listening.values()):
            listening.finish()
        return self._in_flight.drain(reason, why)

    def _take(
        self, message: Message | tuple[Message, ...], headers: RoutingHeaders | None, body: Outstanding
    ) -> None:
        judged = judge(message, headers)
        match judged:
            case Admitted():
                try:
                    self._start(Asked(judged, self._caller, headers, body.tell), body)
                except PeerFault as fault:
                    body.answer_now(error_message(judged.request_id, fault), fault)
                except Exception:  # noqa: BLE001 - a bug of ours ends its request, and is answered
                    self._log.failure("a request could not be begun")
                    body.answer_now(error_message(judged.request_id, _BUG), _BUG)
            case Rejected(request_id, rejection):
                body.answer_now(error_message(request_id, rejection), rejection)
            case Dropped():
                pass

    def _start(self, asked: Asked, body: Outstanding) -> None:
        methods, method = self._shared.methods, asked.admitted.method
        request_id = asked.admitted.request_id
        if request_id in self._listening or self._in_flight.runs(request_id):
            raise duplicate(request_id)
        later = methods.later.get(method)
        if later is not None:
            self._shared.admit()
            self._run(request_id, later(asked), body)
        elif (now := methods.now.get(method)) is not None:
            body.answer_now(result_message(request_id, now(asked)))
        elif method == LISTEN:
            self._listen(asked, body)
        else:
            raise unknown_method(method)

    def _run(self, request_id: RequestId, work: Work, body: Outstanding) -> None:
        async def counted(call: Call) -> bytes:
            self._shared.running += 1
            try:
                return await work.run(call)
            finally:
                self._shared.running -= 1

        self._in_flight.start(Running(request_id, work.call, body, work.progress), counted)

    def _listen(self, asked: Asked, body: Outstanding) -> None:
        request_id = asked.admitted.request_id
        if self._draining:
            raise PeerFault(FaultCode.SHUTTING_DOWN, "the daemon is stopping", JsonRpcCode.INTERNAL_ERROR)
        if len(self._listening) >= CALLS_IN_FLIGHT:
            raise PeerFault(
                FaultCode.TOO_MANY_CALLS, f"{CALLS_IN_FLIGHT} subscriptions are open on this stream"
            )
        shared = self._shared
        wishes = shared.wishes(asked)
        shared.listeners.admit()
        body.expect()
        listening = self._listening[request_id] = Listening(asked, body, self._left(request_id))
        may_hear = partial(shared.features.may_hear, asked.caller.principal)
        listening.begin(wishes, shared.notices, shared.tasks, may_hear)

    def _left(self, request_id: RequestId) -> Callable[[], None]:
        def left() -> None:
            del self._listening[request_id]
            self._shared.listeners.leave()

        return left
