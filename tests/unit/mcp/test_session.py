"""
The protocol of one client, bytes in and events out.
"""

from __future__ import annotations

import json
from typing import Any

import mcp_types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle._version import __version__
from reticle.errors import PeerFault
from reticle.mcp.capabilities import Offered
from reticle.mcp.events import (
    CancelReceived,
    CompletionRequested,
    Event,
    Initialized,
    LevelSet,
    Listable,
    ListRequested,
    PromptRequested,
    Replied,
    ResourceRequested,
    ResponseReceived,
    SubscriptionRequested,
    ToolCallRequested,
)
from reticle.mcp.instructions import INSTRUCTIONS
from reticle.mcp.session import Session
from reticle.model.codes import LogLevel
from reticle.model.limits import INSTRUCTIONS_CHARS, RESOURCE_URI_CHARS
from reticle.model.mcp import Agreed, ClientCapabilities


def body(method: str, params: object = None, request_id: object = None) -> bytes:
    """
    A message as bytes; without an id it is a notification.
    """
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if params is not None:
        message["params"] = params
    if request_id is not None:
        message["id"] = request_id
    return json.dumps(message).encode()


def hello(version: object = "2025-11-25", request_id: object = 1) -> bytes:
    """
    A handshake as clients send it.
    """
    client = {"name": "probe", "version": "1"}
    return body(
        "initialize",
        {"protocolVersion": version, "capabilities": {"roots": {}}, "clientInfo": client},
        request_id,
    )


def reply(events: Any) -> dict[str, Any]:
    """
    The one message that the session answered by itself.
    """
    [message] = [event.message for event in events if isinstance(event, Replied)]
    decoded: dict[str, Any] = json.loads(message)
    return decoded


def error(events: Any) -> tuple[object, int, str]:
    """
    Id, number and code of the one error that the session answered.
    """
    message = reply(events)
    return message["id"], message["error"]["code"], message["error"]["data"]["code"]


@pytest.mark.parametrize(
    ("requested", "answered", "titled"),
    [
        ("2024-11-05", "2024-11-05", False),
        ("2025-03-26", "2025-03-26", False),
        ("2025-06-18", "2025-06-18", True),
        ("2025-11-25", "2025-11-25", True),
        ("2026-07-28", "2025-11-25", True),
        ("1999-01-01", "2025-11-25", True),
        (7, "2025-11-25", True),
        (None, "2025-11-25", True),
    ],
)
def test_handshake_for_each_revision(requested: object, answered: str, titled: bool) -> None:  # noqa: FBT001 - a table
    """
    Each date gets its handshake, the unknown ones our latest, in words that the revision knows.
    """
    session = Session()
    events = session.receive(hello(requested))
    assert isinstance(events[0], Initialized)
    assert (events[0].revision.name, events[0].client) == (answered, "probe 1")
    assert events[0].agreed == Agreed(answered, ClientCapabilities(roots=True))
    message = reply(events)
    result = mcp_types.InitializeResult.model_validate(message["result"], strict=True)
    assert message["id"] == 1
    assert result.protocol_version == answered == session.revision.name
    assert result.capabilities.model_dump(exclude_none=True) == {"tools": {"list_changed": False}}
    assert (result.server_info.name, result.server_info.version) == ("reticle", __version__)
    assert ("title" in message["result"]["serverInfo"]) is titled
    assert result.instructions == INSTRUCTIONS
    assert session.receive(body("notifications/initialized")) == []


def test_instructions_fit_every_client() -> None:
    """
    No client cuts the instructions, and they say what a pass is.
    """
    assert len(INSTRUCTIONS) <= INSTRUCTIONS_CHARS
    assert INSTRUCTIONS.isascii()
    assert "Only `verified: yes` is a pass" in INSTRUCTIONS


def test_handshake_without_parameters() -> None:
    """
    A careless client is still served.
    """
    events = Session().receive(body("initialize", request_id="x"))
    assert reply(events)["result"]["protocolVersion"] == "2025-11-25"
    assert isinstance(events[0], Initialized)
    assert events[0].client == "unnamed"


def test_second_handshake_is_refused_and_changes_nothing() -> None:
    """
    A second initialize gets an error and the session goes on as it was.
    """
    session = Session()
    session.receive(hello("2025-06-18"))
    assert error(session.receive(hello("2024-11-05", 2))) == (2, -32600, "already_initialized")
    session.receive(body("notifications/initialized"))
    assert error(session.receive(hello("2024-11-05", 3))) == (3, -32600, "already_initialized")
    assert session.revision.name == "2025-06-18"
    assert reply(session.receive(body("ping", request_id=4)))["result"] == {}


def test_calls_without_handshake_and_a_late_one() -> None:
    """
    A client that reconnects and calls at once is served, and may still say hello afterwards.
    """
    session = Session()
    assert session.receive(body("tools/call", {"name": "t"}, 7)) == [ToolCallRequested(7, "t", b"{}")]
    assert session.receive(body("tools/list", request_id=8)) == [ListRequested(8, Listable.TOOLS)]
    assert reply(session.receive(hello("2025-03-26", 9)))["result"]["protocolVersion"] == "2025-03-26"


