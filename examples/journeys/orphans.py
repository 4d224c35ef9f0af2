"""
No child outlives the program that started it, however that ends: a benchmark that is killed leaves no daemon.

A small process of its own holds the reading end of a pipe whose other end only the starting program has. When
that program is gone, by any signal, the pipe ends, and what it had not ended by then is ended for it: each
child is asked (SIGTERM, so that a daemon can end its browser), and after ``GRACE_SECONDS`` killed.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable

GRACE_SECONDS = 5.0

_lock = threading.Lock()
_guard: subprocess.Popen[bytes] | None = None


def guard(pid: int) -> None:
    """
    End this child, and its process group where it leads one, when this program ends without having done so.
    """
    _tell(f"+{pid}\n")


def release(pid: int) -> None:
    """
    This child has been ended, and its number may soon be another's.
    """
    _tell(f"-{pid}\n")


def _tell(line: str) -> None:
    global _guard  # noqa: PLW0603 -- one guard for the whole program, begun when it is first needed
    with _lock:
        if _guard is None:
            # In a process group of its own: what interrupts the program must not take the guard first.
            command = [sys.executable, "-I", "-S", __file__]
            _guard = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
            )
            atexit.register(_close)
        assert _guard.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            os.write(_guard.stdin.fileno(), line.encode())


def _close() -> None:
    if _guard is not None and _guard.stdin is not None:
        _guard.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            _guard.wait(2 * GRACE_SECONDS)


def _watch(lines: Iterable[str]) -> None:
    """
    Take the names of children until the pipe ends, and then end those that are left.
    """
    left: set[int] = set()
    for line in lines:
        pid = int(line[1:])
        if line[0] == "+":
            left.add(pid)
        else:
            left.discard(pid)
    for pid in left:
        _signal(pid, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SECONDS
    while any(_runs(pid) for pid in left) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in left:
        _signal(pid, signal.SIGKILL)


def _signal(pid: int, number: int) -> None:
    """
    To the child; the last one to all of its group, whose leader it may have been.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
    if number == signal.SIGKILL:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)


def _runs(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, 0)
        return True
    return False


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _watch(sys.stdin)
