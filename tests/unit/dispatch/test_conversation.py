"""
One agent's messages, calls and answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import attrs
import mcp_types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import PeerFault, Refusal
from reticle.model.codes import Capability, Carrier, LogLevel, RefusalCode, Toolset
from reticle.model.limits import CALLS_IN_FLIGHT
from reticle.model.mcp import Agreed, ClientCapabilities, Question, ResourceUpdated
from reticle.model.trust import LOCAL
from reticle.ports import CallContext
from reticle.testing.gate import GateBench, NoArguments, scripted_tool
from reticle.testing.modern import modern_request, send_modern
from reticle.testing.replies import RecordedReplies
from reticle.testing.sinks import RecordedSink
from reticle.testing.tokens import a_grant
from reticle.tools.spec import ToolAnswer


def call(request_id: object, name: str = "test_wait", token: object = None, **arguments: object) -> bytes:
    """
    A tools/call.
    """
    params: dict[str, Any] = {"name": name, "arguments": arguments}
    if token is not None:
        params["_meta"] = {"progressToken": token}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}).encode()


def cancel(request_id: object) -> bytes:
    """
    A cancellation.
    """
    params = {"requestId": request_id}
    return json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).encode()


def request(method: str, request_id: object = 1, **params: object) -> bytes:
    """
    Any other request.
    """
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}).encode()


class Full(RecordedReplies):
    """
    Where one answer is one too many.
    """

    def __init__(self, close: Callable[[], None]) -> None:
        super().__init__()
        self._close = close

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        Take it, and end the stream.
        """
        super().answer(message, fault)
        self._close()


@pytest.mark.parametrize(
    ("version", "structured"),
    [(None, True), ("2024-11-05", False), ("2025-03-26", False), ("2025-06-18", True), ("2025-11-25", True)],
)
def test_a_whole_dialogue_per_revision(version: str | None, structured: bool) -> None:  # noqa: FBT001 - a table
    """
    Handshake, list and call give replies that the official types accept, in the revision's words.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    if version is not None:
        conversation.receive(request("initialize", 0, protocolVersion=version))
        conversation.receive(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        assert sink.take()[0]["result"]["protocolVersion"] == version
    conversation.receive(request("tools/list", 1))
    conversation.receive(call("2", "test_echo", text="hi"))
    conversation.receive(call(3, "test_refuse"))
    listed, echoed, refused = sink.take()
    tools = mcp_types.ListToolsResult.model_validate(listed["result"], strict=True).tools
    assert [tool.name for tool in tools] == [
        "test_echo", "test_refuse", "test_break", "test_wait", "reticle_tools", "reticle_run",
    ]  # fmt: skip
    assert [listed["id"], echoed["id"], refused["id"]] == [1, "2", 3]
    for message, failed in ((echoed, False), (refused, True)):
        result = mcp_types.CallToolResult.model_validate(message["result"], strict=True)
        assert result.is_error is failed
        assert ("structuredContent" in message["result"]) is structured
    assert echoed["result"]["content"] == [{"type": "text", "text": "text: hi\nsessionId: null"}]


def test_twenty_agents_with_the_same_id() -> None:
    """
    Agents that all call with id 1 get their own answers, in whatever order these come.
    """
    bench = GateBench()
    agents = [bench.open() for _ in range(20)]
    for conversation, _ in agents:
        conversation.receive(call(1))
    for number in (*range(0, 20, 2), *range(19, 0, -2)):
        bench.waiting.waits[number].callback(f"for {number}")
    for number, (_, sink) in enumerate(agents):
        [message] = sink.take()
        assert (message["id"], message["result"]["structuredContent"]["said"]) == (1, f"for {number}")
    assert len({row.audit_id for row in bench.audit.rows}) == 20


def test_ids_of_two_kinds_do_not_meet() -> None:
    """
    Calls 1 and "1" run side by side and each is answered as what it was.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(call(1))
    conversation.receive(call("1"))
    conversation.receive(cancel(1))
    bench.waiting.waits[1].callback("text")
    assert [message["id"] for message in sink.take()] == ["1"]


