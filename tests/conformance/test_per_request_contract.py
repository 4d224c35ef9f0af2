"""
Each row of ``docs/protocol/mcp-2026-07-28.md`` over HTTP, and the examples on that page.

A test names the rows that it pins; one test compares the names with the page, so a row without a test and a
test without a row both fail.
"""

from __future__ import annotations

import http.client
import json
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import attrs
import pytest

from tests.conformance.serving import serving

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "protocol" / "mcp-2026-07-28.md"
SECONDS = 20.0
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
TASKS: dict[str, object] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
NAMES = {
    "tools/call": "name", "prompts/get": "name", "resources/read": "uri", "tasks/get": "taskId",
    "tasks/update": "taskId", "tasks/cancel": "taskId",
}  # fmt: skip

Test = TypeVar("Test", bound=Callable[..., None])
PINNED: set[str] = {"N3"}
"""N3 is pinned by tests/unit/dispatch/test_exchange.py: here nothing stops the server."""


def pins(*rows: str) -> Callable[[Test], Test]:
    """
    Say which rows of the page a test pins.
    """
    PINNED.update(rows)
    return lambda test: test


@attrs.frozen
class Reply:
    """
    What came back: the status, and every JSON message, the answer last.
    """

    status: int
    messages: list[Any]

    @property
    def result(self) -> Any:
        """
        Of the answer.
        """
        return self.messages[-1]["result"]

    @property
    def number(self) -> int:
        """
        The error's number.
        """
        return int(self.messages[-1]["error"]["code"])


@attrs.frozen
class Client:
    """
    Sends bodies and headers as a test says, without any client library.
    """

    port: int

    def connect(self) -> http.client.HTTPConnection:
        """
        One connection.
        """
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)

    def send(self, body: bytes, headers: Mapping[str, str | list[str]]) -> Reply:
        """
        One POST.
        """
        connection = self.connect()
        try:
            post(connection, body, headers)
            response = connection.getresponse()
            return Reply(response.status, messages_of(response.read()))
        finally:
            connection.close()

    def ask(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        *,
        capabilities: Mapping[str, object] | None = None,
        headers: Mapping[str, str | list[str] | None] | None = None,
        meta: Mapping[str, object] | None = None,
        request_id: int | str = 7,
    ) -> Reply:
        """
        One request; what is given stands in place of what belongs there, None takes it away.
        """
        body = request(method, params, capabilities, meta, request_id)
        return self.send(body, routing(method, params or {}, headers))


def request(
    method: str,
    params: Mapping[str, object] | None = None,
    capabilities: Mapping[str, object] | None = None,
    meta: Mapping[str, object] | None = None,
    request_id: int | str = 7,
) -> bytes:
    """
    The body of a request.
    """
    whole = {VERSION: "2026-07-28", CAPABILITIES: capabilities or {}, **(meta or {})}
    told = {key: value for key, value in whole.items() if value is not None}
    message = {
        "jsonrpc": "2.0",
        "id": request_id,
        "method": method,
        "params": {**(params or {}), "_meta": told},
    }
    return json.dumps(message).encode()


def routing(
    method: str, params: Mapping[str, object], given: Mapping[str, str | list[str] | None] | None = None
) -> dict[str, str | list[str]]:
    """
    The headers of a request.
    """
    whole: dict[str, str | list[str] | None] = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
    if method in NAMES:
        whole["Mcp-Name"] = str(params.get(NAMES[method], ""))
    whole.update(given or {})
    return {name: value for name, value in whole.items() if value is not None}


def post(connection: http.client.HTTPConnection, body: bytes, headers: Mapping[str, str | list[str]]) -> None:
    """
    Write one POST; a list is a header that comes more than once.
    """
    connection.putrequest("POST", "/mcp")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Accept", "application/json, text/event-stream")
    connection.putheader("Content-Length", str(len(body)))
    for name, value in headers.items():
        for each in [value] if isinstance(value, str) else value:
            connection.putheader(name, each)
    connection.endheaders(body)


def messages_of(body: bytes) -> list[Any]:
    """
    The messages of a response, whichever form it has.
    """
    if body[:1] in {b"{", b""}:
        return [json.loads(body)] if body else []
    return [json.loads(line[6:]) for line in body.splitlines() if line.startswith(b"data: ")]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """
    A client of a serving server.
    """
    with serving() as port:
        yield Client(port)


