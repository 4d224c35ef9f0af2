"""
Our own standard input and output on the reactor, without a lasting mark on them.

A terminal is shared with the shell that we came from, and so is what is set on its descriptor: one that was
left non-blocking breaks the next program. So both are opened anew where the system can.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from typing import Any

from twisted.internet import fdesc
from twisted.internet.abstract import FileDescriptor
from twisted.python.failure import Failure


class Keyboard(FileDescriptor):
    """
    Keys that a person types. Reads nothing until told to, and is a producer that can be held back.

    Args:
        reactor: Its reactor.
        descriptor: A terminal.
        typed: Takes what was typed.
    """

    def __init__(self, reactor: Any, descriptor: int, typed: Callable[[bytes], None]) -> None:
        super().__init__(reactor)
        self._fd = _own(os.ttyname, descriptor, os.O_RDONLY)
        self._typed = typed
        self.connected = True

    def fileno(self) -> int:
        """
        For the reactor.
        """
        return self._fd

    def doRead(self) -> Any:
        """
        Called by the reactor. In the background a read fails (SIGTTIN is ignored), and is tried again later.
        """
        try:
            found = os.read(self._fd, 4_096)
        except BlockingIOError:
            return None
        except OSError:
            found = b""
        if not found:
            self.stop()
            return None
        self._typed(found)
        return None

    def start(self) -> None:
        """
        Read; may be called again.
        """
        self.reactor.addReader(self)

    def stop(self) -> None:
        """
        Read no more for now; may be called again.
        """
        self.reactor.removeReader(self)

    def connectionLost(self, reason: Failure) -> None:
        """
        Called by the reactor when the terminal is gone; a hang-up comes as a signal.
        """
        del reason
        self.stop()

    def close(self) -> None:
        """
        Once, at the end.
        """
        self.connected = False
        self.stop()
        os.close(self._fd)


class Screen(FileDescriptor):
    """
    Where an agent's output goes. Who writes registers as its producer, and is held back by a slow reader.

    Args:
        reactor: Its reactor.
        descriptor: A terminal, a pipe, a socket or a file.
        lost: Called once when nobody reads any more.
    """

    def __init__(self, reactor: Any, descriptor: int, lost: Callable[[], None]) -> None:
        super().__init__(reactor)
        self._lost = lost
        self._restore: int | None = None
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISCHR(mode) and os.isatty(descriptor):
            self._fd = _own(os.ttyname, descriptor, os.O_WRONLY)
        elif stat.S_ISFIFO(mode):
            self._fd = _own(lambda number: f"/dev/fd/{number}", descriptor, os.O_WRONLY)
        else:
            self._fd = os.dup(descriptor)
        if os.get_blocking(self._fd) and not stat.S_ISREG(mode):
            self._restore = descriptor
            os.set_blocking(self._fd, False)
        self._drained: Callable[[], None] | None = None
        self.connected = True

    def fileno(self) -> int:
        """
        For the reactor.
        """
        return self._fd

    def writeSomeData(self, data: bytes) -> Any:
        """
        Called by the reactor.
        """
        return fdesc.writeToFD(self._fd, data)

    def doWrite(self) -> Any:
        """
        Called by the reactor.
        """
        result = super().doWrite()  # type: ignore[no-untyped-call]  # Twisted's
        if not self.is_waiting:
            self._tell_drained()
        return result

    @property
    def is_waiting(self) -> bool:
        """
        Whether something is still to be written.
        """
        return bool(self.connected and (len(self.dataBuffer) > self.offset or self._tempDataLen))

    def when_drained(self, done: Callable[[], None]) -> None:
        """
        Call ``done`` once everything is written, or nobody reads any more.
        """
        if self.is_waiting:
            self._drained = done
        else:
            done()

    def connectionLost(self, reason: Failure) -> None:
        """
        Called by the reactor when nobody reads any more.
        """
        super().connectionLost(reason)  # type: ignore[no-untyped-call]  # Twisted's
        self._lost()
        self._tell_drained()

    def _tell_drained(self) -> None:
        drained, self._drained = self._drained, None
        if drained is not None:
            drained()

    def close(self) -> None:
        """
        Once, at the end.
        """
        self.reactor.removeWriter(self)
        self.connected = False
        if self._restore is not None:
            os.set_blocking(self._restore, True)
        os.close(self._fd)


def _own(named: Callable[[int], str], descriptor: int, flags: int) -> int:
    """
    What a descriptor means, opened anew and non-blocking; a second number for the same where that cannot be.
    """
    with contextlib.suppress(OSError):
        return os.open(named(descriptor), flags | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    return os.dup(descriptor)
