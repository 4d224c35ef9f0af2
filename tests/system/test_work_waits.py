"""
Waiting for work at a real daemon: over plain POSTs, over connections that go, over a daemon that is killed.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from examples.journeys.children import Daemon
from tests.system.starting import StartDaemon

pytestmark = pytest.mark.system

JOBS = [{"id": "one", "role": "maker"}, {"id": "two", "role": "maker", "depends_on": ["one"]}]


class Work:
    """
    A started run of two jobs, one after the other, at a daemon that may be another one later.
    """

    def __init__(self, daemon: Daemon, folder: Path) -> None:
        folder.mkdir()
        self.daemon = daemon
        self.admin = (daemon.runtime_dir / "client-token").read_text().strip()
        self.shop = self.call(self.admin, "repo.add", path=str(folder))["repository_id"]
        self.run = self.operate("run.prepare", jobs=JOBS)["run_id"]
        self.operate("run.start", run_id=self.run)

    def operate(self, name: str, **arguments: Any) -> Mapping[str, Any]:
        """
        One call of the operator's.
        """
        return self.call(self.admin, name, repository_id=self.shop, **arguments)

    def agent(self) -> tuple[str, str]:
        """
        A new agent: its token and its session.
        """
        made = self.operate("session.register", run_id=self.run, role="maker")
        return made["session_capability_token"]["token"], made["session_id"]

    def call(self, token: str, name: str, **arguments: Any) -> Mapping[str, Any]:
        """
        One plain POST without any session.
        """
        with urlopen(self.request(token, name, arguments), timeout=60) as answer:
            told = json.load(answer)["result"]["structuredContent"]
        assert isinstance(told, dict)
        return told

    def request(self, token: str, name: str, arguments: Mapping[str, Any]) -> Request:
        """
        What is posted.
        """
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Authorization": f"Bearer {token}",
        }
        return Request(self.daemon.mcp_url, json.dumps(message).encode(), headers)

    def by(self, agent: tuple[str, str], name: str, **arguments: Any) -> Mapping[str, Any]:
        """
        One call of an agent's.
        """
        token, session_id = agent
        return self.call(token, name, repository_id=self.shop, session_id=session_id, **arguments)

    def states(self) -> Mapping[str, int]:
        """
        How many jobs are in which state.
        """
        states = self.operate("list.jobs", run_id=self.run)["jobs_by_state"]
        assert isinstance(states, dict)
        return states

    def waits_and_goes(self, agent: tuple[str, str], gone: Callable[[socket.socket], None]) -> None:
        """
        An agent that begins to wait, and whose connection then goes.
        """
        token, session_id = agent
        asked = self.request(
            token, "work.await_packet", {"repository_id": self.shop, "session_id": session_id}
        )
        assert isinstance(asked.data, bytes)
        head = "".join(f"{name}: {value}\r\n" for name, value in asked.header_items())
        with socket.create_connection(("127.0.0.1", self.daemon.port)) as connection:
            connection.sendall(
                f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}Content-Length: {len(asked.data)}\r\n\r\n"
                .encode() + asked.data
            )  # fmt: skip
            until(lambda: self.awaited(session_id))
            gone(connection)
        until(lambda: self.operate("supervise.status", session_id=session_id)["ok"])

    def awaited(self, session_id: str) -> bool:
        """
        Whether a session's wait has begun.
        """
        alive = self.operate("supervise.status", session_id=session_id)["protocol_liveness"]
        return "last_await_at" in alive


def until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """
    Wait for something to become so.
    """
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not become so"
        time.sleep(0.02)


def reset(connection: socket.socket) -> None:
    """
    Go without a farewell (RST).
    """
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")


def finished(connection: socket.socket) -> None:
    """
    Go in peace.
    """
    connection.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("gone", [reset, finished])
def test_nothing_is_claimed_for_a_peer_that_is_gone(
    start: StartDaemon, tmp_path: Path, gone: Callable[[socket.socket], None]
) -> None:
    """
    A packet that comes when its waiter has hung up is the next one's, at once and as its first attempt.
    """
    work = Work(start(), tmp_path / "shop")
    maker, left, other = work.agent(), work.agent(), work.agent()
    got = work.by(maker, "work.await_packet")
    work.waits_and_goes(left, gone)
    assert work.by(maker, "work.ack", lease_id=got["lease_id"])["ok"]
    assert work.by(maker, "work.complete", lease_id=got["lease_id"])["status"] == "completed"
    until(lambda: work.states() == {"completed": 1, "queued": 1})
    second = work.by(other, "work.await_packet", wait_seconds=5)
    assert (second["status"], second["packet"]["job"]["attempt"]) == ("claimed", 1)


def test_a_killed_daemon_forgets_no_packet(start: StartDaemon, tmp_path: Path) -> None:
    """
    An agent goes on with its packet after the daemon was killed in the middle of it, and completes the run.
    """
    daemon = start()
    work = Work(daemon, tmp_path / "shop")
    maker, other = work.agent(), work.agent()
    got = work.by(maker, "work.await_packet", lease_seconds=1)
    os.kill(daemon.child.pid, signal.SIGKILL)
    daemon.child.process.wait()
    time.sleep(1)  # the lease's whole time goes by without a daemon
    work.daemon = start()
    assert work.by(maker, "work.ack", lease_id=got["lease_id"])["status"] == "acked"
    assert work.by(maker, "work.heartbeat", lease_id=got["lease_id"], extend_seconds=60)["ok"]
    assert work.by(other, "work.claim_next")["reason"] == "waiting_for_jobs"
    assert work.by(maker, "work.complete", lease_id=got["lease_id"])["status"] == "completed"
    last = work.by(other, "work.await_packet")
    assert work.by(other, "work.ack", lease_id=last["lease_id"])["ok"]
    assert work.by(other, "work.complete", lease_id=last["lease_id"])["ok"]
    assert work.operate("run.detail", run_id=work.run)["state"] == "completed"
    assert work.by(maker, "work.await_packet")["idle_behavior"] == "exit_session"
    assert work.call(work.admin, "audit.verify")["whole"] is True
