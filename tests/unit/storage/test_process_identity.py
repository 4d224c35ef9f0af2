"""
A process is known by its number and its start.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from reticle.storage.process_identity import process_identity, signal_process


def test_a_living_process_keeps_its_identity() -> None:
    """
    Asking twice gives the same word, and another process another one.
    """
    ours = process_identity(os.getpid())
    assert ours is not None
    assert process_identity(os.getpid()) == ours
    assert process_identity(os.getppid()) != ours


def test_a_dead_process_has_none() -> None:
    """
    An exited process is gone, also while its parent has not collected it.
    """
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert process_identity(child.pid) is not None
    assert child.stdin is not None
    child.stdin.close()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert process_identity(child.pid) is None
    child.wait()
    assert [process_identity(pid) for pid in (child.pid, 0, -1)] == [None] * 3


def test_a_signal_reaches_only_the_process_that_was_meant() -> None:
    """
    Stopping a daemon never hits a stranger that got its process id.
    """
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    identity = process_identity(child.pid)
    assert identity is not None
    assert signal_process(child.pid, "boot:1", signal.SIGKILL) is False
    assert process_identity(child.pid) == identity
    assert signal_process(child.pid, identity, signal.SIGKILL) is True
    assert child.wait() == -signal.SIGKILL
    assert signal_process(child.pid, identity, signal.SIGKILL) is False
    assert child.stdin is not None
    child.stdin.close()
