"""
What we ask of the operating system: locks, the identity of processes, signals, systemd's socket.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reticle.storage.lock import LOCK_FILE, DirectoryLock, LockHolder
from reticle.storage.process_identity import process_identity, signal_process
from reticle.transport.systemd import notify

pytestmark = pytest.mark.system


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """
    A process that lives until its input is closed.
    """
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as running:
        yield running
        running.kill()


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    """
    After kill -9 the next start needs no repair, although the file still names the dead one.
    """
    program = (
        "import os,sys;from pathlib import Path;from reticle.storage.lock import *;"
        "DirectoryLock(Path(sys.argv[1])).acquire(LockHolder(os.getpid(), 1, 1.0)); os.kill(os.getpid(), 9)"
    )
    died = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False, timeout=60)
    assert died.returncode == -signal.SIGKILL
    assert (tmp_path / LOCK_FILE).read_text() != ""
    lock = DirectoryLock(tmp_path)
    lock.acquire(LockHolder(pid=4321, port=4400, started_at=1.5))
    lock.release()


def test_a_dead_process_has_no_identity(child: subprocess.Popen[bytes]) -> None:
    """
    An exited process is gone, also while its parent has not collected it.
    """
    assert process_identity(child.pid) is not None
    assert child.stdin is not None
    child.stdin.close()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert process_identity(child.pid) is None
    child.wait()
    assert process_identity(child.pid) is None


def test_a_signal_reaches_only_the_process_that_was_meant(child: subprocess.Popen[bytes]) -> None:
    """
    Stopping a daemon never hits a stranger that got its process id.
    """
    identity = process_identity(child.pid)
    assert identity is not None
    assert signal_process(child.pid, "boot:1", signal.SIGKILL) is False
    assert process_identity(child.pid) == identity
    assert signal_process(child.pid, identity, signal.SIGKILL) is True
    assert child.wait() == -signal.SIGKILL
    assert signal_process(child.pid, identity, signal.SIGKILL) is False


@pytest.mark.parametrize("abstract", [False, True])
def test_the_manager_is_told_when_we_are_ready(tmp_path: Path, *, abstract: bool) -> None:
    """
    A Type=notify unit becomes active at READY=1, over either kind of socket.
    """
    name = f"\0{tmp_path}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name)
        assert notify("READY=1", {"NOTIFY_SOCKET": name.replace("\0", "@")}) is True
        assert manager.recv(100) == b"READY=1"