@pins("L1", "L2")
@pytest.mark.parametrize(
    ("body", "number", "request_id"),
    [
        (b"{", -32700, None),
        (b"\xff", -32700, None),
        (b"[]", -32600, None),
        (b"[" + request("tools/list") + b"]", -32600, None),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', -32600, None),
        (request("tools/list").replace(b'"id": 7', b'"id": null'), -32600, None),
        (request("tools/list").replace(b'"2.0"', b'"1.0"'), -32600, 7),
    ],
)
def test_what_is_no_request(client: Client, body: bytes, number: int, request_id: object) -> None:
    """
    Half a message, a batch or a response gets an error with the id that it has.
    """
    reply = client.send(body, routing("tools/list", {}))
    assert (reply.status, reply.number) == (400, number)
    assert reply.messages[0]["id"] == request_id


def test_a_notification(client: Client) -> None:
    """
    It is accepted, and answered with nothing.
    """
    body = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}'
    assert client.send(body, routing("notifications/cancelled", {})) == Reply(202, [])


@pins("L3", "L4", "L5", "L6", "L7")
@pytest.mark.parametrize(
    ("meta", "headers", "number"),
    [
        ({VERSION: None}, {"Mcp-Method": ["tools/list", "tools/list"]}, -32020),
        ({VERSION: None}, {"Mcp-Method": "tools/call"}, -32602),
        ({CAPABILITIES: None}, {"Mcp-Method": "tools/call"}, -32602),
        ({VERSION: "v999.0.0"}, {}, -32020),
        ({}, {"MCP-Protocol-Version": "2025-06-18"}, -32020),
        ({}, {"MCP-Protocol-Version": None}, -32020),
        ({}, {"Mcp-Method": None}, -32020),
        ({}, {"Mcp-Method": "Tools/List"}, -32020),
        ({VERSION: "v999.0.0"}, {"MCP-Protocol-Version": "v999.0.0"}, -32022),
        ({"io.modelcontextprotocol/logLevel": "loud"}, {}, -32602),
        ({"progressToken": 1.5}, {}, -32602),
    ],
)
def test_rungs_in_their_order(
    client: Client, meta: Mapping[str, object], headers: Mapping[str, str | list[str] | None], number: int
) -> None:
    """
    The first rung that breaks answers, whatever else is wrong.
    """
    reply = client.ask("tools/list", meta=meta, headers=headers)
    assert (reply.status, reply.number, reply.messages[0]["id"]) == (400, number, 7)
    if number == -32022:
        assert reply.messages[0]["error"]["data"]["supported"] == ["2026-07-28"]
        assert reply.messages[0]["error"]["data"]["requested"] == "v999.0.0"


@pins("L8")
@pytest.mark.parametrize(
    "method",
    [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/list",
        "x",
    ],
)
def test_methods_that_are_not_there(client: Client, method: str) -> None:
    """
    404, with the id.
    """
    reply = client.ask(method)
    assert (reply.status, reply.number, reply.messages[0]["id"]) == (404, -32601, 7)


@pins("L9")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/list", {"cursor": ""}),
        ("prompts/get", {"name": "no_such_prompt"}),
        ("completion/complete", {}),
        ("subscriptions/listen", {}),
    ],
)
def test_parameters_of_a_method(client: Client, method: str, params: Mapping[str, object]) -> None:
    """
    400 with the number of bad parameters.
    """
    reply = client.ask(method, params)
    assert (reply.status, reply.number) == (400, -32602)


@pins("H1", "H2")
@pytest.mark.parametrize(
    ("name", "is_right"),
    [
        ("test_simple_text", True),
        ("  test_simple_text \t", True),
        ("=?base64?dGVzdF9zaW1wbGVfdGV4dA==?=", True),
        ("=?base64?dGVzdF9zaW1wbGVfdGV4dB==?=", False),
        ("=?base64?dGVzdF9zaW1wbGVfdGV4dA?=", False),
        ("=?base64?/w==?=", False),
        ("=?base64?dGVzdF9zaW1wbGVfdGV4dA==", False),
        ("=?BASE64?dGVzdF9zaW1wbGVfdGV4dA==?=", False),
        ("Test_Simple_Text", False),
        ("", False),
        (None, False),
        (["test_simple_text", "test_simple_text"], False),
    ],
)
def test_the_name_of_what_is_called(client: Client, name: str | list[str] | None, *, is_right: bool) -> None:
    """
    The header names the tool, as it is or encoded, and nothing else.
    """
    reply = client.ask("tools/call", {"name": "test_simple_text"}, headers={"Mcp-Name": name})
    if is_right:
        assert reply.result["content"][0]["text"]
    else:
        assert (reply.status, reply.number) == (400, -32020)


