"""
Which process a number means: a process id is reused, an id with its start time is not.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path


def process_identity(pid: int) -> str | None:
    """
    An opaque word that no other process ever has, or None when there is no such living process.

    Linux: boot id and start tick of ``/proc/<pid>/stat`` (proc(5), field 22); a zombie counts as gone.
    Elsewhere: the start time that ``ps`` shows.
    """
    if pid <= 0:
        return None
    if sys.platform.startswith("linux"):
        return _from_proc(pid)
    return _from_ps(pid)


def signal_process(pid: int, identity: str, number: signal.Signals) -> bool:
    """
    Send a signal to exactly this process; False when it is gone, also when its number is a stranger's now.

    Raises:
        PermissionError: It belongs to another user.
    """
    if not hasattr(os, "pidfd_open"):
        if process_identity(pid) != identity:
            return False
        os.kill(pid, number)
        return True
    try:
        # The descriptor pins the process, so that it cannot be replaced between the check and the signal.
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    try:
        if process_identity(pid) != identity:
            return False
        signal.pidfd_send_signal(descriptor, number)
    except ProcessLookupError:
        return False
    finally:
        os.close(descriptor)
    return True


def _from_proc(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
    except OSError:
        return None
    # The program's name stands in parentheses and may hold anything, parentheses too.
    state, *rest = stat.rpartition(")")[2].split()
    return None if state in ("Z", "X") else f"{pid}:{boot[:8]}:{rest[18]}"


def _from_ps(pid: int) -> str | None:
    shown = subprocess.run(  # noqa: S603 - fixed program, numeric argument
        ["/bin/ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False, timeout=5
    )
    started = shown.stdout.strip()
    return f"{pid}:{started}" if started else None