def test_an_id_that_is_running_is_refused() -> None:
    """
    A second call with a running id does not start; once the first is answered the id is free.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(call(1))
    conversation.receive(call(1))
    [refused] = sink.take()
    assert (refused["id"], refused["error"]["data"]["code"]) == (1, "duplicate_request")
    bench.waiting.waits[0].callback("x")
    conversation.receive(call(1, "test_echo", text="y"))
    assert [message["result"]["isError"] for message in sink.take()] == [False, False]
    assert len(bench.waiting.waits) == 1


def test_too_many_calls_are_refused_and_the_rest_runs_on() -> None:
    """
    An agent that floods is told so, cancelled calls that have not ended yet counted; others work.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    for number in range(CALLS_IN_FLIGHT):
        conversation.receive(call(number))
    conversation.receive(call("more"))
    conversation.receive(request("ping", "ping"))
    refused, pong = sink.take()
    assert refused["error"]["data"]["code"] == "too_many_calls"
    assert pong["result"] == {}
    conversation.receive(cancel(0))
    conversation.receive(call("now"))
    assert sink.take() == []
    other, other_sink = bench.open()
    other.receive(call(1, "test_echo", text="x"))
    assert len(other_sink.sent) == 1


def test_cancelling_stops_the_call_and_nothing_else() -> None:
    """
    A cancelled call gets no answer and its waits end; unknown, finished and foreign ids do nothing.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    other, other_sink = bench.open()
    conversation.receive(request("initialize", 9))
    conversation.receive(call(1))
    other.receive(call(1))
    sink.take()
    for request_id in (9, 77, "1", None, True):
        conversation.receive(cancel(request_id))
    assert bench.waiting.cancelled == 0
    conversation.receive(cancel(1))
    conversation.receive(cancel(1))
    assert bench.waiting.cancelled == 1
    bench.waiting.waits[1].callback("still here")
    assert sink.take() == []
    assert other_sink.take()[0]["result"]["structuredContent"]["said"] == "still here"
    assert bench.audit.decisions() == [("test_wait", "cancelled"), ("test_wait", "allowed")]
    conversation.receive(cancel(1))
    assert sink.take() == []


def test_cancelling_while_the_row_is_written() -> None:
    """
    A cancellation that crosses the answer wins: no answer, the row stays true, the id is free.
    """
    bench = GateBench()
    bench.audit.holding = True
    conversation, sink = bench.open()
    conversation.receive(call(1, "test_echo", text="x"))
    conversation.receive(cancel(1))
    conversation.receive(call(1, "test_echo", text="y"))
    bench.audit.commit()
    assert [message["result"]["structuredContent"]["text"] for message in sink.take()] == ["y"]
    assert bench.audit.decisions() == [("test_echo", "allowed"), ("test_echo", "allowed")]


def test_a_reused_id_belongs_to_the_new_call() -> None:
    """
    When a cancelled call ends late, the new call with its id can still be cancelled.
    """
    bench = GateBench()
    bench.audit.holding = True
    conversation, sink = bench.open()
    conversation.receive(call(1, "test_echo", text="x"))
    conversation.receive(cancel(1))
    conversation.receive(call(1))
    bench.audit.commit()
    conversation.receive(cancel(1))
    bench.audit.commit()
    assert (bench.waiting.cancelled, sink.take()) == (1, [])


def test_progress_only_for_those_who_asked() -> None:
    """
    Progress comes with the client's token, before the answer and not after it, and not unasked.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(call(1, token="t"))
    conversation.receive(call(2))
    [first] = sink.take()
    assert first["params"] == {"progressToken": "t", "progress": 1, "total": 2, "message": "waiting"}
    bench.waiting.waits[0].callback("x")
    bench.waiting.waits[1].callback("x")
    assert [message.get("method", message.get("id")) for message in sink.take()] == [
        "notifications/progress", 1, 2,
    ]  # fmt: skip