@pins("H3", "L9")
@pytest.mark.parametrize(
    ("arguments", "header", "is_right"),
    [
        ({"region": "eu"}, "eu", True),
        ({"region": "größe"}, "=?base64?Z3LDtsOfZQ==?=", True),
        ({"region": "eu"}, "us", False),
        ({"region": "eu"}, None, False),
        ({"region": "eu"}, ["eu", "eu"], False),
    ],
)
def test_arguments_in_headers(
    client: Client, arguments: Mapping[str, object], header: str | list[str] | None, *, is_right: bool
) -> None:
    """
    The header repeats the argument, or the call does not run.
    """
    params = {"name": "test_x_mcp_header", "arguments": arguments}
    reply = client.ask("tools/call", params, headers={"Mcp-Param-Region": header, "Mcp-Param-Other": "x"})
    assert (reply.status, "result" in reply.messages[-1]) == ((200, True) if is_right else (400, False))
    assert is_right or reply.number == -32020


@pins("R1", "R2")
@pytest.mark.parametrize(
    ("method", "params", "scope"),
    [
        ("server/discover", {}, "public"),
        ("tools/list", {}, "private"),
        ("prompts/list", {}, "private"),
        ("resources/list", {}, "private"),
        ("resources/templates/list", {}, "private"),
        ("resources/read", {"uri": "test://static-text"}, "private"),
        ("tools/call", {"name": "test_simple_text"}, None),
        ("prompts/get", {"name": "test_simple_prompt"}, None),
    ],
)
def test_what_a_result_carries(
    client: Client, method: str, params: Mapping[str, object], scope: str | None
) -> None:
    """
    Its kind, its sender and, where it may be kept, for whom and how long.
    """
    result = client.ask(method, params).result
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"].keys() >= {"name", "version"}
    assert result.get("cacheScope") == scope
    assert (result.get("ttlMs") == 0) is (method == "resources/read")


@pins("R3")
def test_a_resource_that_is_not_there(client: Client) -> None:
    """
    An error that names it.
    """
    reply = client.ask("resources/read", {"uri": "test://none"})
    assert (reply.status, reply.number) == (400, -32602)
    assert reply.messages[0]["error"]["data"]["uri"] == "test://none"


@pins("R4")
def test_progress_and_logs(client: Client) -> None:
    """
    They come on the stream of the request that wants them, and on no other.
    """
    params = {"name": "test_tool_with_progress"}
    told = client.ask("tools/call", params, meta={"progressToken": "p"}).messages[:-1]
    assert [message["params"]["progressToken"] for message in told] == ["p"] * len(told)
    assert told
    assert len(client.ask("tools/call", params).messages) == 1
    logging = {"name": "test_tool_with_logging"}
    logged = client.ask("tools/call", logging, meta={"io.modelcontextprotocol/logLevel": "info"}).messages[
        :-1
    ]
    assert {message["method"] for message in logged} == {"notifications/message"}
    silent = client.ask("tools/call", logging, meta={"io.modelcontextprotocol/logLevel": "error"})
    assert len(silent.messages) == 1


@pins("N1", "N2")
@pytest.mark.parametrize("request_id", [3, "listen:0"])
def test_listening(client: Client, request_id: int | str) -> None:
    """
    First the acknowledgement, then what was wanted, each with the request's id.
    """
    wanted = {"notifications": {"toolsListChanged": True, "unknownKind": True}}
    connection = client.connect()
    try:
        body = request("subscriptions/listen", wanted, request_id=request_id)
        post(connection, body, routing("subscriptions/listen", {}))
        response = connection.getresponse()
        assert response.status == 200
        first = next_message(response)
        client.ask("tools/call", {"name": "test_trigger_prompt_change"})
        client.ask("tools/call", {"name": "test_trigger_tool_change"})
        second = next_message(response)
    finally:
        connection.close()
    assert first["method"] == "notifications/subscriptions/acknowledged"
    assert first["params"]["notifications"] == {"toolsListChanged": True}
    assert second["method"] == "notifications/tools/list_changed"
    assert [message["params"]["_meta"][SUBSCRIPTION] for message in (first, second)] == [request_id] * 2


def next_message(response: http.client.HTTPResponse) -> Any:
    """
    The next message of an open stream.
    """
    while not (line := response.readline()).startswith(b"data: "):
        assert line, "the stream ended"
    return json.loads(line[6:])


@pins("Q1")
def test_what_a_client_can_be_asked(client: Client) -> None:
    """
    Only what it declared; a call that cannot do without says what it needs.
    """
    reply = client.ask("tools/call", {"name": "test_missing_capability"})
    assert (reply.status, reply.number) == (400, -32021)
    assert reply.messages[0]["error"]["data"]["requiredCapabilities"] == {"sampling": {}}
    some = client.ask(
        "tools/call", {"name": "test_input_required_result_capabilities"}, capabilities={"sampling": {}}
    )
    methods = {asked["method"] for asked in some.result["inputRequests"].values()}
    assert methods == {"sampling/createMessage"}


