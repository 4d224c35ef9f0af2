"""
Requests that are worked on: answered once, or not at all where nobody wants it.
"""

from __future__ import annotations

from typing import Any

import pytest
from twisted.internet.defer import CancelledError, Deferred

from reticle.dispatch.call import Call, Caller
from reticle.dispatch.in_flight import InFlight, Running
from reticle.dispatch.outstanding import Outstanding
from reticle.errors import PeerFault
from reticle.model.codes import Carrier
from reticle.model.limits import CALLS_IN_FLIGHT
from reticle.model.trust import LOCAL
from reticle.testing.replies import RecordedReplies


class Bench:
    """
    A table of requests whose work the test ends by hand.
    """

    def __init__(self) -> None:
        self.in_flight = InFlight()
        self.works: list[Deferred[bytes]] = []

    def start(self, request_id: object, replies: RecordedReplies | None = None) -> RecordedReplies:
        """
        One body with one request.
        """
        replies = replies or RecordedReplies()
        body = Outstanding(replies)
        call = Call(Caller(LOCAL, Carrier.HTTP, "c"), "t")
        self.in_flight.start(Running(request_id, call, body), self._work)  # type: ignore[arg-type]  # an id
        body.settle()
        return replies

    async def _work(self, call: Call) -> bytes:
        work: Deferred[bytes] = Deferred()
        self.works.append(work)
        try:
            return await call.run(work)
        except CancelledError:
            return b'{"stopped":true}'


def error(replies: RecordedReplies) -> str:
    """
    The code of the one error that was answered.
    """
    assert replies.ended
    [answer] = replies.answers()
    [fault] = [entry[1] for entry in replies.log if isinstance(entry, tuple)]
    assert isinstance(fault, PeerFault)
    assert answer["error"]["data"]["code"] == fault.code
    return fault.code


def test_each_body_gets_its_own_answer() -> None:
    """
    Two requests that overlap end in any order, each on its own response.
    """
    bench = Bench()
    first, second = bench.start(1), bench.start("1")
    assert bench.in_flight.busy
    bench.works[1].callback(b"{}")
    assert second.answers() == [{"jsonrpc": "2.0", "id": "1", "result": {}}]
    assert second.ended
    assert first.log == []
    bench.works[0].callback(b'{"a":1}')
    assert first.answers() == [{"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}]
    assert not bench.in_flight.busy


def test_a_fault_is_an_error_with_the_id() -> None:
    """
    A resource that does not exist is told as such, and the carrier can choose its status by it.
    """
    bench = Bench()
    replies = bench.start(1)
    bench.works[0].errback(PeerFault("resource_unknown", "no", -32002, {"uri": "a://b"}))
    assert error(replies) == "resource_unknown"
    assert replies.answers()[0]["error"] == {
        "code": -32002,
        "message": "no",
        "data": {"code": "resource_unknown", "uri": "a://b"},
    }


def test_an_answer_that_cannot_leave_holds_nobody_up(logged_failures: Any) -> None:
    """
    A bug on an answer's way out ends that response; a stop does not wait for it.
    """

    class Stuck(RecordedReplies):
        def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
            raise ZeroDivisionError(message, fault)

    bench = Bench()
    replies = bench.start(1, Stuck())
    ready: list[None] = []
    bench.in_flight.drain("stop").addCallback(ready.append)
    assert ready == [None]
    assert replies.log == ["done"]
    assert len(logged_failures.flush(ZeroDivisionError)) == 1


def test_a_cancelled_request_ends_without_an_answer() -> None:
    """
    Its response ends, nothing is said, and its id is free at once.
    """
    bench = Bench()
    replies = bench.start(1)
    bench.in_flight.cancel(1)
    bench.in_flight.cancel(1)
    bench.in_flight.cancel(2)
    assert replies.log == ["done"]
    again = bench.start(1)
    bench.works[1].callback(b"{}")
    assert again.answers() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


@pytest.mark.parametrize("request_id", [1, "a"])
def test_an_id_runs_once(request_id: object) -> None:
    """
    The second request of an id is refused and the first one runs on.
    """
    bench = Bench()
    bench.start(request_id)
    assert error(bench.start(request_id)) == "duplicate_request"
    assert bench.in_flight.busy


def test_the_bound() -> None:
    """
    One request too many is refused, also inside a body of its own.
    """
    bench = Bench()
    for number in range(CALLS_IN_FLIGHT):
        bench.start(number)
    assert error(bench.start("more")) == "too_many_calls"


def test_draining_answers_and_refuses() -> None:
    """
    What runs is answered when the daemon stops, and what comes then is told so.
    """
    bench = Bench()
    replies, ready = bench.start(1), list[Any]()
    bench.in_flight.drain("stop").addCallback(ready.append)
    assert replies.answers() == [{"jsonrpc": "2.0", "id": 1, "result": {"stopped": True}}]
    assert ready == [None]
    assert error(bench.start(2)) == "shutting_down"


def test_closing_is_silent() -> None:
    """
    When the client is gone its work stops and nothing is written to a connection that has another owner.
    """
    bench = Bench()
    replies = bench.start(1)
    bench.in_flight.close()
    assert replies.log == ["done"]
    assert not bench.in_flight.busy


def test_a_bug_is_answered(logged_failures: Any) -> None:
    """
    Our own fault leaves the client with an error and the other requests alone.
    """
    bench = Bench()
    replies = bench.start(1)
    bench.works[0].errback(ZeroDivisionError())
    assert error(replies) == "internal_error"
    assert len(logged_failures.flush(ZeroDivisionError)) == 1


@pytest.mark.parametrize("alone", [True, False])
def test_a_lost_connection_stops_what_waits_for_its_client_alone(*, alone: bool) -> None:
    """
    A wait for work ends with its connection, and what was done for it is undone; any other call goes on,
    since its client may come back for the answer.
    """
    bench = Bench()
    replies, others = bench.start(1), bench.start(2)
    undone: list[int] = []
    for running in list(bench.in_flight._running):
        running.call.ends_with_connection = alone
        running.call.unheard.append(lambda: undone.append(1))
    bench.in_flight.hung_up(replies)
    stopped = [{"jsonrpc": "2.0", "id": 1, "result": {"stopped": True}}]
    assert replies.answers() == (stopped if alone else [])
    assert others.answers() == []
    assert undone == ([1] if alone else [])


def test_an_answer_that_nobody_wants_is_undone() -> None:
    """
    A client that cancelled, or whose stream is gone, leaves nothing behind.
    """
    bench = Bench()
    undone: list[int] = []
    bench.start(1)
    bench.start(2)
    for running in list(bench.in_flight._running):
        running.call.unheard.append(lambda: undone.append(1))
    bench.in_flight.cancel(1)
    assert undone == [1]
    bench.in_flight.close()
    assert undone == [1, 1]
