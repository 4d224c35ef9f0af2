"""
One request of 2026-07-28 and its answer.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.defer import Deferred

from reticle.model.codes import LogLevel
from reticle.model.mcp import RoutingHeaders, ToolsChanged
from reticle.ports import CallContext
from reticle.testing.gate import GateBench, NoArguments, scripted_tool
from reticle.testing.modern import EVERYTHING, modern_request, send_modern
from reticle.tools.spec import ToolAnswer


def test_a_tool_is_called_without_a_handshake() -> None:
    """
    A client's first request is answered, stamped as this revision wants it, and leaves one row.
    """
    bench = GateBench()
    body = modern_request("tools/call", {"name": "test_echo", "arguments": {"text": "hi"}}, request_id="a")
    sent = send_modern(bench, body)
    result = sent.result()
    assert sent.replies.answers()[0]["id"] == "a"
    assert result["structuredContent"]["text"] == "hi"
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "reticle"
    assert [row.tool for row in bench.audit.rows] == ["test_echo"]


def test_discovery_names_what_works() -> None:
    """
    A client that asks first learns the revision, the capabilities and how to use us.
    """
    result = send_modern(GateBench(), modern_request("server/discover")).result()
    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["capabilities"]["tools"] == {"listChanged": True}
    assert result["instructions"]
    assert (result["cacheScope"], result["resultType"]) == ("public", "complete")
    assert result["ttlMs"] > 0


@pytest.mark.parametrize(
    ("method", "field"),
    [
        ("tools/list", "tools"),
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ],
)
def test_lists_say_how_long_they_hold_and_for_whom(method: str, field: str) -> None:
    """
    No shared cache keeps a list that depends on who asked.
    """
    result = send_modern(GateBench(), modern_request(method)).result()
    assert result[field]
    assert (result["cacheScope"], result["resultType"]) == ("private", "complete")
    assert result["ttlMs"] > 0


@pytest.mark.parametrize(
    "method",
    [
        "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
        "tasks/list", "tasks/result", "unknown/method",
    ],
)  # fmt: skip
def test_methods_of_other_revisions_are_gone(method: str) -> None:
    """
    A client that mixes revisions is told so with the request's id.
    """
    sent = send_modern(GateBench(), modern_request(method))
    assert sent.error()["code"] == -32601
    assert sent.replies.answers()[0]["id"] == 1


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {}),
        ("tools/call", {"name": 3}),
        ("tools/call", {"name": "test_echo", "repository_id": 3}),
        ("tools/call", {"name": "test_echo", "inputResponses": None}),
        ("tools/call", {"name": "test_echo", "inputResponses": [1]}),
        ("tools/call", {"name": "test_echo", "requestState": "forged"}),
        ("tools/list", {"cursor": ""}),
        ("tools/list", {"cursor": 3}),
        ("resources/read", {}),
        ("prompts/get", {"name": None}),
        ("completion/complete", {"ref": {"type": "ref/other"}, "argument": {"name": "a", "value": ""}}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "verify"}}),
        ("subscriptions/listen", {}),
        ("subscriptions/listen", {"notifications": {"resourceSubscriptions": "all"}}),
    ],
)
def test_bad_parameters_are_named(method: str, params: dict[str, object]) -> None:
    """
    Parameters that a method cannot take are refused before anything runs.
    """
    bench = GateBench()
    assert send_modern(bench, modern_request(method, params)).error()["code"] == -32602
    assert bench.audit.rows == []


def test_an_unknown_resource_keeps_its_address() -> None:
    """
    A resource that is not there is an error in this revision's number, never empty contents.
    """
    error = send_modern(GateBench(), modern_request("resources/read", {"uri": "reticle://nothing"})).error()
    assert error["code"] == -32602
    assert error["data"]["uri"] == "reticle://nothing"


def test_a_resource_is_read_for_who_asked() -> None:
    """
    What a page shows is kept by no cache.
    """
    result = send_modern(
        GateBench(), modern_request("resources/read", {"uri": "reticle://sessions"})
    ).result()
    assert result["contents"][0]["uri"] == "reticle://sessions"
    assert (result["ttlMs"], result["cacheScope"]) == (0, "private")


def test_a_prompt_and_a_completion_are_answered() -> None:
    """
    Prompts work without a session too.
    """
    bench = GateBench()
    assert send_modern(bench, modern_request("prompts/get", {"name": "debug"})).replies.answers()
    ref = {"type": "ref/prompt", "name": "verify"}
    listed = send_modern(bench, modern_request("prompts/list")).result()["prompts"]
    argument = next(each for each in listed if each["name"] == "verify")["arguments"][0]["name"]
    asked = {"ref": ref, "argument": {"name": argument, "value": ""}}
    result = send_modern(bench, modern_request("completion/complete", asked)).result()
    assert isinstance(result["completion"]["values"], list)


def test_what_is_no_json_is_answered_without_an_id() -> None:
    """
    Half a body gets an error and nothing else.
    """
    sent = send_modern(GateBench(), b"{")
    assert sent.error()["code"] == -32700
    assert sent.replies.answers()[0]["id"] is None


def test_a_notification_gets_nothing_but_an_end() -> None:
    """
    A notification by HTTP is accepted and changes nothing.
    """
    sent = send_modern(GateBench(), b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}')
    assert sent.replies.log == ["done"]


def test_headers_that_contradict_the_body_stop_it() -> None:
    """
    A call whose header names another tool does not run.
    """
    bench = GateBench()
    headers = RoutingHeaders(version=("2026-07-28",), method=("tools/call",), name=("test_break",))
    body = modern_request("tools/call", {"name": "test_echo", "arguments": {"text": "hi"}})
    assert send_modern(bench, body, headers=headers).error()["code"] == -32020
    assert bench.audit.rows == []


def test_an_unknown_tool_is_a_result() -> None:
    """
    A model that misspells a tool can correct itself.
    """
    result = send_modern(GateBench(), modern_request("tools/call", {"name": "nope"})).result()
    assert result["isError"]
    assert result["structuredContent"]["error"] == "method_unknown"


def test_progress_is_told_on_the_request() -> None:
    """
    A client that gave a token hears how far its call is, before the answer.
    """
    bench = GateBench()
    sent = send_modern(
        bench, modern_request("tools/call", {"name": "test_wait"}, meta={"progressToken": "p"})
    )
    bench.waiting.waits[0].callback("x")
    assert [told["params"]["progress"] for told in sent.replies.told()] == [1, 2]
    assert sent.result()["structuredContent"]["said"] == "x"


@pytest.mark.parametrize(("wanted", "told"), [(None, []), ("info", ["error", "info"]), ("error", ["error"])])
def test_logs_are_told_from_the_wanted_level(wanted: str | None, told: list[str]) -> None:
    """
    A client gets the log messages of a request that it asked for there, and no others.
    """

    async def log(context: CallContext, _: NoArguments) -> ToolAnswer:
        context.log(LogLevel.ERROR, {"what": "broken"}, "test")
        context.log(LogLevel.INFO, "fine")
        context.log(LogLevel.DEBUG, "detail")
        return ToolAnswer({})

    bench = GateBench([scripted_tool("test_log", log)])
    meta = {} if wanted is None else {"io.modelcontextprotocol/logLevel": wanted}
    sent = send_modern(bench, modern_request("tools/call", {"name": "test_log"}, meta=meta))
    assert [message["params"]["level"] for message in sent.replies.told()] == told
    assert sent.result()["isError"] is False


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
)
INNER = ["name", "uri", "type", "value", "arguments", "taskIds", "resourceSubscriptions", "text"]
OUTER = [
    "name", "uri", "ref", "argument", "context", "notifications", "arguments", "cursor", "taskId",
    "inputResponses", "requestState",
]  # fmt: skip
METHODS = [
    "server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
    "resources/read", "resources/templates/list", "completion/complete", "subscriptions/listen", "tasks/get",
    "tasks/update",
]  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(INNER), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from(METHODS), st.dictionaries(st.sampled_from(OUTER), VALUES))
def test_any_parameters_get_one_answer(method: str, params: dict[str, object]) -> None:
    """
    Whatever a client sends, it gets one answer and an end, or a subscription; never silence.
    """
    sent = send_modern(GateBench(), modern_request(method, params, capabilities=EVERYTHING))
    if not sent.exchange.busy:
        assert sent.replies.ended
        assert len(sent.replies.answers()) == 1
    else:
        assert sent.replies.told()[0]["method"] == "notifications/subscriptions/acknowledged"


def test_a_bug_before_the_gate_is_answered(monkeypatch: pytest.MonkeyPatch, logged_failures: Any) -> None:
    """
    A fault of ours costs the client its request and nothing more.
    """
    bench = GateBench()

    def broken(_: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr(bench.conversations._per_request.methods, "now", {"tools/list": broken})
    assert send_modern(bench, modern_request("tools/list")).error()["code"] == -32603
    assert len(logged_failures.take()) == 1


def test_hanging_up_cancels() -> None:
    """
    A client that hangs up stops its call, and nothing more is sent.
    """
    bench = GateBench()
    sent = send_modern(bench, modern_request("tools/call", {"name": "test_wait"}))
    sent.exchange.cancel()
    assert bench.waiting.cancelled == 1
    assert sent.replies.answers() == []
    assert [row.decision for row in bench.audit.rows] == ["cancelled"]


def test_a_drained_call_is_answered() -> None:
    """
    A daemon that stops tells the client that waits.
    """
    bench = GateBench()
    sent = send_modern(bench, modern_request("tools/call", {"name": "test_wait"}))
    drained: Deferred[None] = sent.exchange.drain("test")
    assert drained.called
    assert sent.result()["structuredContent"]["error"] == "shutting_down"


def test_nothing_is_remembered_of_a_request() -> None:
    """
    Many single requests do not push the agents with sessions out of memory.
    """
    bench = GateBench()
    before = len(bench.gate._agents._agents)
    for _ in range(3):
        send_modern(bench, modern_request("tools/call", {"name": "test_echo", "arguments": {"text": "x"}}))
    assert len(bench.gate._agents._agents) == before


def test_too_many_requests_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Clients without sessions cannot pile up work without an end, and room that became free is given again.
    """
    monkeypatch.setattr("reticle.dispatch.per_request.EXCHANGES_IN_FLIGHT", 2)
    bench = GateBench()
    waiting = [send_modern(bench, modern_request("tools/call", {"name": "test_wait"})) for _ in range(2)]
    refused = send_modern(bench, modern_request("tools/call", {"name": "test_wait"}))
    assert refused.error()["data"]["code"] == "too_many_calls"
    waiting[0].exchange.cancel()
    echo = modern_request("tools/call", {"name": "test_echo", "arguments": {"text": "x"}})
    assert send_modern(bench, echo).result()["isError"] is False


