"""
``reticle mcp`` over pipes, with real daemons that come and go (field reports SP-02, SP-04, SP-05, SP-07).
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.system.starting import StartDaemon
from tests.system.stdio import StdioClient
from tests.system.wire import eventually

Begin = Callable[..., StdioClient]
HANDSHAKE_SECONDS = 3.0


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """
    Start fronts; they and the daemons they started end with the test.
    """
    started: list[StdioClient] = []

    def start_front(*arguments: str, folder: str = "daemon", **settings: str) -> StdioClient:
        extra = {f"RETICLE_{name.upper()}": value for name, value in settings.items()}
        client = StdioClient(tmp_path / folder, arguments, extra)
        started.append(client)
        return client

    yield start_front
    for client in reversed(started):
        client.end()


def free_port() -> int:
    """
    A port that nobody has now.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def silent_listener(port: int) -> socket.socket:
    """
    Something that takes connections and never says a word.
    """
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(32)
    return listener


def test_it_starts_a_daemon_and_carries_a_call(begin: Begin) -> None:
    """
    A client that knows nothing but the command gets tools that work.
    """
    client = begin()
    assert client.initialize()["serverInfo"]["name"] == "reticle"
    names = {tool["name"] for tool in client.request("tools/list")["tools"]}
    assert {"reticle_act_and_wait", "reticle_assert"} <= names
    assert client.call("reticle_sessions")["structuredContent"]["sessions"] == []


@pytest.mark.full
def test_the_daemon_it_started_outlives_it(begin: Begin) -> None:
    """
    DL-04: the host ends the front with everything in its process group; the daemon goes on for the next one.
    """
    client = begin()
    client.initialize()
    client.call("reticle_sessions")
    pid = client.wait_for_daemon()
    os.killpg(client.process.pid, signal.SIGKILL)
    client.process.wait(10)
    second = begin()
    second.initialize()
    second.call("reticle_sessions")
    assert second.wait_for_daemon() == pid
    assert "starting one" not in second.told()


def test_it_finds_the_daemon_that_runs(begin: Begin, start: StartDaemon) -> None:
    """
    A front joins the daemon that the user started, on whatever port.
    """
    daemon = start()
    client = begin()
    client.initialize()
    client.call("reticle_sessions")
    assert client.wait_for_daemon() == daemon.child.pid


def test_a_killed_daemon_is_replaced_for_the_next_call(begin: Begin) -> None:
    """
    SP-02 (a): the daemon dies while nothing runs; the tools stay, and the next call works.
    """
    client = begin()
    client.initialize()
    client.call("reticle_sessions")
    killed = client.kill_daemon()
    assert len(client.request("tools/list")["tools"]) > 10
    assert client.call("reticle_sessions")["structuredContent"]["ok"]
    assert client.wait_for_daemon(other_than=killed) != killed
    assert client.process.poll() is None


@pytest.mark.full
def test_a_daemon_that_was_stopped_stays_stopped_until_it_is_needed(begin: Begin, start: StartDaemon) -> None:
    """
    `reticle stop` means it: the front alone starts nothing behind the user's back.
    """
    daemon = start()
    client = begin()
    client.initialize()
    client.call("reticle_sessions")
    daemon.child.terminate()
    daemon.child.wait_for_exit(10)
    eventually(lambda: "looking for the daemon" in client.told(), "the front notices the end")
    client.receive(1.0)
    assert client.daemon() is None
    assert client.call("reticle_sessions")["structuredContent"]["ok"]
    assert client.daemon() is not None


def test_a_call_in_flight_gets_one_error_and_is_not_repeated(begin: Begin) -> None:
    """
    SP-02 (b), SP-05 (b): nobody knows whether the act happened; the agent is told so, once.
    """
    client = begin()
    client.initialize()
    client.call("reticle_sessions")
    os.kill(client.wait_for_daemon(), signal.SIGSTOP)
    acting = client.ask("tools/call", {"name": "reticle_feedback", "arguments": {"text": "hello"}})
    client.receive(1.0)  # it is in the stopped daemon's socket by now
    client.kill_daemon()
    error = client.answer(acting)["error"]
    assert error["data"]["code"] == "outcome_unknown"
    assert "may have happened" in error["message"]
    assert client.call("reticle_sessions")["structuredContent"]["ok"]
    assert client.answers(acting) == 1


