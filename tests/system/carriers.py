"""
Many calls at once over one carrier, and what each was answered.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs

from examples.journeys.children import Daemon
from reticle.client import connect
from tests.system.stdio import StdioClient
from tests.system.streamable import Session, ask
from tests.system.wire import WAIT_SECONDS

AT_ONCE = 40
"""Most tools wait a moment for a page that may come back; they do it together."""

JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
MODERN = "2026-07-28"


@attrs.frozen
class Wanted:
    """
    One call.
    """

    name: str
    arguments: Mapping[str, object]

    @property
    def params(self) -> dict[str, object]:
        """
        Of ``tools/call``.
        """
        return {"name": self.name, "arguments": dict(self.arguments)}


Answers = Sequence[Mapping[str, Any]]
"""The flat result object of each call."""

Way = Callable[[Daemon, str, Sequence[Wanted]], Answers]
"""Makes calls with a token."""


def over_sse(daemon: Daemon, token: str, calls: Sequence[Wanted]) -> Answers:
    """
    One session of the old transport.
    """
    with connect(daemon.mcp_url, token, timeout_seconds=WAIT_SECONDS) as client:
        client.initialize("carriers", "1")
        sent = [client.send("tools/call", each.params) for each in calls]
        return [_flat(client.wait(each)) for each in sent]


def over_stdio(daemon: Daemon, token: str, calls: Sequence[Wanted]) -> Answers:
    """
    One front, which takes its token from a file.
    """
    folder = daemon.state_dir.parent / "front"
    folder.mkdir(exist_ok=True)
    held = folder / "front-token"
    held.write_text(token)
    held.chmod(0o600)
    extra = {
        "RETICLE_PORT": str(daemon.port),
        "RETICLE_RUNTIME_DIR": str(daemon.runtime_dir),
        "RETICLE_TOKEN_FILE": str(held),
    }
    front = StdioClient(folder, extra=extra)
    try:
        front.initialize()
        sent = [front.ask("tools/call", each.params) for each in calls]
        return [_flat(front.answer(each)["result"]) for each in sent]
    finally:
        front.close()
        front.end()


def over_a_session(daemon: Daemon, token: str, calls: Sequence[Wanted]) -> Answers:
    """
    One session of Streamable HTTP.
    """
    bearer = {"Authorization": f"Bearer {token}"}
    session = Session(daemon.port, **bearer)

    def call(number: int, wanted: Wanted) -> Mapping[str, Any]:
        answer = session.post(daemon.port, "tools/call", wanted.params, request_id=number, **bearer)
        return _flat(answer.result)

    return _at_once(call, calls)


def over_single_posts(daemon: Daemon, token: str, calls: Sequence[Wanted]) -> Answers:
    """
    A POST for each, without a session.
    """

    def call(number: int, wanted: Wanted) -> Mapping[str, Any]:
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": wanted.params}
        headers = {**JSON, "Authorization": f"Bearer {token}"}
        return _flat(ask(daemon.port, json.dumps(message), headers).result)

    return _at_once(call, calls)


def over_modern_posts(daemon: Daemon, token: str, calls: Sequence[Wanted]) -> Answers:
    """
    A request of 2026-07-28 for each.
    """
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    def call(number: int, wanted: Wanted) -> Mapping[str, Any]:
        params = {**wanted.params, "_meta": meta}
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        headers = {
            **JSON,
            "Authorization": f"Bearer {token}",
            "MCP-Protocol-Version": MODERN,
            "Mcp-Method": "tools/call",
            "Mcp-Name": wanted.name,
        }
        return _flat(ask(daemon.port, json.dumps(message), headers).result)

    return _at_once(call, calls)


def over_the_socket(daemon: Daemon, token: str, calls: Sequence[Wanted]) -> Answers:
    """
    A line for each on the Unix socket, one connection.
    """
    answers: dict[int, Mapping[str, Any]] = {}
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as link:
        link.settimeout(WAIT_SECONDS)
        link.connect(str(socket_path(daemon)))
        for number, wanted in enumerate(calls):
            line = {
                "schema_version": 1,
                "request_id": number,
                "method": wanted.name,
                "params": dict(wanted.arguments),
                "capability_token": token,
            }
            link.sendall(json.dumps(line).encode() + b"\n")
        with link.makefile("rb") as stream:
            while len(answers) < len(calls):
                told = json.loads(stream.readline())
                answers[told["request_id"]] = _from_envelope(told)
    return [answers[number] for number in range(len(calls))]


WAYS: Mapping[str, Way] = {
    "sse": over_sse,
    "stdio": over_stdio,
    "http session": over_a_session,
    "http": over_single_posts,
    "http 2026-07-28": over_modern_posts,
    "socket": over_the_socket,
}
"""Every road from a client to the gate; the first word is the carrier of its rows."""


def over_every(daemon: Daemon, token: str, calls: Sequence[Wanted]) -> Mapping[str, Answers]:
    """
    The calls over every road at once, on each as many together as a session may have running.
    """

    def all_of(call: Way) -> Answers:
        parts = [calls[begin : begin + AT_ONCE] for begin in range(0, len(calls), AT_ONCE)]
        return [answer for part in parts for answer in call(daemon, token, part)]

    with ThreadPoolExecutor(len(WAYS)) as pool:
        begun = {way: pool.submit(all_of, call) for way, call in WAYS.items()}
        return {way: each.result() for way, each in begun.items()}


def socket_path(daemon: Daemon) -> Path:
    """
    The daemon's Unix socket, as it is announced.
    """
    [record] = [
        json.loads(path.read_text()) for path in daemon.runtime_dir.glob(f"daemon-{daemon.port}.json")
    ]
    return daemon.runtime_dir / str(record["socket"])


def _at_once(
    call: Callable[[int, Wanted], Mapping[str, Any]], calls: Sequence[Wanted]
) -> Sequence[Mapping[str, Any]]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(call, range(10, 10 + len(calls)), calls))


def _flat(result: Mapping[str, Any]) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = result["structuredContent"]
    assert result["isError"] is not fields["ok"]
    return fields


def _from_envelope(told: Mapping[str, Any]) -> Mapping[str, Any]:
    if told["ok"]:
        return {"ok": True, "audit_id": told["audit_id"], **told["data"]}
    error = told["error"]
    return {
        "ok": False,
        "audit_id": told["audit_id"],
        "error": error["code"],
        "message": error["message"],
        "recovery": error["suggestion"],
        **error["details"],
    }