def test_a_listener_hears_of_changes_until_we_stop() -> None:
    """
    A listening client is acknowledged, told of what it wanted with its own id, and given an end.
    """
    bench = GateBench()
    wanted = {"notifications": {"toolsListChanged": True}}
    sent = send_modern(bench, modern_request("subscriptions/listen", wanted, request_id="listen:0"))
    bench.notices.publish(ToolsChanged())
    assert [message["method"] for message in sent.replies.told()] == [
        "notifications/subscriptions/acknowledged",
        "notifications/tools/list_changed",
    ]
    sent.exchange.drain("test")
    assert sent.result() == {
        "resultType": "complete",
        "_meta": {
            "io.modelcontextprotocol/subscriptionId": "listen:0",
            "io.modelcontextprotocol/serverInfo": sent.result()["_meta"][
                "io.modelcontextprotocol/serverInfo"
            ],
        },
    }
    bench.notices.publish(ToolsChanged())
    assert sent.replies.ended


def test_a_listener_that_hangs_up_leaves_nothing() -> None:
    """
    A client that stops listening is told nothing more and holds no place.
    """
    bench = GateBench()
    sent = send_modern(
        bench, modern_request("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    )
    sent.exchange.cancel()
    said = len(sent.replies.told())
    bench.notices.publish(ToolsChanged())
    assert len(sent.replies.told()) == said
    assert not sent.exchange.busy
