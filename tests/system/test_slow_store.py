"""
A daemon whose database cannot be opened yet, because another program holds it.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.journeys.children import Child, daemon_environment
from reticle.client import connect
from tests.system.starting import StartDaemon
from tests.system.wire import eventually


def answer_of(port: int, method: str, path: str) -> tuple[int, str, str | None]:
    """
    Status, body and Retry-After of one request; status 0 while nobody listens.
    """
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        try:
            connection.request(method, path, headers={"Content-Type": "application/json"})
        except ConnectionRefusedError:
            return 0, "", None
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.getheader("Retry-After")


@pytest.fixture
def held(start: StartDaemon, tmp_path: Path) -> Iterator[tuple[int, sqlite3.Connection]]:
    """
    A starting daemon's port, and the connection that holds its database; ``rollback`` lets go.
    """
    before = start()
    before.child.stop()
    holder = sqlite3.connect(before.state_dir / "reticle.sqlite3", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    command = (sys.executable, "-m", "reticle", "serve", "--port", str(before.port))
    child = Child("daemon", command, tmp_path / "slow.log", daemon_environment(tmp_path / "daemon"))
    try:
        yield before.port, holder
    finally:
        holder.close()
        child.stop()


def test_port_answers_503_until_the_store_is_there(held: tuple[int, sqlite3.Connection]) -> None:
    """
    A client that comes too early is told to come again, and is then served; nothing hangs.
    """
    port, holder = held
    eventually(lambda: answer_of(port, "GET", "/healthz")[0] == 200, "the port answers")
    not_ready = (503, "MCP server not ready", "1")

    assert answer_of(port, "GET", "/mcp/sse") == not_ready
    assert answer_of(port, "POST", "/mcp/message?sessionId=x") == not_ready
    assert answer_of(port, "GET", "/readyz")[0] == 503
    assert json.loads(answer_of(port, "GET", "/status")[1])["state"] == "starting"

    holder.rollback()
    eventually(lambda: answer_of(port, "GET", "/readyz")[0] == 200, "the daemon serves")
    with connect(f"http://127.0.0.1:{port}/mcp/sse") as agent:
        agent.initialize("slow-store-test", "1")
        assert agent.call("reticle_tools").is_error is False


def test_store_that_stays_away_is_named_and_comes_back(held: tuple[int, sqlite3.Connection]) -> None:
    """
    While the database is held, a call says so with the next step; once it is free, the next call works.
    """
    port, holder = held
    eventually(lambda: answer_of(port, "GET", "/readyz")[0] == 200, "the daemon gave up waiting")
    with connect(f"http://127.0.0.1:{port}/mcp/sse") as agent:
        agent.initialize("slow-store-test", "1")
        refused = agent.call("reticle_tools")
        assert refused.is_error
        assert refused.fields["error"] == "storage_failed"
        assert "retry" in str(refused.fields["recovery"])

        holder.rollback()
        assert agent.call("reticle_tools").is_error is False