@pins("Q2")
@pytest.mark.parametrize(
    ("responses", "kind"),
    [
        ({"other": {"action": "accept", "content": {"name": "Ann"}}}, "input_required"),
        ({"user_name": 42}, "input_required"),
        ({"user_name": {"action": "accept", "content": {"name": 42}}}, "input_required"),
        ({"user_name": {"action": "accept", "content": {"name": "Ann"}}, "other": 1}, "complete"),
        (None, -32602),
        ([1], -32602),
    ],
)
def test_answers(client: Client, responses: object, kind: str | int) -> None:
    """
    Nothing but an answer of the right form completes a call.
    """
    params = {"name": "test_input_required_result_elicitation", "inputResponses": responses}
    reply = client.ask("tools/call", params, capabilities={"elicitation": {}})
    assert kind == (reply.number if "error" in reply.messages[0] else reply.result["resultType"])


@pins("Q3")
def test_a_state(client: Client) -> None:
    """
    It spares a second question, and fits no other request; every refusal reads the same.
    """
    params: dict[str, object] = {"name": "test_input_required_result_multi_round", "arguments": {}}
    first = client.ask("tools/call", params, capabilities={"elicitation": {}}).result
    key = next(iter(first["inputRequests"]))
    answered = {"inputResponses": {key: {"action": "accept", "content": {"name": "Ann"}}}}
    second = client.ask(
        "tools/call",
        {**params, **answered, "requestState": first["requestState"]},
        capabilities={"elicitation": {}},
    ).result
    assert key not in second["inputRequests"]
    state = second["requestState"]
    refused = [
        client.ask("tools/call", {**params, "requestState": state + "-TAMPERED"}),
        client.ask("tools/call", {**params, "arguments": {"x": 1}, "requestState": state}),
        client.ask("tools/call", {"name": "test_simple_text", "requestState": state}),
        client.ask("prompts/get", {"name": "test_simple_prompt", "requestState": 3}),
    ]
    assert {(reply.status, json.dumps(reply.messages[0]["error"])) for reply in refused} == {
        (400, json.dumps(refused[0].messages[0]["error"]))
    }
    assert refused[0].messages[0]["error"]["data"]["code"] == "state_invalid"


@pins("T1", "T2", "T3")
def test_a_task(client: Client) -> None:
    """
    What takes long becomes a task, what is over soon does not; a task answers until it is cancelled.
    """
    fast = {"name": "slow_compute", "arguments": {"seconds": 0}}
    assert client.ask("tools/call", fast, capabilities=TASKS).result["resultType"] == "complete"
    slow = {"name": "slow_compute", "arguments": {"seconds": 60}}
    made = client.ask("tools/call", slow, capabilities=TASKS).result
    assert (made["resultType"], made["ttlMs"]) == ("task", 900_000)
    task = {"taskId": made["taskId"]}
    working = client.ask("tasks/get", task, capabilities=TASKS).result
    assert (working["resultType"], working["status"]) == ("complete", "working")
    for method in ("tasks/update", "tasks/cancel", "tasks/cancel"):
        reply = client.ask(method, {**task, "inputResponses": {"x": 1}}, capabilities=TASKS)
        assert reply.result.keys() == {"resultType", "_meta"}
    assert client.ask("tasks/get", task, capabilities=TASKS).result["status"] == "cancelled"


@pins("T4")
def test_whose_a_task_is(client: Client) -> None:
    """
    No task without the extension, and none for an id that is nobody's.
    """
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        params = {"taskId": "task_none", "inputResponses": {}}
        assert client.ask(method, params, capabilities=TASKS).number == -32602
        reply = client.ask(method, params)
        assert reply.number == -32021
        needed = reply.messages[0]["error"]["data"]["requiredCapabilities"]
        assert needed == TASKS
    plain = client.ask("tools/call", {"name": "slow_compute", "arguments": {"seconds": 0.7}})
    assert plain.result["resultType"] == "complete"


EXAMPLES = re.findall(r"```sh\n(.*?)\n```\n\n```answer\n(.*?)\n```", PAGE.read_text(), re.DOTALL)


@pytest.mark.parametrize(("command", "answer"), EXAMPLES)
def test_the_examples(client: Client, command: str, answer: str) -> None:
    """
    Whoever tries what the page shows gets what it says.
    """
    status, expected = answer.splitlines()
    words = shlex.split(command.replace(":4400/", f":{client.port}/"))
    done = subprocess.run([*words, "-w", "\n%{http_code}"], capture_output=True, check=True, text=True)
    body, _, code = done.stdout.rpartition("\n")
    assert (code, expected in body) == (status, True), body


def test_every_row_of_the_page_is_pinned() -> None:
    """
    The contract page and this file name the same rows, and the page has examples.
    """
    assert set(re.findall(r"^\| ([A-Z][0-9]+) \|", PAGE.read_text(), re.MULTILINE)) == PINNED
    assert len(EXAMPLES) == 3
