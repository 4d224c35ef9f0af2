"""
A terminal with a program on it, and a test that sits before it.
"""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

SECONDS = 30.0


class OuterPty:
    """
    Starts a command as the leader of a session on a terminal of its own, and collects what it prints.
    """

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], cwd: Path, size: tuple[int, int] = (30, 100)
    ) -> None:
        self.outer, inner = os.openpty()
        self.resize(*size)
        self.name = os.ttyname(inner)
        self._changed = threading.Condition()
        self.output = bytearray()
        self.process = subprocess.Popen(
            command, env=dict(env), cwd=cwd, stdin=inner, stdout=inner, stderr=inner, start_new_session=True,
            preexec_fn=_control,  # noqa: PLW1509 - one system call, before which nothing else can take place
        )  # fmt: skip
        # Kept open: a terminal whose last user has gone tells nothing of its modes.
        self._inner = inner
        self._closed = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while not self._closed:
            try:
                piece = os.read(self.outer, 65_536)
            except OSError:
                return
            with self._changed:
                self.output += piece
                self._changed.notify_all()

    def expect(self, wanted: bytes, after: int = 0) -> int:
        """
        Wait until something was printed; where it ends.
        """
        with self._changed:
            there = self._changed.wait_for(lambda: self.output.find(wanted, after) >= 0, SECONDS)
            assert there, bytes(self.output[-2_000:])
            return self.output.find(wanted, after) + len(wanted)

    def type(self, keys: bytes) -> None:
        """
        Press keys.
        """
        os.write(self.outer, keys)

    def resize(self, rows: int, columns: int) -> None:
        """
        Draw the window larger or smaller.
        """
        fcntl.ioctl(self.outer, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def is_raw(self) -> bool:
        """
        Whether keys are neither echoed nor edited.
        """
        return not termios.tcgetattr(self._inner)[3] & (termios.ICANON | termios.ECHO)

    def modes(self) -> list[object]:
        """
        All modes of the terminal.
        """
        return list(termios.tcgetattr(self._inner))

    def wait(self) -> int:
        """
        The exit code.
        """
        return self.process.wait(SECONDS)

    def close(self) -> None:
        """
        End what still runs.
        """
        self._closed = True
        if self.process.poll() is None:
            # As when a window closes: a shell hands it on to its jobs.
            self.process.send_signal(signal.SIGHUP)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(20)
        os.close(self._inner)
        self._thread.join(5)
        os.close(self.outer)


def _control() -> None:
    """
    Make standard input the terminal that controls the new session.
    """
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def eventually(condition: object, seconds: float = SECONDS) -> None:
    """
    Wait until a condition holds.
    """
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, condition
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """
    Whether a process lives and is no zombie.
    """
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
