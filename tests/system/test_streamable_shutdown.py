"""
What clients of Streamable HTTP hear when the real daemon is told to stop.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from websockets.sync.client import connect as dial_page

from examples.journeys.children import Daemon
from tests.system.pages import HELLO
from tests.system.starting import StartDaemon
from tests.system.streamable import Answer, Session, ask
from tests.system.wire import eventually

PLAIN = {"Content-Type": "application/json"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
CALL: dict[str, object] = {"name": "reticle_snapshot", "arguments": {}}


def modern(daemon: Daemon, method: str, **params: object) -> Answer:
    """
    One request of 2026-07-28.
    """
    headers = {
        **PLAIN, "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method,
    }  # fmt: skip
    if "name" in params:
        headers["Mcp-Name"] = str(params["name"])
    message = {"jsonrpc": "2.0", "id": "m", "method": method, "params": {**params, "_meta": META}}
    return ask(daemon.port, json.dumps(message), headers)


def status(daemon: Daemon) -> Any:
    """
    What the daemon says of itself.
    """
    return json.loads(ask(daemon.port, None, {}, method="GET", path="/status").text)


def pages(daemon: Daemon) -> int:
    """
    How many pages are connected.
    """
    return len(status(daemon)["pages"])


def in_flight(daemon: Daemon) -> int:
    """
    How many calls run.
    """
    return int(status(daemon)["calls"]["in_flight"])


def test_every_call_in_flight_is_answered(start: StartDaemon) -> None:
    """
    In a session, without one, and of the newest revision: each hears that the daemon stops and what to do;
    who listens gets the final result; the exit is clean.
    """
    daemon = start()
    session = Session(daemon.port)
    lone = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL})
    with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as page, ThreadPoolExecutor(4) as clients:
        # It takes commands and never answers one.
        page.send(json.dumps(HELLO))
        eventually(lambda: pages(daemon), "the page is connected")
        listener = clients.submit(
            modern, daemon, "subscriptions/listen", notifications={"toolsListChanged": True}
        )
        calls = [
            clients.submit(session.post, daemon.port, "tools/call", CALL),
            clients.submit(ask, daemon.port, lone, PLAIN),
            clients.submit(modern, daemon, "tools/call", **CALL),
        ]
        eventually(lambda: in_flight(daemon) == len(calls), "all calls run")
        daemon.child.process.terminate()
        assert daemon.child.wait_for_exit(10) == 0
        answers = [call.result().result for call in calls]
        final = listener.result()
    assert [answer["structuredContent"]["error"] for answer in answers] == ["shutting_down"] * len(calls)
    assert all(answer["structuredContent"]["recovery"] for answer in answers)
    assert final.result["resultType"] == "complete"
    assert "Traceback" not in daemon.child.printed()