def test_progress_ends_with_a_cancellation() -> None:
    """
    Nothing is heard of a call after its cancellation, also while its tool tidies up.
    """

    async def stubborn(context: CallContext, _: NoArguments) -> ToolAnswer:
        try:
            await bench.waiting.run(context, NoArguments())
        finally:
            context.progress(9, 9, "tidied up")
        return ToolAnswer({})

    bench = GateBench([scripted_tool("test_stubborn", stubborn)])
    conversation, sink = bench.open()
    conversation.receive(call(1, "test_stubborn", token=1))
    sink.take()
    conversation.receive(cancel(1))
    assert sink.take() == []


def test_drain_answers_what_runs_and_refuses_what_comes() -> None:
    """
    At a stop every running call is answered, new ones are refused, and draining twice is fine.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(call(1))
    conversation.receive(call(2))
    ready: list[None] = []
    conversation.drain("SIGTERM").addCallback(ready.append)
    conversation.drain("SIGTERM").addCallback(ready.append)
    answers = sink.take()
    assert [(answer["id"], answer["result"]["structuredContent"]["error"]) for answer in answers] == [
        (1, "shutting_down"), (2, "shutting_down"),
    ]  # fmt: skip
    assert "SIGTERM" in answers[0]["result"]["structuredContent"]["message"]
    assert answers[0]["result"]["structuredContent"]["audit_id"] == "audit_1"
    assert ready == [None, None]
    conversation.receive(call(3, "test_echo", text="x"))
    conversation.receive(request("ping", 4))
    refused, pong = sink.take()
    assert (refused["error"]["code"], refused["error"]["data"]["code"]) == (-32603, "shutting_down")
    assert pong["result"] == {}


def test_a_conversation_can_end_for_another_reason_than_a_stop() -> None:
    """
    Whoever waits when its token ends is told so, and not that the daemon stops.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(call(1))
    assert conversation.drain("token", Refusal(RefusalCode.TOKEN_REVOKED, "revoked")).called
    [answer] = sink.take()
    assert answer["result"]["structuredContent"]["error"] == "token_revoked"


def test_drain_waits_for_rows_and_keeps_true_answers() -> None:
    """
    A call that has done its work when the stop comes is answered with it, once its row is committed.
    """
    bench = GateBench()
    bench.audit.holding = True
    conversation, sink = bench.open()
    conversation.receive(call(1, "test_echo", text="done"))
    conversation.receive(call(2))
    ready: list[None] = []
    conversation.drain("stop").addCallback(ready.append)
    assert (sink.take(), ready) == ([], [])
    bench.audit.commit()
    done, ended = sink.take()
    assert done["result"]["structuredContent"]["text"] == "done"
    assert ended["result"]["structuredContent"]["error"] == "shutting_down"
    assert ready == [None]


def test_drain_of_an_idle_conversation_is_over_at_once() -> None:
    """
    A stop does not wait for agents that do nothing.
    """
    conversation, _ = GateBench().open()
    ready: list[None] = []
    conversation.drain("stop").addCallback(ready.append)
    assert ready == [None]


def test_close_stops_everything_silently() -> None:
    """
    When the peer is gone its calls end, rows are kept, nothing is sent, and later bodies are dropped.
    """
    bench = GateBench()
    bench.audit.holding = True
    conversation, sink = bench.open()
    conversation.receive(call(1, token=1))
    conversation.receive(call(2, "test_echo", text="x"))
    sink.take()
    conversation.close()
    conversation.close()
    bench.audit.commit()
    conversation.receive(call(3))
    conversation.receive(b"no json")
    assert sink.take() == []
    assert bench.audit.decisions() == [("test_echo", "allowed"), ("test_wait", "cancelled")]
    assert bench.waiting.cancelled == 1


