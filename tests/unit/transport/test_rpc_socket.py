"""
The Unix socket over strings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import attrs
import pytest
from twisted.internet.address import UNIXAddress
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from reticle.domain.daemon_life import DaemonLife
from reticle.domain.tokens import Bad, Good, Standing
from reticle.domain.trust import TrustPolicy
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import TokenId
from reticle.model.limits import CALLS_IN_FLIGHT, HTTP_BODY_BYTES, RPC_CONNECTIONS
from reticle.model.tokens import Token
from reticle.model.trust import Principal
from reticle.transport.checker import Checker
from reticle.transport.rpc_socket import RpcConnection, RpcFactory

NAME = TokenId("dtok_" + "a" * 16)
RIGHT, WRONG = f"{NAME}.{'r' * 43}", f"{NAME}.{'w' * 43}"


def judge(text: str) -> Standing | None:
    """
    One right token.
    """
    if text == RIGHT:
        return Good(Token(NAME, "", "cli", 0.0, None, ()))
    return Bad(RefusalCode.TOKEN_INVALID if text == WRONG else RefusalCode.TOKEN_MALFORMED)


@attrs.define(eq=False)
class ScriptedCall:
    """
    Provides ``ports.RpcCall``; a test answers it.
    """

    principal: Principal
    method: str
    params: bytes
    answered: Deferred[Mapping[str, object]] = attrs.field(factory=Deferred)
    stopped: list[str] = attrs.field(factory=list)
    undone: int = 0

    def stop(self, why: Refusal) -> None:
        """
        Answer with the reason, as the gate does.
        """
        self.stopped.append(why.code)
        self.fail(why.code)

    def was_unheard(self) -> None:
        """
        Count it.
        """
        self.undone += 1

    def fail(self, code: str) -> None:
        """
        Answer with a refusal.
        """
        told = {
            "ok": False,
            "method": self.method,
            "audit_id": "a",
            "error": code,
            "message": "",
            "recovery": "",
        }
        if not self.answered.called:
            self.answered.callback(told)

    def succeed(self, **fields: object) -> None:
        """
        Answer.
        """
        self.answered.callback({"ok": True, "method": self.method, "audit_id": "a", **fields})

    def answer(self) -> Deferred[Mapping[str, object]]:
        """
        What the test says, once it does.
        """
        return self.answered


class Bench:
    """
    The socket of a daemon whose calls a test answers.
    """

    def __init__(self, *, serving: bool = True) -> None:
        self.clock, self.life = Clock(), DaemonLife()
        if serving:
            self.life.attached()
        self.calls: list[ScriptedCall] = []
        checker = Checker(TrustPolicy(strict=True), seconds=self.clock.seconds, judge=judge)
        self.factory = RpcFactory(self, checker.decide, self.life, self.clock)

    def begin(self, principal: Principal, method: str, params: bytes) -> ScriptedCall:
        """
        Provides ``ports.Rpc``.
        """
        self.calls.append(ScriptedCall(principal, method, params))
        return self.calls[-1]

    def connect(self) -> tuple[RpcConnection, StringTransport]:
        """
        A client's connection.
        """
        connection = self.factory.buildProtocol(UNIXAddress(None))
        assert connection is not None
        transport = StringTransport()
        connection.makeConnection(transport)  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
        return connection, transport


def request(request_id: object = 1, **more: object) -> bytes:
    """
    A line.
    """
    return json.dumps({"schema_version": 1, "request_id": request_id, "method": "m", **more}).encode() + b"\n"


def told(transport: StringTransport) -> list[dict[str, Any]]:
    """
    Every line that the client got.
    """
    return [json.loads(line) for line in transport.value().splitlines()]


def hang_up(connection: RpcConnection) -> None:
    """
    The client goes.
    """
    connection.connectionLost(Failure(ConnectionDone()))


def test_calls_are_answered_as_they_end() -> None:
    """
    A slow call does not hold up the answer to a fast one.
    """
    bench = Bench()
    connection, transport = bench.connect()
    connection.dataReceived(request(1, params={"x": 1}) + b"\n" + request("two"))
    bench.calls[1].succeed(y=2)
    bench.calls[0].succeed()
    assert [(one["request_id"], one["ok"], one["data"]) for one in told(transport)] == [
        ("two", True, {"y": 2}), (1, True, {}),
    ]  # fmt: skip
    assert bench.calls[0].params == b'{"x": 1}'


def test_a_line_may_come_in_any_pieces() -> None:
    """
    How the kernel cuts a line makes no difference.
    """
    bench = Bench()
    connection, _ = bench.connect()
    for byte in request() + request(2):
        connection.dataReceived(bytes([byte]))
    assert len(bench.calls) == 2


@pytest.mark.parametrize(
    ("token", "name", "refused"),
    [
        (RIGHT, f"token:{NAME}", None),
        (WRONG, "token", "token_invalid"),
        ("pair", "token", "token_malformed"),
        ("two words", "token", "token_malformed"),
        (None, "token", "token_missing"),
    ],
)
def test_whoever_calls_is_its_token(token: str | None, name: str, refused: str | None) -> None:
    """
    A call without a token that counts goes to the gate as nobody's, which refuses it and keeps its row.
    """
    bench = Bench()
    connection, _ = bench.connect()
    connection.dataReceived(request(capability_token=token))
    [call] = bench.calls
    assert (call.principal.name, call.principal.refused) == (name, refused)


def test_what_is_no_request_is_answered_and_the_connection_lives() -> None:
    """
    One bad line costs nothing but itself.
    """
    bench = Bench()
    connection, transport = bench.connect()
    connection.dataReceived(b"what\n" + request())
    assert told(transport)[0]["error"]["code"] == "malformed_body"
    assert len(bench.calls) == 1


def test_a_line_without_an_end_ends_the_connection() -> None:
    """
    A client that never ends its line cannot fill our memory.
    """
    bench = Bench()
    connection, transport = bench.connect()
    connection.dataReceived(request())
    connection.dataReceived(b"x" * (HTTP_BODY_BYTES + 1))
    connection.dataReceived(request(2))
    assert [one["error"]["code"] for one in told(transport)] == ["body_too_large", "cancelled"]
    assert transport.disconnecting
    assert len(bench.calls) == 1


def test_whoever_hangs_up_wants_nothing_any_more() -> None:
    """
    An interrupted command does not go on in the daemon.
    """
    bench = Bench()
    connection, _ = bench.connect()
    connection.dataReceived(request(deadline_ms=1000))
    hang_up(connection)
    assert bench.calls[0].stopped == ["cancelled"]
    assert bench.calls[0].undone == 1
    assert bench.factory.connections == set()
    assert bench.clock.getDelayedCalls() == []


def test_a_call_ends_at_its_deadline() -> None:
    """
    Who gives a call a second gets an answer after a second.
    """
    bench = Bench()
    connection, transport = bench.connect()
    connection.dataReceived(request(deadline_ms=1000) + request(2, deadline_ms=500))
    bench.calls[1].succeed()
    bench.clock.advance(1)
    assert [one.stopped for one in bench.calls] == [["command_timeout"], []]
    assert [one["ok"] for one in told(transport)] == [True, False]


def test_ids_and_calls_at_once_are_bounded() -> None:
    """
    The same id twice, or too many at once, is refused before anything is done.
    """
    bench = Bench()
    connection, transport = bench.connect()
    connection.dataReceived(request(0) + request(0))
    for number in range(1, CALLS_IN_FLIGHT + 1):
        connection.dataReceived(request(number))
    assert len(bench.calls) == CALLS_IN_FLIGHT
    assert [one["error"]["code"] for one in told(transport)] == ["duplicate_request", "too_many_calls"]
    bench.calls[0].succeed()
    connection.dataReceived(request(0))
    assert len(bench.calls) == CALLS_IN_FLIGHT + 1


def test_a_client_that_does_not_read_is_not_read() -> None:
    """
    Answers do not pile up for somebody who only writes.
    """
    connection, transport = Bench().connect()
    connection.pauseProducing()
    assert transport.producerState == "paused"
    connection.resumeProducing()
    assert transport.producerState == "producing"


def test_the_number_of_connections_is_bounded() -> None:
    """
    A program that leaks connections is stopped at a limit, and others are served once it is gone.
    """
    bench = Bench()
    opened = [bench.connect()[0] for _ in range(RPC_CONNECTIONS)]
    assert bench.factory.buildProtocol(UNIXAddress(None)) is None
    hang_up(opened[0])
    bench.connect()


@pytest.mark.parametrize("serving", [False, True])
def test_a_daemon_that_takes_no_calls_says_so(*, serving: bool) -> None:
    """
    While it starts and while it stops the answer is to try again.
    """
    bench = Bench(serving=serving)
    if serving:
        bench.life.drain()
    connection, transport = bench.connect()
    connection.dataReceived(request())
    assert told(transport)[0]["error"]["code"] == ("shutting_down" if serving else "not_ready")
    assert bench.calls == []


def test_a_stop_answers_what_runs_and_hangs_up() -> None:
    """
    A command that waits when the daemon stops is told why, and the stop waits for nobody else.
    """
    bench = Bench()
    connection, transport = bench.connect()
    idle, idle_transport = bench.connect()
    connection.dataReceived(request())
    drained = bench.factory.drain()
    assert told(transport)[0]["error"]["code"] == "shutting_down"
    assert transport.disconnecting
    assert idle_transport.disconnecting
    hang_up(connection)
    assert not drained.called
    hang_up(idle)
    assert drained.called
    assert bench.factory.drain().called


def test_our_own_fault_is_answered(logged_failures: Any) -> None:
    """
    A bug between the gate and the wire leaves no client waiting.
    """
    bench = Bench()
    connection, transport = bench.connect()
    connection.dataReceived(request())
    bench.calls[0].answered.errback(ZeroDivisionError())
    assert told(transport)[0]["error"]["code"] == "internal_error"
    assert len(logged_failures.flush(ZeroDivisionError)) == 1


def test_the_calls_of_a_token_end_with_it() -> None:
    """
    What a revoked token has running on the socket is answered with the reason; other calls run on.
    """
    bench = Bench()
    connection, transport = bench.connect()
    connection.dataReceived(request(1, capability_token=RIGHT) + request(2))
    assert list(bench.factory.token_ids()) == [NAME]
    bench.factory.dismiss(NAME, Refusal(RefusalCode.TOKEN_REVOKED, "revoked"))
    assert [one.stopped for one in bench.calls] == [["token_revoked"], []]
    assert [one["request_id"] for one in told(transport)] == [1]
    assert list(bench.factory.token_ids()) == []
