"""
What an agent printed last, and all of it in a file where the operator wants one.

It is for people to look at. Nothing is concluded from it: an agent's state is what its calls say.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import deque
from pathlib import Path
from typing import Final

SCROLLBACK_BYTES: Final = 262_144
"""Kept in memory: some screens, whatever the program prints."""

LOG_BYTES: Final = 16_777_216
"""Of one log file; then it becomes the older one (``.1``), of which there is one."""

_SEQUENCES: Final = re.compile(
    rb"\x1b\[[\x20-\x3f]*[@-~]|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.|[\x00-\x08\x0b-\x1f\x7f]",
    re.DOTALL,
)


class Scrollback:
    """
    The last ``SCROLLBACK_BYTES`` of what came, dropped piece by piece at the old end.
    """

    def __init__(self, most_bytes: int = SCROLLBACK_BYTES) -> None:
        self._most_bytes = most_bytes
        self._pieces: deque[bytes] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return self._bytes

    def add(self, piece: bytes) -> None:
        """
        Keep one more piece.
        """
        piece = piece[-self._most_bytes :]
        self._pieces.append(piece)
        self._bytes += len(piece)
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._pieces.popleft())

    def last_lines(self, count: int) -> list[str]:
        """
        The last lines that have text, without colours, cursor movements and titles.
        """
        plain = _SEQUENCES.sub(b"", b"".join(self._pieces).replace(b"\r", b"\n"))
        lines = [line.rstrip() for line in plain.decode("utf-8", "replace").splitlines()]
        return [line for line in lines if line][-count:]


class OutputLog:
    """
    A file (0600) with everything that was printed, of bounded size.

    Args:
        path: Appended to.
        most_bytes: Before it is put aside.

    Raises:
        OSError: It cannot be opened, or belongs to somebody else.
    """

    def __init__(self, path: Path, most_bytes: int = LOG_BYTES) -> None:
        self._path = path
        self._most_bytes = most_bytes
        self._descriptor = _open(path)
        self._bytes = os.fstat(self._descriptor).st_size

    def write(self, piece: bytes) -> None:
        """
        Add one piece. A disk that is full loses it: the agent's work is worth more than its log.
        """
        with contextlib.suppress(OSError):
            if self._bytes >= self._most_bytes:
                self._put_aside()
            self._bytes += os.write(self._descriptor, piece)

    def close(self) -> None:
        """
        Once, at the end.
        """
        os.close(self._descriptor)

    def _put_aside(self) -> None:
        self._path.replace(self._path.with_name(self._path.name + ".1"))
        fresh = _open(self._path)
        os.close(self._descriptor)
        self._descriptor, self._bytes = fresh, 0


def _open(path: Path) -> int:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