def test_closing_while_draining() -> None:
    """
    A peer that leaves during the stop does not keep the stop waiting.
    """
    bench = GateBench()
    bench.audit.holding = True
    conversation, sink = bench.open()
    conversation.receive(call(1))
    ready: list[None] = []
    conversation.drain("stop").addCallback(ready.append)
    conversation.close()
    bench.audit.commit()
    assert (ready, sink.take()) == ([None], [])


def test_a_body_that_is_no_message_is_for_the_transport() -> None:
    """
    A body that nobody can be answered for raises before anything was done.
    """
    conversation, sink = GateBench().open()
    with pytest.raises(PeerFault):
        conversation.receive(b"{")
    assert sink.take() == []


def test_an_answer_that_cannot_be_written(logged_failures: Any) -> None:
    """
    A tool whose answer is no JSON leaves its client with an error, not with silence.
    """

    async def odd(_: CallContext, __: NoArguments) -> ToolAnswer:
        return ToolAnswer({"thing": object()}, text="odd")

    bench = GateBench([scripted_tool("test_odd", odd)])
    conversation, sink = bench.open()
    conversation.receive(call(1, "test_odd"))
    assert sink.take()[0]["error"]["data"]["code"] == "internal_error"
    assert len(logged_failures.flush(TypeError)) == 1
    ready: list[None] = []
    conversation.drain("stop").addCallback(ready.append)
    assert ready == [None]


def test_each_body_gets_its_own_answers() -> None:
    """
    Over Streamable HTTP a call's progress and answer come on the response of its POST, nothing on the stream.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    waiting, quick = RecordedReplies(), RecordedReplies()
    conversation.receive(call(1, token="t"), waiting)
    conversation.receive(call(2, "test_echo", text="x"), quick)
    assert [answer["id"] for answer in quick.answers()] == [2]
    assert quick.ended
    assert conversation.busy
    bench.clock.advance(1)
    bench.waiting.waits[0].callback("now")
    assert [message["params"]["progress"] for message in waiting.told()] == [1, 2]
    assert [answer["id"] for answer in waiting.answers()] == [1]
    assert waiting.ended
    assert sink.take() == []
    assert not conversation.busy


def test_a_batch_is_done_after_its_last_answer() -> None:
    """
    The response of a batch ends only when each of its requests has its answer.
    """
    bench = GateBench()
    conversation, _ = bench.open()
    replies = RecordedReplies()
    body = b"[" + call(1) + b"," + request("ping", 2) + b',{"jsonrpc":"2.0","method":"notifications/x"}]'
    conversation.receive(body, replies)
    assert [answer["id"] for answer in replies.answers()] == [2]
    assert not replies.ended
    bench.waiting.waits[0].callback("now")
    assert [answer["id"] for answer in replies.answers()] == [2, 1]
    assert replies.ended


def test_a_batch_on_a_stream_has_one_array() -> None:
    """
    Where everything goes over one stream a batch is answered by one frame, without what was cancelled and not
    before the rest is there; what is told meanwhile goes at once.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    body = b"[" + b",".join([call(1), call(2, token="t"), request("ping", 3), call(4)]) + b"]"
    conversation.receive(body)
    conversation.receive(cancel(4))
    bench.waiting.waits[0].callback("now")
    bench.clock.advance(1)
    assert {message["method"] for message in sink.take()} == {"notifications/progress"}
    bench.waiting.waits[1].callback("now")
    array: Any = sink.take()[-1]
    assert [answer["id"] for answer in array] == [3, 1, 2]
    conversation.receive(b'[{"jsonrpc":"2.0","method":"notifications/x"}]')
    assert sink.take() == []


