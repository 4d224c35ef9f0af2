"""
What a benchmark, a demo or a test run leaves behind when it is killed: nothing.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from examples.journeys.children import ROOT
from tests.system.wire import eventually

_STARTS = """
import sys, time
from pathlib import Path
from examples.journeys.children import start_daemon
print(start_daemon(Path(sys.argv[1])).child.pid, flush=True)
time.sleep(60)
"""


def test_a_program_that_is_killed_leaves_no_daemon_behind(tmp_path: Path) -> None:
    """
    Even kill -9, which lets nobody clean up, ends the daemon that was started.
    """
    command = [sys.executable, "-c", _STARTS, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        daemon = int(starter.stdout.readline())
        os.kill(daemon, 0)
        starter.send_signal(signal.SIGKILL)
    eventually(lambda: not _runs(daemon), "the daemon has ended", seconds=20)


def _runs(pid: int) -> bool:
    """
    Whether it runs; a process that has ended and is not collected by its new parent does not.
    """
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
