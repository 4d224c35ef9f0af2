"""
A stop in the middle of everything (field report TR-10).
"""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack

from websockets.sync.client import connect as dial_page

from examples.journeys.children import Daemon
from reticle.client import Client, connect
from tests.system.pages import HELLO
from tests.system.starting import StartDaemon
from tests.system.wire import dialled, eventually, exchange, open_stream, port_is_free, post, status_of

UNREAD_REQUESTS = 200


def open_unread(cleanup: ExitStack, daemon: Daemon) -> socket.socket:
    """
    A stream whose reader stopped reading while answers pile up behind a full socket.
    """
    stream = cleanup.enter_context(dialled(daemon.port))
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    path = open_stream(stream)
    for number in range(UNREAD_REQUESTS):
        answer = exchange(
            daemon.port, post(path, {"jsonrpc": "2.0", "id": number, "method": "tools/list", "params": {}})
        )
        assert status_of(answer) == 202
    return stream


def silent_page(cleanup: ExitStack, daemon: Daemon, client: Client) -> None:
    """
    A connected page that takes commands and never answers one.
    """
    page = cleanup.enter_context(dial_page(f"ws://127.0.0.1:{daemon.port}/reticle"))
    page.send(json.dumps({**HELLO, "sessionId": "silent"}))
    eventually(lambda: client.call("reticle_sessions").fields["sessions"], "the page is connected")


def test_everyone_is_told_and_the_port_is_free(start: StartDaemon) -> None:
    """
    On SIGTERM readers get a farewell, the call in flight an answer, and the daemon ends with 0 in time.
    """
    daemon = start()
    with ExitStack() as cleanup:
        clients = [cleanup.enter_context(connect(daemon.mcp_url)) for _ in range(7)]
        for client in clients:
            client.initialize()
        for _ in range(3):
            open_unread(cleanup, daemon)
        silent_page(cleanup, daemon, clients[0])
        in_flight = clients[0].send("tools/call", {"name": "reticle_snapshot", "arguments": {}})
        began = time.monotonic()
        daemon.child.terminate()
        answer = clients[0].wait(in_flight, timeout_seconds=5)
        assert answer["structuredContent"]["error"] == "shutting_down"  # type: ignore[index]  # JSON
        farewells = [client.wait_for_end(5) for client in clients]
        assert all(farewell is not None for farewell in farewells), farewells
        assert daemon.child.wait_for_exit(5 - (time.monotonic() - began)) == 0
        assert port_is_free(daemon.port)
    assert list(daemon.runtime_dir.glob("daemon-*.json")) == []
    assert not (daemon.runtime_dir / "mcp-http-endpoint").exists()


def test_second_signal_does_not_wait(start: StartDaemon) -> None:
    """
    Who presses twice is not kept waiting for readers that do not read.
    """
    daemon = start()
    with ExitStack() as cleanup:
        open_unread(cleanup, daemon)
        daemon.child.terminate()
        eventually(lambda: port_is_free(daemon.port) or _refuses(daemon), "the daemon stops")
        daemon.child.terminate()
        daemon.child.wait_for_exit(1)


def test_new_work_is_refused_while_draining(start: StartDaemon) -> None:
    """
    While the stop waits for a slow reader, a newcomer is told to come back or finds no listener.
    """
    daemon = start()
    with ExitStack() as cleanup:
        open_unread(cleanup, daemon)
        daemon.child.terminate()
        eventually(lambda: _refuses(daemon), "newcomers are refused")
        assert daemon.child.wait_for_exit(5) == 0


def _refuses(daemon: Daemon) -> bool:
    try:
        with dialled(daemon.port) as newcomer:
            newcomer.sendall(b"GET /mcp/sse HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return status_of(newcomer.recv(65_536)) != 200
    except OSError:
        return True