def test_a_batch_whose_stream_is_closed_says_nothing_more() -> None:
    """
    Who left gets no half of an array.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(b"[" + call(1) + b"," + request("ping", 3) + b"]")
    conversation.close()
    assert sink.take() == []


def test_a_cancelled_call_ends_its_response_without_an_answer() -> None:
    """
    The response of a cancelled call ends and holds no answer, so no client waits on it for ever.
    """
    bench = GateBench()
    conversation, _ = bench.open()
    replies = RecordedReplies()
    conversation.receive(call(1), replies)
    conversation.receive(cancel(1), RecordedReplies())
    assert replies.log == ["done"]


async def _ask(context: CallContext, _: NoArguments) -> ToolAnswer:
    schema = {"type": "object", "properties": {}}
    question = Question("elicitation/create", {"mode": "form", "message": "Sure?", "requestedSchema": schema})
    if not context.can_ask(question):
        return ToolAnswer({"asked": False})
    answers = await context.ask({"sure": question})
    context.log(LogLevel.DEBUG, "too fine")
    context.log(LogLevel.WARNING, {"heard": True}, "test")
    return ToolAnswer({"asked": True, "answer": answers["sure"]})


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {}}])
def test_a_tool_asks_in_the_middle_of_its_call(capabilities: dict[str, object]) -> None:
    """
    The person is asked on the call's own response and the answer reaches the tool; a client that declared
    nothing is not asked.
    """
    bench = GateBench([scripted_tool("test_ask", _ask)])
    conversation, sink = bench.open()
    conversation.receive(
        request("initialize", 0, protocolVersion="2025-06-18", capabilities=capabilities), RecordedReplies()
    )
    replies = RecordedReplies()
    conversation.receive(call(1, "test_ask"), replies)
    if capabilities:
        [question] = replies.told()
        assert question["method"] == "elicitation/create"
        response = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}}
        conversation.receive(json.dumps(response).encode(), RecordedReplies())
        assert [message["params"] for message in replies.told()[1:]] == [
            {"level": "warning", "logger": "test", "data": {"heard": True}}
        ]
    [answer] = replies.answers()
    assert answer["result"]["structuredContent"]["asked"] is bool(capabilities)
    assert replies.ended
    assert sink.take() == []


def test_a_question_that_is_open_when_the_client_leaves_is_withdrawn_silently() -> None:
    """
    A session that was ended while a person was asked says nothing more, and keeps nothing for anybody.
    """
    bench = GateBench([scripted_tool("test_ask", _ask)])
    conversation, sink = bench.open()
    conversation.receive(
        request("initialize", 0, protocolVersion="2025-06-18", capabilities={"elicitation": {}})
    )
    conversation.receive(call(1, "test_ask"))
    assert sink.take()[-1]["method"] == "elicitation/create"
    conversation.close()
    assert sink.take() == []
    assert bench.audit.decisions() == [("test_ask", "cancelled")]


def test_a_batch_whose_stream_ends_in_its_middle_begins_nothing_more() -> None:
    """
    An answer that no longer fits ends the stream of a slow reader; the acting call behind it is not begun.
    """
    bench = GateBench()
    conversation, _ = bench.open()
    full = Full(conversation.close)
    body = b"[" + request("ping", 2) + b"," + call(1) + b"]"
    conversation.receive(body, full)
    assert (bench.waiting.waits, bench.audit.rows) == ([], [])


def test_changes_are_told_after_a_handshake_and_as_subscribed() -> None:
    """
    A client is told of changes on its stream once it said hello, of a resource only when it subscribed.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    bench.notices.publish(ResourceUpdated("reticle://sessions"))
    conversation.receive(request("initialize", 0, protocolVersion="2025-11-25"))
    conversation.receive(request("resources/subscribe", 1, uri="reticle://sessions"))
    sink.take()
    bench.notices.publish(ResourceUpdated("reticle://sessions"))
    bench.notices.publish(ResourceUpdated("reticle://other"))
    [told] = sink.take()
    assert told == {
        "jsonrpc": "2.0",
        "method": "notifications/resources/updated",
        "params": {"uri": "reticle://sessions"},
    }
    conversation.close()
    bench.notices.publish(ResourceUpdated("reticle://sessions"))
    assert sink.take() == []


