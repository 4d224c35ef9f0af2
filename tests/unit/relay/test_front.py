"""
One client's front over a scripted link.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from reticle.model.relay_limits import LIST_SECONDS, PATIENCE_SECONDS, PENDING_REQUESTS
from reticle.relay.front import Front
from reticle.relay.memory import VERSION_KEY, Memory
from reticle.relay.offer import MODERN, Offer
from reticle.relay.trouble import Cause, Trouble

LOST = Trouble(Cause.BROKEN, "the link was lost")
AWAY = Trouble(Cause.NOBODY, "nothing listens", "reticle serve")
WEDGED = Trouble(Cause.SILENT, "port 4400 is silent (pid 7)")
INITIALIZE: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "t", "version": "1"},
}


class ScriptedCarrier:
    """
    Provides ``Carrier``. ``posted`` holds what went to the daemon, ``wanted`` how often a link was wanted.
    """

    def __init__(self) -> None:
        self.ready = False
        self.wanted = 0
        self.posted: list[tuple[str, dict[str, Any]]] = []

    def want(self, now: float) -> None:
        """
        Count.
        """
        del now
        self.wanted += 1

    def post(self, body: bytes, key: str) -> None:
        """
        Keep.
        """
        self.posted.append((key, json.loads(body)))

    def methods(self) -> list[str]:
        """
        The methods of what was posted since the last look.
        """
        found = [body.get("method", "response") for _, body in self.posted]
        self.posted.clear()
        return found


class Bench:
    """
    A front, its carrier and its client's end.
    """

    def __init__(self, *, ready: bool = True) -> None:
        self.said: list[Any] = []
        self.carrier = ScriptedCarrier()
        self.front = Front(Offer(None), Memory("t", "2025-11-25"), self._hear)
        self.front.attach(self.carrier)
        if ready:
            self.open()

    def _hear(self, line: bytes) -> None:
        assert b"\n" not in line
        self.said.append(json.loads(line))

    def open(self) -> None:
        """
        A link stands.
        """
        self.carrier.ready = True
        self.front.link_opened()

    def lose(self, trouble: Trouble = LOST) -> None:
        """
        The link is gone.
        """
        self.carrier.ready = False
        self.front.link_lost(trouble)

    def client(self, identity: object, method: str, now: float = 0.0, **params: object) -> None:
        """
        The client sends a request, or a notification with None as id.
        """
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
        if identity is not None:
            message["id"] = identity
        self.front.take_line(json.dumps(message).encode(), now)

    def call(self, identity: object, name: str, now: float = 0.0) -> None:
        """
        The client calls a tool, and it leaves if a link stands.
        """
        self.client(identity, "tools/call", now, name=name, arguments={})
        if self.carrier.ready:
            self.front.left(json.dumps(identity))

    def daemon(self, now: float = 0.0, **message: object) -> None:
        """
        The daemon says something.
        """
        self.front.arrived(json.dumps({"jsonrpc": "2.0", **message}), now)

    def take(self) -> list[Any]:
        """
        What the client got since the last look.
        """
        found, self.said[:] = list(self.said), []
        return found


def test_a_call_goes_through_and_comes_back() -> None:
    """
    Ids of any kind come back as they were, and bodies untouched.
    """
    bench = Bench()
    bench.call("a", "reticle_act")
    assert bench.carrier.posted[-1][0] == '"a"'
    bench.daemon(id="a", result={"x": 1})
    assert bench.take() == [{"jsonrpc": "2.0", "id": "a", "result": {"x": 1}}]
    assert not bench.front.busy


def test_a_second_answer_is_dropped() -> None:
    """
    Whatever the daemon sends again, the client gets one answer.
    """
    bench = Bench()
    bench.call(1, "reticle_act")
    for _ in range(2):
        bench.daemon(id=1, result={})
    bench.daemon(id=99, result={})
    assert len(bench.take()) == 1


def test_an_act_lost_on_the_way_is_told_and_not_repeated() -> None:
    """
    SP-05 (b): one error under the call's own id; the next link does not carry the call again.
    """
    bench = Bench()
    bench.call(1, "reticle_act")
    bench.carrier.methods()
    bench.lose()
    (answer,) = bench.take()
    assert (answer["id"], answer["error"]["data"]["code"]) == (1, "outcome_unknown")
    assert "may have happened" in answer["error"]["message"]
    bench.open()
    assert "tools/call" not in bench.carrier.methods()
    bench.daemon(id=1, result={})
    assert bench.take() == []


def test_an_act_that_never_left_goes_out_silently() -> None:
    """
    SP-05 (a): nothing has happened yet, so nothing is told.
    """
    bench = Bench()
    bench.client(1, "tools/call", name="reticle_act")
    bench.carrier.methods()
    bench.lose()
    assert bench.take() == []
    bench.open()
    assert bench.carrier.methods().count("tools/call") == 1


def test_a_read_goes_out_once_more() -> None:
    """
    SP-05: a read is repeated unseen; a second loss is told.
    """
    bench = Bench()
    for _ in range(2):
        bench.call(1, "reticle_snapshot") if not bench.front.busy else bench.front.left("1")
        bench.carrier.methods()
        bench.lose()
        bench.open()
    (answer,) = bench.take()
    assert answer["error"]["data"]["code"] == "outcome_unknown"
    assert "repeat it" in answer["error"]["message"]


def test_the_next_link_learns_of_the_client_first() -> None:
    """
    SP-02: the handshake is replayed before what waits, and its answer is not shown.
    """
    bench = Bench()
    bench.client(1, "initialize", **INITIALIZE)
    bench.client(None, "notifications/initialized")
    bench.lose()
    bench.call(2, "reticle_act")
    assert bench.carrier.wanted == 1
    bench.carrier.methods()
    bench.open()
    sent = [(key, body.get("id")) for key, body in bench.carrier.posted]
    assert bench.carrier.methods() == ["initialize", "notifications/initialized", "tools/list", "tools/call"]
    bench.take()
    bench.daemon(id=sent[0][1], result={"protocolVersion": "2025-11-25", "capabilities": {}})
    bench.daemon(id=sent[2][1], result={"tools": []})
    assert bench.take() == []


def test_a_cancelled_request_is_never_answered() -> None:
    """
    Neither by the daemon, nor by a loss, nor for want of a daemon.
    """
    bench = Bench()
    bench.call(1, "reticle_act")
    bench.client(None, "notifications/cancelled", requestId=1)
    assert bench.carrier.methods()[-1] == "notifications/cancelled"
    bench.daemon(id=1, result={})
    bench.lose()
    bench.call(2, "reticle_act")
    bench.client(None, "notifications/cancelled", requestId=2)
    bench.front.attempt_failed(WEDGED, 99.0)
    bench.open()
    assert "tools/call" not in bench.carrier.methods()
    assert bench.take() == []


def test_a_request_waits_for_a_moment_only() -> None:
    """
    A restart is waited for; then the agent hears that nothing was sent, and what to do.
    """
    bench = Bench(ready=False)
    bench.call(1, "reticle_act", now=0.0)
    bench.front.attempt_failed(AWAY, PATIENCE_SECONDS - 1)
    assert bench.take() == []
    bench.front.attempt_failed(AWAY, PATIENCE_SECONDS)
    (answer,) = bench.take()
    assert answer["error"]["data"] == {"code": "daemon_unreachable", "recovery": "reticle serve"}
    assert "nothing was sent" in answer["error"]["message"]


def test_trouble_that_stays_is_told_at_once() -> None:
    """
    SP-04: a wedged port is named to everybody who waits.
    """
    bench = Bench(ready=False)
    bench.call(1, "reticle_act", now=10.0)
    bench.front.attempt_failed(WEDGED, 10.0)
    assert "pid 7" in bench.take()[0]["error"]["message"]


def test_the_tool_list_is_there_without_a_daemon() -> None:
    """
    SP-02: from memory after a second, or as soon as an attempt has failed.
    """
    bench = Bench(ready=False)
    bench.client(1, "tools/list", now=5.0)
    assert bench.front.deadline() == 5.0 + LIST_SECONDS
    bench.front.tick(5.0)
    assert bench.take() == []
    bench.front.tick(5.0 + LIST_SECONDS)
    assert len(bench.take()[0]["result"]["tools"]) > 10
    bench.client(2, "tools/list", now=6.0)
    bench.front.attempt_failed(AWAY, 6.0)
    assert bench.take()[0]["id"] == 2


def test_a_list_that_differs_is_announced() -> None:
    """
    SP-07: the client was shown a list from memory and the daemon has another.
    """
    bench = Bench(ready=False)
    bench.client(1, "initialize", **INITIALIZE)
    bench.client(2, "tools/list")
    bench.front.attempt_failed(AWAY, 0.0)
    bench.take()
    bench.open()
    ours = next(body["id"] for _, body in bench.carrier.posted if body["method"] == "tools/list")
    bench.daemon(id=ours, result={"tools": [{"name": "new"}]})
    assert [each["method"] for each in bench.take()] == ["notifications/tools/list_changed"]


def test_an_answer_to_an_earlier_links_question_goes_nowhere() -> None:
    """
    A new daemon must not take an old answer for one to its own question.
    """
    bench = Bench()
    bench.daemon(id="q", method="elicitation/create", params={})
    bench.lose()
    asked, withdrawn = bench.take()
    assert asked["method"] == "elicitation/create"
    assert withdrawn == {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "q"}}
    bench.open()
    bench.carrier.methods()
    bench.front.take_line(b'{"jsonrpc":"2.0","id":"q","result":{}}', 0.0)
    assert bench.carrier.methods() == []
    bench.daemon(id="q", method="elicitation/create", params={})
    bench.front.take_line(b'{"jsonrpc":"2.0","id":"q","result":{}}', 0.0)
    assert bench.carrier.methods() == ["response"]


def test_a_message_that_the_daemon_refuses_is_told() -> None:
    """
    A status is not swallowed: its words reach the agent.
    """
    bench = Bench()
    bench.call(1, "reticle_act")
    bench.front.refused("1", 413, "request body too large")
    (answer,) = bench.take()
    assert answer["error"]["data"]["code"] == "daemon_refused"
    assert "413" in answer["error"]["message"]


def test_what_the_daemon_did_not_take_is_sent_again() -> None:
    """
    A daemon that stops or starts gives 503: also an act is sent to the next one, unseen.
    """
    bench = Bench()
    bench.call(1, "reticle_act")
    bench.front.untaken("1")
    bench.lose()
    assert bench.take() == []
    bench.carrier.methods()
    bench.open()
    assert "tools/call" in bench.carrier.methods()


def test_a_broken_post_is_doubted_alone() -> None:
    """
    The stream stands: only the message on the broken connection is in doubt.
    """
    bench = Bench()
    bench.call(1, "reticle_act")
    bench.call(2, "reticle_snapshot")
    bench.call(3, "reticle_act")
    bench.carrier.methods()
    bench.front.doubted("2")
    assert bench.carrier.methods() == ["tools/call"]
    bench.front.doubted("1")
    bench.daemon(id=3, result={})
    bench.daemon(id=2, result={})
    assert [(each["id"], "result" in each) for each in bench.take()] == [(1, False), (3, True), (2, True)]


def test_a_read_that_the_daemon_had_taken_after_all_gets_its_answer() -> None:
    """
    A read whose connection broke is sent again while the first one runs: the client gets the first one's
    answer, and not that its own request is in its way.
    """
    bench = Bench()
    bench.call(1, "reticle_snapshot")
    bench.front.doubted("1")
    duplicate = {
        "code": -32600,
        "message": "request 1 is still running",
        "data": {"code": "duplicate_request"},
    }
    bench.daemon(id=1, error=duplicate)
    assert bench.take() == []
    bench.daemon(id=1, result={"x": 1})
    assert [each["result"] for each in bench.take()] == [{"x": 1}]


def test_a_read_that_left_once_is_not_said_to_have_stayed() -> None:
    """
    What a client is told of a request to a daemon that fell silent is true: that one had been sent.
    """
    bench = Bench()
    bench.call(1, "reticle_snapshot")
    bench.lose(WEDGED)
    bench.client(2, "resources/list")
    bench.front.attempt_failed(WEDGED, PATIENCE_SECONDS)
    first, second = (each["error"]["message"] for each in bench.take())
    assert first.endswith("it only reads: repeat it")
    assert second.endswith("nothing was sent")


def test_a_listen_outlives_the_link() -> None:
    """
    A modern client's subscription is renewed, and keeps no daemon alive by itself.
    """
    bench = Bench()
    meta = {VERSION_KEY: MODERN}
    bench.client("l", "subscriptions/listen", _meta=meta, notifications={"toolsListChanged": True})
    bench.front.left('"l"')
    bench.carrier.methods()
    bench.daemon(id="l", result={"resultType": "complete"})
    bench.lose()
    assert bench.take() == []
    assert not bench.front.waiting
    bench.front.attempt_failed(WEDGED, 99.0)
    bench.open()
    assert bench.carrier.methods() == ["server/discover", "tools/list", "subscriptions/listen"]
    assert bench.take() == []


def test_too_many_requests_are_refused_one_by_one() -> None:
    """
    A client that never waits costs bounded memory and hears which request was too much.
    """
    bench = Bench(ready=False)
    for number in range(PENDING_REQUESTS + 1):
        bench.call(number, "reticle_act")
    (answer,) = bench.take()
    assert (answer["id"], answer["error"]["data"]["code"]) == (PENDING_REQUESTS, "too_many_calls")


def test_large_requests_are_bounded_together() -> None:
    """
    Pasted files that wait for a daemon do not fill the memory; which one was too much is told.
    """
    bench = Bench(ready=False)
    for number in range(10):
        bench.client(number, "tools/call", name="x", arguments={"file": "x" * 8_000_000})
    assert {each["error"]["data"]["code"] for each in bench.take()} == {"too_many_calls"}
    bench.front.attempt_failed(WEDGED, 0.0)
    bench.take()
    bench.call(99, "reticle_act")
    assert bench.take() == []


def test_an_id_in_use_is_refused() -> None:
    """
    Two requests of one id could not be told apart.
    """
    bench = Bench()
    bench.call(1, "reticle_act")
    bench.call(1, "reticle_act")
    assert bench.take()[0]["error"]["data"]["code"] == "duplicate_request"


def batch_bench(*, ready: bool = True) -> Bench:
    """
    A client of the revision that has batches.
    """
    bench = Bench(ready=ready)
    bench.client(1, "initialize", **{**INITIALIZE, "protocolVersion": "2025-03-26"})
    bench.take()
    bench.carrier.posted.clear()
    return bench


def batch(*entries: tuple[int, str] | str) -> bytes:
    """
    A line of requests (id and tool, or id and method) and notifications.
    """
    messages: list[dict[str, object]] = []
    for entry in entries:
        if isinstance(entry, str):
            messages.append({"method": entry})
        elif entry[1].startswith("reticle_"):
            params = {"name": entry[1], "arguments": {}}
            messages.append({"id": entry[0], "method": "tools/call", "params": params})
        else:
            messages.append({"id": entry[0], "method": entry[1]})
    return json.dumps([{"jsonrpc": "2.0", **each} for each in messages]).encode()


def test_a_batch_has_one_answer() -> None:
    """
    One array with what the front and the daemon said, once all of it is there.
    """
    bench = batch_bench()
    line = batch(
        (5, "ping"), "notifications/x", (6, "reticle_act"), (7, "initialize"), (8, "reticle_snapshot")
    )
    bench.front.take_line(line, 0.0)
    assert bench.carrier.methods() == ["notifications/x", "tools/call", "tools/call"]
    bench.daemon(id=8, result={"n": 8})
    bench.daemon(method="notifications/progress", params={"progressToken": 1, "progress": 1})
    assert [each["method"] for each in bench.take()] == ["notifications/progress"]
    bench.daemon(id=6, result={"n": 6})
    [array] = bench.take()
    assert {each["id"]: each.get("result", {}).get("n") for each in array} == {5: None, 6: 6, 7: None, 8: 8}
    assert "initialize" in array[0]["error"]["message"]


def test_a_batch_of_notifications_has_no_answer() -> None:
    """
    Nothing is said to what wants no answer.
    """
    bench = batch_bench()
    bench.front.take_line(batch("notifications/x", "notifications/y"), 0.0)
    assert bench.carrier.methods() == ["notifications/x", "notifications/y"]
    assert bench.take() == []


def test_a_batch_while_the_daemon_is_away() -> None:
    """
    Its list comes from memory, its calls fail with the reason, and all of that in one array.
    """
    bench = batch_bench(ready=False)
    bench.front.take_line(batch((5, "reticle_act"), (6, "tools/list"), (7, "ping")), 0.0)
    bench.front.tick(LIST_SECONDS)
    assert bench.take() == []
    bench.front.attempt_failed(AWAY, PATIENCE_SECONDS)
    [array] = bench.take()
    assert [each["id"] for each in array] == [7, 6, 5]
    assert array[2]["error"]["data"]["code"] == "daemon_unreachable"
    assert array[1]["result"]["tools"]


def test_a_batch_over_a_lost_link() -> None:
    """
    What only reads is asked again, what may have happened is told so; one array in the end.
    """
    bench = batch_bench()
    bench.front.take_line(batch((5, "reticle_act"), (6, "reticle_snapshot")), 0.0)
    bench.front.left("5")
    bench.front.left("6")
    bench.lose()
    assert bench.take() == []
    bench.open()
    bench.daemon(id=6, result={})
    [array] = bench.take()
    assert [each["id"] for each in array] == [5, 6]
    assert array[0]["error"]["data"]["code"] == "outcome_unknown"


@pytest.mark.parametrize("first", [5, 6])
def test_cancelled_entries_of_a_batch(first: int) -> None:
    """
    A cancelled entry is left out, whether the others are answered before or behind it; a batch of nothing
    else is not answered.
    """
    bench = batch_bench()
    bench.front.take_line(batch((5, "reticle_act"), (6, "reticle_act")), 0.0)
    if first == 6:
        bench.daemon(id=6, result={})
    bench.client(None, "notifications/cancelled", requestId=5)
    if first == 5:
        bench.daemon(id=6, result={})
    bench.daemon(id=5, result={})
    assert bench.take() == [[{"jsonrpc": "2.0", "id": 6, "result": {}}]]
    bench.front.take_line(batch((7, "reticle_act")), 0.0)
    bench.client(None, "notifications/cancelled", requestId=7)
    assert bench.take() == []


def test_a_cancellation_before_its_request_is_none() -> None:
    """
    In an array the order counts as between lines: what was not asked yet cannot be given up.
    """
    bench = batch_bench()
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}
    ping = {"jsonrpc": "2.0", "id": 5, "method": "ping"}
    bench.front.take_line(json.dumps([cancel, ping]).encode(), 0.0)
    assert [each["id"] for each in bench.take()[0]] == [5]


def test_starting_over_answers_all() -> None:
    """
    After a bug of ours nobody waits for ever, and the next link is brought to where the client is.
    """
    bench = batch_bench()
    bench.call(5, "reticle_act")
    bench.call(6, "reticle_snapshot")
    bench.daemon(id="q", method="elicitation/create", params={})
    bench.take()
    bench.front.start_over("KeyError")
    said = bench.take()
    assert [each.get("id", each.get("method")) for each in said] == [5, 6, "notifications/cancelled"]
    assert "may have happened" in said[0]["error"]["message"]
    assert "repeat it" in said[1]["error"]["message"]
    assert not bench.front.busy
    bench.lose()
    bench.open()
    assert bench.carrier.methods()[-2:] == ["initialize", "tools/list"]


def test_who_is_left_alone_answers_all() -> None:
    """
    A client that closed its end and still reads learns what became of each request, once.
    """
    bench = batch_bench()
    bench.call(5, "reticle_act")
    bench.call(6, "reticle_snapshot")
    bench.take()
    bench.front.leave()
    said = bench.take()
    assert [(each["id"], each["error"]["data"]["code"]) for each in said] == [
        (5, "outcome_unknown"), (6, "outcome_unknown"),
    ]  # fmt: skip
    assert not bench.front.busy
    bench.front.leave()
    bench.daemon(id=5, result={})
    assert bench.take() == []


def test_an_overlong_line_is_told() -> None:
    """
    The client hears that its line was dropped.
    """
    bench = Bench()
    bench.front.refuse_overlong()
    assert bench.take()[0]["error"]["data"]["code"] == "malformed_body"
