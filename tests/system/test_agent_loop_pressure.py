"""
``reticle agent-loop`` with programs that print or are typed to without end: nothing grows, nothing is lost.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.agent_loop import AgentLoop, program
from tests.system.outer_pty import eventually

MEBIBYTES = 50
GROWTH_KIB = 8 * 1024
"""Of the supervisor while 50 MiB pass through it: its buffers and the interpreter's ways."""


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[AgentLoop]:
    """
    Supervisors with a daemon that is played.
    """
    found = AgentLoop(tmp_path)
    yield found
    found.close()


def resident_kib(pid: int, what: str = "VmRSS") -> int:
    """
    A process's memory now, or at its most (``VmHWM``).
    """
    found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1])


def test_a_flood_is_slowed_by_its_reader_and_arrives_whole(loop: AgentLoop) -> None:
    """
    50 MiB from a program that never pauses: a reader that waits stops it, memory stays, every byte comes.
    """
    kept = loop.folder / "far"
    running = loop.start(program("floods", kept, str(MEBIBYTES)))
    assert running.stdout is not None
    first = os.read(running.stdout.fileno(), 4_096)
    before = resident_kib(running.pid)
    stuck = _settled(kept)
    assert stuck < 2 * 1024 * 1024
    count, tail = len(first), b""
    most = before
    while piece := os.read(running.stdout.fileno(), 1 << 20):
        count += len(piece)
        tail = (tail + piece)[-64:]
        if running.poll() is None and count % 50 == 0:
            most = max(most, resident_kib(running.pid))
    assert running.wait(60) == 0
    running.communicate()
    assert tail.endswith(b"the end\r\n")
    assert count == MEBIBYTES * 1024 * 1024 + len(b"the end\r\n")
    assert most - before < GROWTH_KIB


def _settled(kept: Path) -> int:
    """
    How far the program is once it does not come any further.
    """
    far = -1
    while not kept.exists() or far != (now := int(kept.read_text() or 0)):
        far = now if kept.exists() and kept.read_text() else -1
        time.sleep(0.5)
    return far


def test_a_flood_that_nobody_reads_can_be_ended(loop: AgentLoop) -> None:
    """
    A program that waits for a reader which never comes is still ended when asked.
    """
    kept = loop.folder / "far"
    running = loop.start(program("floods", kept, str(MEBIBYTES)))
    eventually(kept.exists)
    _settled(kept)
    running.terminate()
    assert running.wait(60) == 143
    running.communicate()


def test_keys_wait_for_a_program_that_reads_none(loop: AgentLoop) -> None:
    """
    Megabytes pasted to a program that never reads stay with the terminal, not in our memory.
    """
    terminal = loop.on_terminal(program("deaf_to_keys"))
    terminal.expect(b"ready")
    eventually(terminal.is_raw)
    before = resident_kib(terminal.process.pid)
    os.set_blocking(terminal.outer, False)
    typed, quiet_since = 0, time.monotonic()
    while typed < 10_000_000 and time.monotonic() - quiet_since < 1.0:
        try:
            typed += os.write(terminal.outer, b"k" * 4_096)
            quiet_since = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)
    os.set_blocking(terminal.outer, True)
    assert typed < 1_000_000
    assert resident_kib(terminal.process.pid) - before < GROWTH_KIB
    terminal.process.terminate()
    assert terminal.wait() == 143