def test_what_was_agreed_and_wished_outlives_the_daemon() -> None:
    """
    After a restart a session goes on in its revision, with what its client can do and wished to hear.
    """
    bench = GateBench()
    conversation, _ = bench.open()
    conversation.receive(
        request("initialize", 0, protocolVersion="2025-06-18", capabilities={"elicitation": {}})
    )
    conversation.receive(request("resources/subscribe", 1, uri="reticle://sessions"))
    agreed, preferences = conversation.agreed, conversation.preferences
    assert agreed == Agreed("2025-06-18", ClientCapabilities(elicitation_form=True))
    later = GateBench()
    sink = RecordedSink()
    restored = later.conversations.restore(LOCAL, Carrier.HTTP, sink, agreed, preferences)
    assert (restored.agreed, restored.preferences) == (agreed, preferences)
    later.notices.publish(ResourceUpdated("reticle://sessions"))
    assert [message["method"] for message in sink.take()] == ["notifications/resources/updated"]


def test_a_resource_that_is_not_there() -> None:
    """
    A client of the handshake revisions gets the number that its revision has for it, and the address.
    """
    conversation, sink = GateBench().open()
    conversation.receive(request("resources/read", 1, uri="reticle://nowhere"))
    conversation.receive(request("resources/subscribe", 2, uri="reticle://nowhere"))
    errors = [message["error"] for message in sink.take()]
    assert [error["code"] for error in errors] == [-32002, -32002]
    assert [error["data"]["uri"] for error in errors] == ["reticle://nowhere"] * 2


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("call"), st.integers(0, 3)),
        st.tuples(st.just("cancel"), st.integers(0, 3)),
        st.tuples(st.just("finish"), st.integers(0, 9)),
        st.tuples(st.just("commit"), st.just(0)),
        st.tuples(st.just("drain"), st.just(0)),
        st.tuples(st.just("close"), st.just(0)),
    ),
    max_size=25,
)


@given(STEPS, st.booleans())
def test_any_order_of_events(steps: list[tuple[str, int]], holding: bool) -> None:  # noqa: FBT001 - a strategy
    """
    Whatever crosses whatever: one row for each call that ran, one answer at most, none after the end.
    """
    bench = GateBench()
    bench.audit.holding = holding
    conversation, sink = bench.open()
    ready: list[None] = []
    drains = 0
    for step, number in steps:
        match step:
            case "call":
                conversation.receive(call(number))
            case "cancel":
                conversation.receive(cancel(number))
            case "finish" if number < len(bench.waiting.waits) and not bench.waiting.waits[number].called:
                bench.waiting.waits[number].callback("x")
            case "drain":
                conversation.drain("stop").addCallback(ready.append)
                drains += 1
            case "close":
                conversation.close()
                sink.take()
            case "commit":
                bench.audit.commit()
    conversation.drain("end").addCallback(ready.append)
    bench.audit.commit()
    assert len(ready) == drains + 1
    assert len(bench.audit.rows) == len(bench.waiting.waits)
    results = [message for message in sink.messages() if "result" in message]
    assert len(results) <= len(bench.waiting.waits)
    assert not conversation.busy
    assert conversation._conversation._in_flight._by_id == {}


def test_a_list_is_narrowed_to_a_repository_in_each_era() -> None:
    """
    A client that names a repository sees what its token may use there.
    """
    tool = attrs.evolve(
        scripted_tool("test_read", _ask, capability=Capability.READ),
        toolset=Toolset.WORK,
    )
    bench = GateBench([tool])
    principal = bench.token(a_grant(Capability.READ, "r1"))
    for place, names in ((None, ["test_read"]), ("r1", ["test_read"]), ("r2", [])):
        params = {} if place is None else {"repository_id": place}
        conversation, sink = bench.open(principal)
        conversation.receive(request("tools/list", 1, **params))
        [listed] = sink.take()
        modern = send_modern(bench, modern_request("tools/list", params), principal=principal)
        for result in (listed["result"], modern.result()):
            assert [each["name"] for each in result["tools"]] == names