def test_a_call_with_everything() -> None:
    """
    What stands beside the arguments of a call is understood.
    """
    params = {
        "name": "t",
        "arguments": {"a": [1, {"b": None}]},
        "repository_id": "r",
        "_meta": {"progressToken": "p", "other": 1},
        "unknown": True,
    }
    assert Session().receive(body("tools/call", params, "id")) == [
        ToolCallRequested("id", "t", b'{"a": [1, {"b": null}]}', "r", "p")
    ]


@pytest.mark.parametrize("arguments", [{}, {"arguments": None}, {"arguments": {}}])
def test_absent_arguments_are_empty(arguments: dict[str, object]) -> None:
    """
    A tool without arguments can be called in every way that clients do it.
    """
    assert Session().receive(body("tools/call", {"name": "t", **arguments}, 1)) == [
        ToolCallRequested(1, "t", b"{}")
    ]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", None),
        ("tools/call", {}),
        ("tools/call", []),
        ("tools/call", {"name": 7}),
        ("tools/call", {"name": "t", "repository_id": 7}),
        ("tools/call", {"name": "t", "_meta": {"progressToken": True}}),
        ("tools/call", {"name": "t", "_meta": {"progressToken": 1.5}}),
        ("tools/call", {"name": "t", "_meta": {"progressToken": None}}),
        ("tools/call", {"name": "t", "_meta": []}),
        ("tools/list", {"cursor": 7}),
        ("tools/list", {"repository_id": 7}),
        ("ping", []),
        ("initialize", [1]),
    ],
)
def test_bad_parameters_are_named(method: str, params: object) -> None:
    """
    Parameters that a method cannot have are an error with the request's id.
    """
    assert error(Session().receive(body(method, params, "q"))) == ("q", -32602, "bad_params")


@pytest.mark.parametrize(
    "method",
    [
        "logging/setLevel",
        "resources/list",
        "prompts/list",
        "completion/complete",
        "server/discover",
        "nonsense",
    ],
)
def test_methods_that_are_not_offered(method: str) -> None:
    """
    What the capabilities do not promise is answered as an unknown method, before and after a handshake.
    """
    session = Session()
    assert error(session.receive(body(method, {}, 1))) == (1, -32601, "method_unknown")
    session.receive(hello())
    assert error(session.receive(body(method, {}, 2))) == (2, -32601, "method_unknown")


@pytest.mark.parametrize(
    "message",
    [
        body("tools/call", {"name": "t"}),
        body("tools/list"),
        body("notifications/unknown", {"a": 1}),
        body("notifications/initialized"),
        b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
    ],
)
def test_what_wants_no_answer_gets_none(message: bytes) -> None:
    """
    Notifications are never answered and a call sent as one does not run.
    """
    assert Session().receive(message) == []


@pytest.mark.parametrize(
    ("params", "events"),
    [
        ({"requestId": 7, "reason": "bored"}, [CancelReceived(7)]),
        ({"requestId": "7"}, [CancelReceived("7")]),
        ({"requestId": True}, []),
        ({"requestId": None}, []),
        ({}, []),
        ([], []),
    ],
)
def test_cancellations(params: object, events: list[Event]) -> None:
    """
    A cancellation names a request; a malformed one cancels nothing and is not answered.
    """
    assert Session().receive(body("notifications/cancelled", params)) == events


BATCH = b"[" + body("ping", request_id=1) + b"," + body("tools/list", request_id=2) + b"]"


@pytest.mark.parametrize(
    ("version", "served"),
    [(None, True), ("2024-11-05", True), ("2025-03-26", True), ("2025-06-18", False), ("2025-11-25", False)],
)
def test_batches_by_revision(version: str | None, served: bool) -> None:  # noqa: FBT001 - a table
    """
    Arrays are served exactly where the revision has them.
    """
    session = Session()
    if version is not None:
        session.receive(hello(version))
    if served:
        assert [type(event) for event in session.receive(BATCH)] == [Replied, ListRequested]
    else:
        with pytest.raises(PeerFault) as raised:
            session.receive(BATCH)
        assert (raised.value.code, raised.value.jsonrpc_code) == ("batch_unsupported", -32600)


def test_a_batch_answers_each_of_its_messages() -> None:
    """
    Broken messages in a batch get their own errors, a handshake in one is refused.
    """
    events = Session().receive(b"[7," + hello(request_id=5) + b"," + body("notifications/x") + b"]")
    assert [json.loads(event.message)["id"] for event in events if isinstance(event, Replied)] == [None, 5]
    assert len(events) == 2


def test_faults_with_an_id_are_answered_and_others_raised() -> None:
    """
    A readable id gets its error in the stream, all else is for the transport to say.
    """
    assert error(Session().receive(b'{"id":3,"method":"x"}')) == (3, -32600, "invalid_request")
    with pytest.raises(PeerFault):
        Session().receive(b'{"jsonrpc":"2.0","id":null,"method":"ping"}')


FULL = Offered(resources=True, prompts=True, completions=True, logging=True)


