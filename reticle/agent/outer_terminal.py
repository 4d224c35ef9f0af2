"""
The terminal that a person sits at, where there is one: its size, its modes, and their restoration.

It is raw only while this process group is in the foreground of it; every way out gives it back.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import termios
import tty
from typing import Final

import attrs

from reticle.agent.monitor import as_text

ROWS, COLUMNS = 40, 120
"""Without a terminal: wide enough for tables, and no program's least size."""

_SIZE: Final = struct.Struct("HHHH")

Modes = list[int | list[bytes | int]]
"""As ``termios.tcgetattr`` gives them."""


@attrs.frozen
class Size:
    """
    Of a terminal, in characters.
    """

    rows: int = ROWS
    columns: int = COLUMNS


class OuterTerminal:
    """
    What stands behind standard input and output.

    Args:
        reads: The descriptor that keys come from.
        writes: The descriptor that output goes to.
    """

    def __init__(self, reads: int, writes: int) -> None:
        self._reads = reads
        self._writes = writes
        self.has_keys = os.isatty(reads)
        self.answers = self.has_keys and os.isatty(writes)
        self.name = ""
        self.modes: Modes | None = None
        self._raw: Modes | None = None
        self.is_taken = False
        if self.has_keys:
            self.modes = termios.tcgetattr(reads)
            self._raw = termios.tcgetattr(reads)
            make_raw(self._raw)
            with contextlib.suppress(OSError):
                self.name = os.ttyname(reads)

    @property
    def to_restore(self) -> tuple[str, str, str] | None:
        """
        What a monitor needs to restore the terminal after us: its name, its modes, ours; None without one.
        """
        if not self.name or self.modes is None or self._raw is None:
            return None
        return self.name, as_text(self.modes), as_text(self._raw)

    def size(self) -> Size:
        """
        Of the terminal; the default where there is none, or where it does not know.
        """
        for descriptor in (self._writes, self._reads):
            with contextlib.suppress(OSError):
                rows, columns, _, _ = _SIZE.unpack(
                    fcntl.ioctl(descriptor, termios.TIOCGWINSZ, bytes(_SIZE.size))
                )
                if rows and columns:
                    return Size(rows, columns)
        return Size()

    def is_foreground(self) -> bool:
        """
        Whether keys are meant for us. A terminal that does not control us has no say in that.
        """
        try:
            return os.tcgetpgrp(self._reads) == os.getpgrp()
        except OSError:
            return True

    def is_gone(self) -> bool:
        """
        Whether there was a terminal and its window is closed.
        """
        if not self.has_keys:
            return False
        try:
            termios.tcgetattr(self._reads)
        except termios.error:
            return True
        return False

    def take(self) -> bool:
        """
        Make it raw; whether it is. Not from the background, where it is somebody else's.
        """
        if self._raw is None or not self.is_foreground():
            return False
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._reads, termios.TCSADRAIN, self._raw)
            # What the system made of it: a later look tells whether somebody else has changed it.
            self._raw = termios.tcgetattr(self._reads)
            self.is_taken = True
        return self.is_taken

    def give_back(self) -> None:
        """
        Restore what it was; may be called again, and does nothing to a terminal that is gone.
        """
        if not self.is_taken or self.modes is None:
            return
        self.is_taken = False
        if self.is_foreground():
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._reads, termios.TCSADRAIN, self.modes)


def make_raw(modes: Modes) -> None:
    """
    As ``cfmakeraw``: every key as it is, and output as the program's own terminal has made it.
    """
    modes[tty.IFLAG] &= ~(  # type: ignore[operator]  # the first six are numbers
        termios.IGNBRK | termios.BRKINT | termios.PARMRK | termios.ISTRIP | termios.INLCR | termios.IGNCR
        | termios.ICRNL | termios.IXON
    )  # fmt: skip
    modes[tty.OFLAG] &= ~termios.OPOST  # type: ignore[operator]  # as above
    modes[tty.CFLAG] &= ~(termios.CSIZE | termios.PARENB)  # type: ignore[operator]  # as above
    modes[tty.CFLAG] |= termios.CS8  # type: ignore[operator]  # as above
    modes[tty.LFLAG] &= ~(  # type: ignore[operator]  # as above
        termios.ECHO | termios.ECHONL | termios.ICANON | termios.ISIG | termios.IEXTEN
    )
    keys = modes[tty.CC]
    assert isinstance(keys, list)
    keys[termios.VMIN], keys[termios.VTIME] = 1, 0


def set_size(descriptor: int, size: Size) -> None:
    """
    Tell a terminal its size; the system tells the programs on it.
    """
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, _SIZE.pack(size.rows, size.columns, 0, 0))
