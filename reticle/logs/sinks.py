"""
Where log lines go: a bounded set of files, or a stream. A line that cannot be written is counted.
"""

from __future__ import annotations

import errno
import os
import select
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, TextIO

from twisted.python.logfile import LogFile

from reticle.errors import ConfigurationFault
from reticle.model.limits import LOG_FILE_BYTES, LOG_FILES

_MODE: Final = 0o600


def lost_lines(lost: int) -> str:
    """
    The line for people that tells how many are missing.
    """
    return f"reticle: {lost} log lines could not be written\n"


class Sink(Protocol):
    """
    Takes finished lines.
    """

    def write(self, text: str, missing: Callable[[int], str] = lost_lines, count: int = 1) -> None:
        """
        Write ``count`` whole lines. Never raises; what is lost is told as soon as writing works again, by the
        line that ``missing`` makes of the number.
        """

    def close(self) -> object:
        """
        Give up the file; the process's own streams stay open.
        """


class CountingSink:
    """
    Writes through ``put`` and reports how many lines a full disk or a broken pipe has cost.

    ``close`` gives up what it writes to; lines after it are counted as lost.
    """

    def __init__(self, put: Callable[[str], object], close: Callable[[], object] = lambda: None) -> None:
        self._put = put
        self.close = close
        self.lost = 0

    def write(self, text: str, missing: Callable[[int], str] = lost_lines, count: int = 1) -> None:
        """
        See ``Sink.write``.
        """
        try:
            if self.lost:
                self._put(missing(self.lost))
                self.lost = 0
            self._put(text)
        except (OSError, ValueError, AttributeError):
            # ValueError and AttributeError: the stream or file was closed under us.
            self.lost += count


def file_sink(path: Path, size_bytes: int = LOG_FILE_BYTES, kept: int = LOG_FILES) -> CountingSink:
    """
    ``path`` (0600), rotated to ``path.1`` … at ``size_bytes``; ``kept`` rotated files stay.

    Raises:
        ConfigurationFault: The file cannot be opened.
    """
    try:
        file = _WholeLines(path.name, str(path.parent), size_bytes, _MODE, kept)  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or fault
        raise ConfigurationFault(
            f"the log file {path} cannot be opened: {reason}", "give --log-file a file that you can write"
        ) from None
    return CountingSink(file.write, file.close)


class _WholeLines(LogFile):
    """
    A rotated file in which a full disk leaves no half line and a rotation that failed no closed file.
    """

    def write(self, text: str) -> None:
        """
        Write whole lines. Raises ``OSError`` when they did not fit; the file is then as it was.
        """
        if self.closed:
            raise ValueError("the log file is closed")
        if self._file.closed:
            self._openFile()  # type: ignore[no-untyped-call]  # as above
        if self.shouldRotate():  # type: ignore[no-untyped-call]  # as above
            self.rotate()  # type: ignore[no-untyped-call]  # as above
        content = text.encode()
        written = self._file.write(content)
        if written != len(content):
            self._file.truncate(self.size)
            self._file.seek(self.size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.size += written


def stream_sink(stream: TextIO) -> CountingSink:
    """
    A stream, flushed line by line.

    A pipe, a socket or a terminal that nobody reads takes no lines until somebody does: waiting for its
    reader would stop the daemon, which whoever starts it with ``stderr=PIPE`` and forgets it would not guess.
    """

    def put(text: str) -> None:
        stream.write(text)
        stream.flush()

    try:
        descriptor = stream.fileno()
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
    except (OSError, ValueError):
        return CountingSink(put)
    return CountingSink(put if is_file else _UnreadStream(stream, descriptor).put)


class _UnreadStream:
    """
    Writes to a descriptor only what it takes at once.

    A poll that says "writable" promises room for ``PIPE_BUF`` bytes (pipe(7)), so lines go in such pieces.
    The descriptor stays blocking: its open file is shared with whoever gave it to us.
    """

    def __init__(self, stream: TextIO, descriptor: int) -> None:
        self._stream = stream
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLOUT)
        self._cut = False

    def put(self, text: str) -> None:
        """
        Write whole lines. Raises ``OSError`` when there is no room; what was cut then ends before the next.
        """
        self._stream.flush()
        rest = (("\n" if self._cut else "") + text).encode(errors="backslashreplace")
        while rest:
            if not self._poll.poll(0):
                raise BlockingIOError("nobody reads the log stream")
            written = os.write(self._descriptor, rest[: select.PIPE_BUF])
            rest = rest[written:]
            self._cut = bool(rest)


def goes_to_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """
    Whether ``stream`` is connected to journald: ``JOURNAL_STREAM`` names its file (systemd.exec(5)).
    """
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environ.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"