@pytest.mark.parametrize(
    ("method", "params", "event"),
    [
        ("tools/list", {"cursor": ""}, ListRequested(1, Listable.TOOLS, "")),
        ("tools/list", {"repository_id": "r1"}, ListRequested(1, Listable.TOOLS, None, "r1")),
        ("resources/list", {}, ListRequested(1, Listable.RESOURCES)),
        ("resources/templates/list", {"cursor": "c"}, ListRequested(1, Listable.TEMPLATES, "c")),
        ("prompts/list", None, ListRequested(1, Listable.PROMPTS)),
        ("resources/read", {"uri": "a://b"}, ResourceRequested(1, "a://b")),
        ("resources/subscribe", {"uri": "a://b"}, SubscriptionRequested(1, "a://b", wanted=True)),
        ("resources/unsubscribe", {"uri": "a://b"}, SubscriptionRequested(1, "a://b", wanted=False)),
        ("prompts/get", {"name": "p"}, PromptRequested(1, "p", b"{}")),
        ("prompts/get", {"name": "p", "arguments": {"a": "b"}}, PromptRequested(1, "p", b'{"a":"b"}')),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": "v"}},
            CompletionRequested(1, "ref/prompt", "p", "a", "v", {}),
        ),
        (
            "completion/complete",
            {
                "ref": {"type": "ref/resource", "uri": "a://{b}"},
                "argument": {"name": "b", "value": ""},
                "context": {"arguments": {"c": "d"}},
            },
            CompletionRequested(1, "ref/resource", "a://{b}", "b", "", {"c": "d"}),
        ),
    ],
)
def test_methods_of_what_is_offered(method: str, params: object, event: Event) -> None:
    """
    Resources, prompts and completions are asked for with everything that the request says.
    """
    assert Session(FULL).receive(body(method, params, 1)) == [event]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {}),
        ("resources/read", {"uri": "x" * (RESOURCE_URI_CHARS + 1)}),
        ("resources/subscribe", {"uri": 7}),
        ("prompts/get", {}),
        ("prompts/get", {"name": "p", "arguments": {"a": 1}}),
        ("prompts/list", {"cursor": 1}),
        ("completion/complete", {"ref": {"type": "ref/prompt"}, "argument": {"name": "a", "value": ""}}),
        ("completion/complete", {"ref": {"type": "x", "name": "p"}, "argument": {"name": "a", "value": ""}}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "p"}}),
        ("logging/setLevel", {"level": "loud"}),
        ("logging/setLevel", {}),
    ],
)
def test_bad_parameters_of_what_is_offered(method: str, params: object) -> None:
    """
    Each of these is an error with the request's id, and nothing is done.
    """
    assert error(Session(FULL).receive(body(method, params, "q"))) == ("q", -32602, "bad_params")


def test_a_log_level_is_taken_and_answered() -> None:
    """
    The client's level holds from its answer on.
    """
    events = Session(FULL).receive(body("logging/setLevel", {"level": "warning"}, 5))
    assert events[0] == LevelSet(LogLevel.WARNING)
    assert reply(events) == {"jsonrpc": "2.0", "id": 5, "result": {}}


@pytest.mark.parametrize(
    ("message", "event"),
    [
        (b'{"jsonrpc":"2.0","id":9,"result":{"a":1}}', ResponseReceived(9, b'{"a":1}')),
        (b'{"jsonrpc":"2.0","id":"9","error":{"code":1,"message":"x"}}', ResponseReceived("9", None)),
    ],
)
def test_answers_of_the_client(message: bytes, event: Event) -> None:
    """
    What the client answers to a question of ours arrives, an error told from a result.
    """
    assert Session().receive(message) == [event]


def test_a_handshake_of_an_earlier_life_holds() -> None:
    """
    After a restart of the daemon the client goes on in its revision without a handshake, and begins no other.
    """
    session = Session(FULL, Agreed("2025-03-26", ClientCapabilities()))
    assert session.revision.name == "2025-03-26"
    assert [type(event) for event in session.receive(BATCH)] == [Replied, ListRequested]
    assert error(session.receive(hello("2025-11-25", 2))) == (2, -32600, "already_initialized")


METHODS = st.sampled_from(
    [
        "initialize",
        "ping",
        "tools/call",
        "tools/list",
        "notifications/cancelled",
        "notifications/initialized",
        "x",
        "resources/read",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
    ]
)
PARAMS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["name", "arguments", "_meta", "progressToken", "cursor", "requestId", "uri", "ref", "level"]
            ),
            inner,
        )
    ),
    max_leaves=8,
)


@given(st.lists(st.tuples(METHODS, PARAMS, st.none() | st.integers(0, 3) | st.text(max_size=2)), max_size=8))
def test_no_conversation_breaks_the_session(messages: list[tuple[str, Any, Any]]) -> None:
    """
    Any order of any messages gives events, and every request exactly one of them that answers it.
    """
    session = Session(FULL)
    for method, params, request_id in messages:
        events = session.receive(body(method, params, request_id))
        answering = [
            event for event in events if not isinstance(event, Initialized | CancelReceived | LevelSet)
        ]
        assert len(answering) == (0 if request_id is None else 1)
