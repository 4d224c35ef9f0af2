"""
The Unix socket: requests and responses as lines of JSON, each request a call through the one gate.

Contract: ``docs/protocol/socket.md``. Answers come when they are ready, in any order. Whoever hangs up wants
nothing any more: its calls are stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from twisted.internet.defer import Deferred, succeed
from twisted.internet.interfaces import IAddress, IDelayedCall, IPushProducer, IReactorTime
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure
from zope.interface import implementer

from reticle.domain.daemon_life import DaemonLife
from reticle.errors import Refusal
from reticle.mcp.jsonrpc import RequestId
from reticle.model.codes import FaultCode, RefusalCode
from reticle.model.limits import CALLS_IN_FLIGHT, HTTP_BODY_BYTES, RPC_CONNECTIONS
from reticle.model.trust import Decision, Denied, Principal, PrincipalKind, TrustFacts
from reticle.ports.rpc import Rpc, RpcCall
from reticle.transport.rpc_envelope import BadLine, RpcRequest, fault_line, read_request, response_line

_log = Logger()

_HUNG_UP: Final = Refusal(RefusalCode.CANCELLED, "the client hung up")
_STOPPING: Final = Refusal(
    RefusalCode.SHUTTING_DOWN,
    "the daemon is stopping; the call was ended and may have had an effect",
    "Wait until the daemon is up again (reticle status), then call again.",
)


class RpcFactory(Factory):
    """
    All connections of one daemon's Unix socket.

    Args:
        rpc: Where calls come from.
        decide: The trust rule of the strict tier.
        life: Whether calls are taken.
        clock: For deadlines.
    """

    noisy = False

    def __init__(
        self, rpc: Rpc, decide: Callable[[TrustFacts], Decision], life: DaemonLife, clock: IReactorTime
    ) -> None:
        self.rpc = rpc
        self.decide = decide
        self.life = life
        self.clock = clock
        self.connections: set[RpcConnection] = set()
        self._emptied: Deferred[None] | None = None

    def buildProtocol(self, addr: IAddress | None) -> RpcConnection | None:
        """
        One connection more; none when there are too many.
        """
        del addr
        if len(self.connections) >= RPC_CONNECTIONS:
            _log.warn("{count} connections are open on the Unix socket; one more was refused",
                      count=RPC_CONNECTIONS)  # fmt: skip
            return None
        return RpcConnection(self)

    def drain(self) -> Deferred[None]:
        """
        Answer what runs, then hang up; ready when everybody is gone. The daemon bounds the wait.
        """
        if not self.connections:
            return succeed(None)
        self._emptied = Deferred()
        for connection in tuple(self.connections):
            connection.end()
        return self._emptied

    def token_ids(self) -> Iterator[str]:
        """
        See ``token_watch.Holder``.
        """
        return chain.from_iterable(connection.token_ids() for connection in tuple(self.connections))

    def dismiss(self, token_id: str, why: Refusal) -> None:
        """
        See ``token_watch.Holder``.
        """
        for connection in tuple(self.connections):
            connection.dismiss(token_id, why)

    def gone(self, connection: RpcConnection) -> None:
        """
        A connection is over.
        """
        self.connections.discard(connection)
        emptied = self._emptied
        if emptied is not None and not self.connections and not emptied.called:
            emptied.callback(None)


@implementer(IPushProducer)
class RpcConnection(Protocol):
    """
    One connection. Reading stops while answers wait to be read.
    """

    transport: Any

    def __init__(self, factory: RpcFactory) -> None:
        self._all = factory
        self._buffer = bytearray()
        self._running: dict[RequestId, tuple[Principal, RpcCall]] = {}
        self._deadlines: dict[RequestId, IDelayedCall] = {}
        self._ending = False
        self._gone = False

    def connectionMade(self) -> None:
        """
        A client is there.
        """
        self._all.connections.add(self)
        self.transport.registerProducer(self, True)

    def dataReceived(self, data: bytes) -> None:
        """
        Bytes from the client: any part of any number of lines.
        """
        searched = len(self._buffer)
        self._buffer += data
        while not self._ending and (end := self._buffer.find(b"\n", searched)) >= 0:
            line, searched = bytes(self._buffer[:end]), 0
            del self._buffer[: end + 1]
            if line.strip():
                self._take(line)
        if len(self._buffer) > HTTP_BODY_BYTES:
            # Where the next line begins is not known any more.
            self.transport.write(
                fault_line(None, FaultCode.BODY_TOO_LARGE, f"a line has at most {HTTP_BODY_BYTES} bytes")
            )
            self.end(Refusal(RefusalCode.CANCELLED, "the connection ended at a line that was too long"))

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """
        The client is gone.
        """
        del reason
        self._ending = self._gone = True
        for deadline in self._deadlines.values():
            deadline.cancel()
        self._deadlines.clear()
        for _, call in tuple(self._running.values()):
            call.stop(_HUNG_UP)
        self._all.gone(self)

    def end(self, why: Refusal = _STOPPING) -> None:
        """
        Take nothing more, answer what runs, hang up.
        """
        self._ending = True
        self._buffer.clear()
        for _, call in tuple(self._running.values()):
            call.stop(why)
        self._hang_up_if_idle()

    def token_ids(self) -> Iterator[str]:
        """
        Whose calls run; see ``token_watch.Holder``.
        """
        principals = (principal for principal, _ in tuple(self._running.values()))
        return (each.token_id for each in principals if each.token_id is not None)

    def dismiss(self, token_id: str, why: Refusal) -> None:
        """
        Stop the calls of a token; the connection is nobody's and stays.
        """
        for principal, call in tuple(self._running.values()):
            if principal.token_id == token_id:
                call.stop(why)

    def pauseProducing(self) -> None:
        """
        The client does not read: nothing more of it is read.
        """
        self.transport.pauseProducing()

    def resumeProducing(self) -> None:
        """
        It reads again.
        """
        self.transport.resumeProducing()

    def stopProducing(self) -> None:
        """
        The connection is over; ``connectionLost`` follows.
        """

    def _take(self, line: bytes) -> None:
        try:
            request = read_request(line)
        except BadLine as bad:
            self.transport.write(fault_line(bad.request_id, bad.code, bad.message))
            return
        answer = self._obstacle(request)
        if answer is not None:
            self.transport.write(answer)
            return
        decision = self._all.decide(_facts(request.token))
        if isinstance(decision, Denied) and decision.status != 401:
            self.transport.write(fault_line(request.request_id, decision.code, decision.message))
            return
        self._begin(request, _principal(decision))

    def _obstacle(self, request: RpcRequest) -> bytes | None:
        """
        Why a request cannot even begin, as its response.
        """
        life, request_id = self._all.life, request.request_id
        if not life.accepting:
            code = RefusalCode.SHUTTING_DOWN if life.draining else RefusalCode.NOT_READY
            return fault_line(request_id, code, "the daemon takes no calls now", "Try again in a moment.")
        if request_id in self._running:
            return fault_line(
                request_id, FaultCode.DUPLICATE_REQUEST, f"request {request_id!r} is still running"
            )
        if len(self._running) >= CALLS_IN_FLIGHT:
            return fault_line(
                request_id, FaultCode.TOO_MANY_CALLS, f"{CALLS_IN_FLIGHT} calls run; wait for one of them"
            )
        return None

    def _begin(self, request: RpcRequest, principal: Principal) -> None:
        request_id = request.request_id
        call = self._all.rpc.begin(principal, request.method, request.params)
        self._running[request_id] = principal, call
        if request.deadline_seconds is not None:
            self._deadlines[request_id] = self._all.clock.callLater(
                request.deadline_seconds, self._overdue, request_id
            )
        answered = Deferred.fromCoroutine(_answer_of(call))
        answered.addErrback(_failed).addCallback(self._answered, request_id)

    def _answered(self, result: Mapping[str, object], request_id: RequestId) -> None:
        _, call = self._running.pop(request_id)
        deadline = self._deadlines.pop(request_id, None)
        if deadline is not None and deadline.active():
            deadline.cancel()
        if self._gone:
            call.was_unheard()
        self.transport.write(response_line(request_id, result))
        self._hang_up_if_idle()

    def _overdue(self, request_id: RequestId) -> None:
        del self._deadlines[request_id]
        self._running[request_id][1].stop(
            Refusal(
                RefusalCode.COMMAND_TIMEOUT,
                "the deadline of the call is over; it was ended and may have had an effect",
                "Look at the state before you call again, or give it more time.",
            )
        )

    def _hang_up_if_idle(self) -> None:
        if self._ending and not self._running and not self.transport.disconnecting:
            self.transport.unregisterProducer()
            self.transport.loseConnection()


async def _answer_of(call: RpcCall) -> Mapping[str, object]:
    return await call.answer()


def _failed(failure: Failure) -> Mapping[str, object]:
    """
    Our own fault between the gate and the wire: the client still gets an answer.
    """
    _log.failure("the answer to a call could not be made", failure)
    return {
        "ok": False,
        "audit_id": None,
        "error": RefusalCode.INTERNAL_ERROR,
        "message": "reticle failed to answer",
        "recovery": "",
    }


def _facts(token: str | None) -> TrustFacts:
    """
    What the trust rule is told: only the daemon's own user can open the socket, and there is no browser.
    """
    return TrustFacts(
        peer=None,
        hosts=("localhost",),
        origins=(),
        referers=(),
        authorizations=() if token is None else (f"Bearer {token}",),
    )


def _principal(decision: Decision) -> Principal:
    """
    Who calls. Without a token that counts it is nobody, which the gate says, and writes down.
    """
    if isinstance(decision, Denied):
        return Principal(PrincipalKind.TOKEN, None, decision.code)
    return decision.principal
