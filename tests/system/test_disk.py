"""
A disk that fills up, a database that others hold, a damaged file: what the daemon says, what it keeps, and
that it needs no restart.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import Daemon
from reticle.client import CallResult, Client, connect
from tests.system.starting import StartDaemon
from tests.system.wire import eventually

DISK = "4m"
ON_A_SMALL_DISK = (
    'mkdir -p "$RETICLE_STATE_DIR" && mount -t tmpfs -o size=$0,mode=0700 none "$RETICLE_STATE_DIR"'
    ' && exec "$@" -m reticle serve --port 0'
)
TOKEN = {"capability": "observe", "expires_in": "1h"}


@contextlib.contextmanager
def operator(daemon: Daemon) -> Iterator[Client]:
    """
    A client with the operator's token.
    """
    path = daemon.runtime_dir / "client-token"
    eventually(path.exists, "the operator's token is there", 30)
    with connect(daemon.mcp_url, path.read_text().strip()) as client:
        client.initialize("disk-test", "1")
        yield client


def storage_of(daemon: Daemon) -> Mapping[str, Any]:
    """
    What ``/status`` says of the store.
    """
    with urllib.request.urlopen(f"{daemon.url}/status", timeout=10) as answer:
        storage: Mapping[str, Any] = json.loads(answer.read())["storage"]
    return storage


def tokens_of(client: Client) -> int:
    """
    How many tokens there are.
    """
    total = client.call("daemon.token.list", {"limit": 1}).fields["total"]
    assert isinstance(total, int)
    return total


@pytest.fixture
def small_disk(start: StartDaemon, tool: Callable[[str], str]) -> Daemon:
    """
    A daemon whose state directory is a disk of its own, which nobody else has mounted.
    """
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    unshare = tool("unshare")
    tried = subprocess.run(
        [unshare, "--mount", "sh", "-c", "mount -t tmpfs none /mnt"], check=False, capture_output=True
    )
    if tried.returncode:
        pytest.skip(f"nothing can be mounted here: {tried.stderr.decode()}")
    return start([unshare, "--mount", "sh", "-c", ON_A_SMALL_DISK, DISK, sys.executable])


def seen_by(daemon: Daemon, path: Path) -> Path:
    """
    A path as the daemon sees it, with its own mounts.
    """
    return Path(f"/proc/{daemon.child.pid}/root") / path.relative_to("/")


def fill(path: Path) -> None:
    """
    Take all that is left of a disk.
    """
    with path.open("wb", buffering=0) as filler:
        for size in (65_536, 4_096, 1):
            with contextlib.suppress(OSError):
                while filler.write(b"\0" * size):
                    pass


def until_refused(call: Callable[[], CallResult]) -> CallResult:
    """
    The first answer that is none; SQLite has some room in files of its own.
    """
    for _ in range(5_000):
        answer = call()
        if answer.is_error:
            return answer
    raise AssertionError("the full disk was never noticed")


def test_a_full_disk_refuses_and_is_well_again_with_space(small_disk: Daemon) -> None:
    """
    Without space no call is answered and no change is half made; with space again the next one works, and the
    log is whole.
    """
    state = seen_by(small_disk, small_disk.state_dir)
    with operator(small_disk) as client:
        assert client.call("daemon.token.create", TOKEN).ok
        before = tokens_of(client)
        fill(state / "filler")
        made = 0

        def create() -> CallResult:
            nonlocal made
            answer = client.call("daemon.token.create", TOKEN)
            made += answer.ok
            return answer

        refused = until_refused(create)
        assert refused.error == "storage_failed"
        assert "is full" in str(refused.fields["message"])
        assert refused.fields["recovery"] == "Free disk space, then retry."
        assert "audit_id" not in refused.fields or refused.fields["audit_id"] is None
        looked = until_refused(lambda: client.call("reticle_tools"))
        assert looked.error == "storage_failed"
        assert storage_of(small_disk)["ok"] is False

        (state / "filler").unlink()
        assert client.call("reticle_tools").ok
        assert storage_of(small_disk)["ok"] is True
        assert tokens_of(client) == before + made
        found = client.call("audit.verify").fields
        assert (found["whole"], found["fault"]) == (True, None)


def test_a_database_that_others_hold_is_named(start: StartDaemon) -> None:
    """
    While somebody's SQLite shell holds the database calls are refused with who is to let go; then they work.
    """
    daemon = start()
    with operator(daemon) as client:
        assert client.call("daemon.token.create", TOKEN).ok
        before = tokens_of(client)
        holder = sqlite3.connect(daemon.state_dir / "reticle.sqlite3", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        refused = client.call("daemon.token.create", TOKEN)
        assert refused.error == "storage_failed"
        assert "another program holds" in str(refused.fields["message"])
        assert refused.fields["recovery"] == "Close it, then retry."
        holder.execute("ROLLBACK")
        holder.close()
        assert tokens_of(client) == before
        assert client.call("daemon.token.create", TOKEN).ok
        assert client.call("audit.verify").fields["whole"] is True


def test_a_damaged_database_is_left_alone_until_it_is_moved_away(start: StartDaemon) -> None:
    """
    The daemon writes nothing into a file that it cannot read; after the command that it names it goes on with
    a new one, without a restart.
    """
    before = start()
    with operator(before) as client:
        assert client.call("daemon.token.create", TOKEN).ok
    before.child.stop()
    database = before.state_dir / "reticle.sqlite3"
    damaged = database.read_bytes()[:4096] + b"\xff" * 20_000
    database.write_bytes(damaged)
    daemon = start()
    with connect(daemon.mcp_url) as client:
        client.initialize("disk-test", "1")
        refused = client.call("reticle_tools")
        assert refused.error == "storage_failed"
        assert refused.fields["message"] == f"the database {database} is damaged"
        command = f"mv {database} {database}.damaged"
        assert refused.fields["recovery"] == f"Start a new one: {command}"
        assert database.read_bytes() == damaged
        subprocess.run(command, shell=True, check=True)
        eventually(lambda: storage_of(daemon)["ok"], "the daemon looks again by itself", 30)
        assert client.call("reticle_tools").ok
    assert Path(f"{database}.damaged").read_bytes() == damaged
