"""
A process is known by its number and its start.
"""

from __future__ import annotations

import os
import subprocess
import sys

from reticle.storage.process_identity import process_identity


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
