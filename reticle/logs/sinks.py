"""
Where log lines go: a bounded set of files, or a stream. A line that cannot be written is counted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, TextIO

from twisted.python.logfile import LogFile

from reticle.errors import ConfigurationFault
from reticle.model.limits import LOG_FILE_BYTES, LOG_FILES

_MODE: Final = 0o600


class Sink(Protocol):
    """
    Takes finished lines.
    """

    def write(self, text: str) -> None:
        """
        Write whole lines. Never raises; what is lost is told as soon as writing works again.
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

    def write(self, text: str) -> None:
        """
        See ``Sink.write``.
        """
        try:
            if self.lost:
                self._put(f"reticle: {self.lost} log lines could not be written\n")
                self.lost = 0
            self._put(text)
        except (OSError, ValueError, AttributeError):
            # ValueError and AttributeError: the stream or file was closed under us.
            self.lost += 1


def file_sink(path: Path, size_bytes: int = LOG_FILE_BYTES, kept: int = LOG_FILES) -> CountingSink:
    """
    ``path`` (0600), rotated to ``path.1`` … at ``size_bytes``; ``kept`` rotated files stay.

    Raises:
        ConfigurationFault: The file cannot be opened.
    """
    try:
        file = LogFile(path.name, str(path.parent), size_bytes, _MODE, kept)
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or fault
        raise ConfigurationFault(
            f"the log file {path} cannot be opened: {reason}", "give --log-file a file that you can write"
        ) from None
    return CountingSink(file.write, file.close)


def stream_sink(stream: TextIO) -> CountingSink:
    """
    A stream, flushed line by line.
    """

    def put(text: str) -> None:
        stream.write(text)
        stream.flush()

    return CountingSink(put)


def goes_to_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """
    Whether ``stream`` is connected to journald: ``JOURNAL_STREAM`` names its file (systemd.exec(5)).
    """
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environ.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"