@pytest.mark.full
def test_a_read_in_flight_is_sent_once_more(begin: Begin) -> None:
    """
    SP-05: a read that the daemon took to its grave is answered by the next daemon, unseen.
    """
    client = begin()
    client.initialize()
    client.call("reticle_sessions")
    os.kill(client.wait_for_daemon(), signal.SIGSTOP)
    reading = client.ask("tools/call", {"name": "reticle_sessions", "arguments": {}})
    client.receive(1.0)
    client.kill_daemon()
    assert client.answer(reading)["result"]["structuredContent"]["sessions"] == []
    assert client.answers(reading) == 1


@pytest.mark.full
def test_a_cancelled_call_is_never_answered(begin: Begin) -> None:
    """
    A client that cancelled has forgotten the id; an answer to it would be a fault of ours.
    """
    client = begin()
    client.initialize()
    client.call("reticle_sessions")
    os.kill(client.wait_for_daemon(), signal.SIGSTOP)
    cancelled = client.ask("tools/call", {"name": "reticle_sessions", "arguments": {}})
    client.notify("notifications/cancelled", {"requestId": cancelled})
    client.kill_daemon()
    client.call("reticle_sessions")
    assert client.answers(cancelled) == 0


def test_a_reset_of_the_first_stream_is_not_noticed(begin: Begin) -> None:
    """
    SP-02: the first connection is cut before its first frame; the handshake and the next call work.
    """
    port = free_port()
    listener = silent_listener(port)
    client = begin("--url", f"http://127.0.0.1:{port}")
    accepted = listener.accept()[0]
    accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    accepted.close()
    assert client.initialize()["serverInfo"]["name"] == "reticle"
    again = listener.accept()[0]
    assert again.recv(100).startswith(b"GET /mcp/sse HTTP/1.1")
    again.close()
    listener.close()


@pytest.mark.full
def test_the_daemon_dies_before_the_first_connection(begin: Begin, start: StartDaemon) -> None:
    """
    SP-02 (c): what was announced is already gone; the front notices and starts another.
    """
    daemon = start()
    os.kill(daemon.child.pid, signal.SIGKILL)
    daemon.child.wait_for_exit(10)
    client = begin()
    client.initialize()
    assert client.call("reticle_sessions")["structuredContent"]["ok"]
    assert client.wait_for_daemon(other_than=daemon.child.pid)


def test_a_wedged_daemon_does_not_hold_the_handshake(begin: Begin, start: StartDaemon) -> None:
    """
    SP-04: the port takes connections and stays silent. The handshake comes at once, a call fails with the
    port and its holder, and works as soon as a healthy daemon is there.
    """
    port = free_port()
    listener = silent_listener(port)
    client = begin(port=str(port))
    began = time.monotonic()
    assert client.initialize()["serverInfo"]["name"] == "reticle"
    assert client.request("tools/list")["tools"]
    assert time.monotonic() - began < HANDSHAKE_SECONDS
    error = client.answer(client.ask("tools/call", {"name": "reticle_sessions", "arguments": {}}))["error"]
    assert error["data"]["code"] == "daemon_unreachable"
    assert f"port {port} is held by" in error["message"]
    assert f"pid {os.getpid()}" in error["message"]
    listener.close()
    start(
        [*map(str, _serve(port))],
        folder="daemon",
    )
    assert client.call("reticle_sessions")["structuredContent"]["ok"]


def _serve(port: int) -> list[str]:
    import sys

    return [sys.executable, "-m", "reticle", "serve", "--port", str(port)]


@pytest.mark.full
def test_a_daemon_that_wedges_in_the_middle_is_told(begin: Begin) -> None:
    """
    SP-04: a daemon that hangs does not hold its agents: the call ends, names port and pid, and the front
    goes on as soon as the daemon does.
    """
    client = begin()
    client.initialize()
    client.call("reticle_sessions")
    pid = client.wait_for_daemon()
    os.kill(pid, signal.SIGSTOP)
    acting = client.answer(client.ask("tools/call", {"name": "reticle_feedback", "arguments": {}}))
    assert acting["error"]["data"]["code"] == "outcome_unknown"
    assert f"pid {pid}" in acting["error"]["message"]
    os.kill(pid, signal.SIGCONT)
    assert client.call("reticle_sessions")["structuredContent"]["ok"]
    assert client.wait_for_daemon() == pid


