"""
Sessions of Streamable HTTP over restarts of the real daemon (DESIGN §4; rows N5 and N6 of its page).
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import signal
import socket
import sqlite3
from collections.abc import Callable

import pytest

from examples.journeys.children import Daemon
from tests.system.starting import StartDaemon
from tests.system.streamable import Session
from tests.system.wire import dialled, request

TOKEN = "a-pairing-token-of-the-test"


def kill(daemon: Daemon) -> None:
    """
    As the kernel does when memory runs out.
    """
    daemon.child.process.kill()
    assert daemon.child.wait_for_exit(5) == -signal.SIGKILL


def stop(daemon: Daemon) -> None:
    """
    As systemd does.
    """
    daemon.child.process.terminate()
    assert daemon.child.wait_for_exit(10) == 0


@pytest.mark.parametrize("end_life", [kill, stop])
def test_a_client_goes_on_after_a_restart(start: StartDaemon, end_life: Callable[[Daemon], None]) -> None:
    """
    Killed or stopped, the next daemon serves the session as it was agreed on, and a deleted one never.
    """
    first = start()
    session, older, ended = Session(first.port), Session(first.port, "2025-03-26"), Session(first.port)
    assert ended.end(first.port) == 204
    assert session.post(first.port, "logging/setLevel", {"level": "error"}).result == {}
    uri = {"uri": "reticle://sessions"}
    assert session.post(first.port, "resources/subscribe", uri).result == {}
    called = session.post(first.port, "tools/call", {"name": "reticle_sessions", "arguments": {}}).result
    assert called["structuredContent"]["ok"] is True
    end_life(first)
    second = start()
    called = session.post(second.port, "tools/call", {"name": "reticle_sessions", "arguments": {}}).result
    assert called["structuredContent"]["ok"] is True
    called = older.post(second.port, "tools/call", {"name": "reticle_sessions", "arguments": {}}).result
    assert "structuredContent" not in called
    refused = ended.post(second.port, "ping", request_id="mine")
    assert (refused.status, json.loads(refused.text)["id"]) == (404, "mine")
    again = session.post(second.port, "initialize", {"protocolVersion": "2025-11-25"})
    assert json.loads(again.text)["error"]["data"]["code"] == "already_initialized"
    with contextlib.closing(sqlite3.connect(second.state_dir / "reticle.sqlite3")) as database:
        kept = database.execute("SELECT log_level, subscriptions FROM mcp_session WHERE NOT ended").fetchall()
    assert kept == [("error", '["reticle://sessions"]')]


def test_a_stream_goes_on_after_a_kill(start: StartDaemon) -> None:
    """
    A client that comes back with the last event of an earlier life is told to look again, on a stream that
    stays open; its next call is served.
    """
    first = start()
    session = Session(first.port)
    fields = ("Accept: text/event-stream", f"Mcp-Session-Id: {session.session_id}")
    with dialled(first.port) as stream:
        stream.sendall(request("GET", "/mcp", *fields))
        last = re.search(rb"\nid: (\S+)\n", read_until(stream, b"data: \n\n"))
    assert last is not None
    kill(first)
    second = start()
    with dialled(second.port) as stream:
        stream.sendall(request("GET", "/mcp", *fields, f"Last-Event-ID: {last[1].decode()}"))
        assert b"200 OK" in read_until(stream, b"notifications/tools/list_changed")
        assert session.post(second.port, "tools/list").result["tools"]


def read_until(connected: socket.socket, mark: bytes) -> bytes:
    """
    What came up to the mark.
    """
    got = b""
    while mark not in got:
        chunk = connected.recv(65_536)
        assert chunk, got
        got += chunk
    return got


def test_a_deleted_session_stays_deleted_after_a_kill(start: StartDaemon) -> None:
    """
    DELETE is answered once it is on the disk: a kill right after it changes nothing.
    """
    first = start()
    session = Session(first.port)
    assert session.end(first.port) == 204
    kill(first)
    assert session.post(start().port, "ping").status == 404


def test_a_restored_backup_refuses_what_it_cannot_know(start: StartDaemon) -> None:
    """
    A state directory out of a backup has forgotten what was ended since: it gets a new key, the log says
    so, and clients begin anew; after that restarts are as ever.
    """
    first = start()
    alive, ended = Session(first.port), Session(first.port)
    stop(first)
    backup = first.state_dir.with_name("backup")
    shutil.copytree(first.state_dir, backup)
    second = start()
    assert [each.post(second.port, "ping").status for each in (alive, ended)] == [200, 200]
    assert ended.end(second.port) == 204
    stop(second)
    shutil.rmtree(first.state_dir)
    shutil.copytree(backup, first.state_dir)
    first.state_dir.chmod(0o700)
    third = start()
    assert [each.post(third.port, "ping").status for each in (alive, ended)] == [404, 404]
    assert "restored" in third.child.printed()
    fresh = Session(third.port)
    stop(third)
    fourth = start()
    assert fresh.post(fourth.port, "ping").status == 200
    assert "restored" not in fourth.child.printed()


def test_a_revoked_credential_loses_its_sessions(start: StartDaemon) -> None:
    """
    When the pairing token was changed, who has the old one gets nothing for knowing a session's id.
    """
    first = start(extra={"RETICLE_TOKEN": TOKEN})
    session = Session(first.port)
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert session.post(first.port, "ping", **bearer).status == 200
    stop(first)
    second = start(extra={"RETICLE_TOKEN": "another-pairing-token"})
    assert session.post(second.port, "ping", **bearer).status == 401
    assert session.post(second.port, "ping").status == 200


def test_the_id_is_in_no_log(start: StartDaemon) -> None:
    """
    Whoever reads the log cannot take over a session.
    """
    daemon = start(extra={"RETICLE_LOG_LEVEL": "debug"})
    session = Session(daemon.port)
    session.post(daemon.port, "ping")
    session.end(daemon.port)
    session.post(daemon.port, "ping")
    stop(daemon)
    assert session.session_id not in daemon.child.printed()