def test_without_leave_to_start_it_says_what_to_do(begin: Begin) -> None:
    """
    `--no-start` and no daemon: handshake and list as ever, a call fails with the command to run.
    """
    client = begin("--no-start")
    client.initialize()
    assert client.request("tools/list")["tools"]
    error = client.answer(client.ask("tools/call", {"name": "reticle_sessions", "arguments": {}}))["error"]
    assert error["data"]["code"] == "daemon_unreachable"
    assert "reticle serve" in error["data"]["recovery"]
    assert client.daemon() is None


def test_offline_and_online_say_the_same(begin: Begin, start: StartDaemon) -> None:
    """
    SP-07: what a client reads once (instructions, capabilities, tools) is the same before a daemon runs.
    """
    offline = begin("--no-start")
    hello_offline, list_offline = offline.initialize(), offline.request("tools/list")
    start()
    online = begin("--no-start")
    assert online.initialize() == hello_offline
    online.call("reticle_sessions")
    assert online.request("tools/list") == list_offline
    offline.call("reticle_sessions")
    assert offline.request("tools/list") == list_offline
    assert [each["method"] for each in offline.notifications] == []


def test_the_end_of_input_ends_it(begin: Begin) -> None:
    """
    A host that closes the pipe sees the process go, with code 0, also while a call runs.
    """
    client = begin()
    client.initialize()
    client.call("reticle_sessions")
    client.ask("tools/call", {"name": "reticle_wait_for", "arguments": {"until": {"kind": "text"}}})
    began = time.monotonic()
    assert client.close() == 0
    assert time.monotonic() - began < HANDSHAKE_SECONDS


def test_a_client_that_hangs_up_ends_it(begin: Begin) -> None:
    """
    The reading end is closed first (EPIPE): the front ends without a word, not with a traceback.
    """
    client = begin("--no-start")
    client.initialize()
    assert client.process.stdout is not None
    client.process.stdout.close()
    client.process.wait(10)
    assert client.process.returncode == 0
    assert "Traceback" not in client.told()


@pytest.mark.full
def test_two_fronts_start_one_daemon(begin: Begin) -> None:
    """
    DL-03: clients that start together share one daemon.
    """
    clients = [begin() for _ in range(4)]
    threads = [threading.Thread(target=_first_call, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [client.answers(2) for client in clients] == [1] * 4
    assert len(list((clients[0].folder / "runtime").glob("daemon-*.json"))) == 1


def _first_call(client: StdioClient) -> None:
    client.initialize()
    client.call("reticle_sessions")


def test_a_token_from_the_environment_opens_the_daemon(begin: Begin, start: StartDaemon) -> None:
    """
    The pairing token of the client's entry reaches the daemon as a header; a wrong one is told.
    """
    daemon = start(extra={"RETICLE_TOKEN": "right-token"})
    right = begin(token="right-token")
    right.initialize()
    assert right.call("reticle_sessions")["structuredContent"]["ok"]
    wrong = begin("--port", str(daemon.port), token="wrong-token")
    wrong.initialize()
    error = wrong.answer(wrong.ask("tools/call", {"name": "reticle_sessions", "arguments": {}}))["error"]
    assert error["data"]["code"] == "daemon_unreachable"
    assert "RETICLE_TOKEN" in error["data"]["recovery"]
    assert "wrong-token" not in wrong.told() + str(error)


@pytest.mark.full
def test_thirty_kills(begin: Begin) -> None:
    """
    SP-02 (d): the daemon dies thirty times; every next call works and every request has one answer.
    """
    client = begin()
    client.initialize()
    for _ in range(30):
        assert client.call("reticle_sessions")["structuredContent"]["ok"]
        client.kill_daemon()
    asked = range(2, 32)
    assert [client.answers(identity) for identity in asked] == [1] * len(asked)


@pytest.mark.full
def test_the_daemon_sees_a_handshake_again_after_a_restart(begin: Begin, start: StartDaemon) -> None:
    """
    SP-02: the client's handshake is told to each new daemon under another id, and its answer is hidden.
    """
    first = start(extra={"RETICLE_PORT": "0"})
    client = begin()
    client.initialize("2025-06-18")
    client.call("reticle_sessions")
    first.child.terminate()
    first.child.wait_for_exit(10)
    client.call("reticle_sessions")
    pid = client.wait_for_daemon(other_than=first.child.pid)
    log = (client.folder / "state" / "daemon.log").read_text()
    assert "stdio-test 1 speaks 2025-06-18" in log
    assert client.answers(1) == 1
    assert pid != first.child.pid
