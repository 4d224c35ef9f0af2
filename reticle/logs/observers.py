"""
From log events to lines: level, format, redaction, sink.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import get_ident
from typing import Final, TextIO

from twisted.logger import ILogObserver, LogEvent, LogLevel
from zope.interface import implementer

from reticle.logs.lines import journal_line, json_line, level_of, text_line
from reticle.logs.redaction import Redaction
from reticle.logs.sinks import Sink, file_sink, goes_to_journal, stream_sink
from reticle.model.limits import LOG_LINES_HELD
from reticle.model.log_marks import SETTLED
from reticle.settings import Settings

_ORDER: Final = {level.name: place for place, level in enumerate(sorted(LogLevel.iterconstants()))}


_AT_ONCE: Final = _ORDER[LogLevel.warn.name]

Later = Callable[[Callable[[], None]], object]
"""Does something in this thread after a moment (``LOG_HELD_SECONDS``)."""


@implementer(ILogObserver)
class LineObserver:
    """
    Writes each event of the level or above as a line without secrets.

    Args:
        level: The least level that is written.
        line: Makes a line of an event.
        redaction: Takes secrets out of it.
        sink: Where it goes.
        may_hold: Whether lines may wait for others, see ``hold``.
    """

    def __init__(
        self,
        level: str,
        line: Callable[[LogEvent], str],
        redaction: Redaction,
        sink: Sink,
        *,
        may_hold: bool = False,
    ) -> None:
        self._least = _ORDER[level]
        self._line = line
        self._redaction = redaction
        self._sink = sink
        self._may_hold = may_hold
        self._later: Later | None = None
        self._holder = 0
        self._held: list[str | LogEvent] = []
        self._newest = 0.0

    def __call__(self, event: LogEvent) -> None:
        """
        Take one event.
        """
        order = _ORDER[level_of(event)]
        if order < self._least:
            return
        self._newest = event.get("log_time", 0.0)
        if self._later is None or get_ident() != self._holder:
            self._sink.write(self._written(event), self._missing)
            return
        self._held.append(event if SETTLED in event else self._written(event))
        if order >= _AT_ONCE or len(self._held) >= LOG_LINES_HELD:
            self._write_held()
        elif len(self._held) == 1:
            self._later(self._write_held)

    def hold(self, later: Later) -> None:
        """
        From now on write lines of this thread together, where they go into a log file: an access log costs a
        third less, and a system call per request lets other threads in between. ``later`` is called with what
        writes them. A warning, or what is graver, is written at once with all that came before it; lines of
        other threads are.
        """
        if self._may_hold:
            self._later, self._holder = later, get_ident()

    def hold_no_more(self) -> None:
        """
        Write what is held, and each further line at once.
        """
        self._later = None
        self._write_held()

    def _write_held(self) -> None:
        held, self._held = self._held, []
        if held:
            line = self._line
            lines = [each if isinstance(each, str) else line(each) for each in held]
            text = "".join(lines)
            if not self._redaction.leaves(text):
                # Somewhere there is a mark of a secret: each line is looked at by itself.
                clean = self._redaction.clean
                made = zip(held, lines, strict=True)
                text = "".join(line if isinstance(each, str) else clean(line) for each, line in made)
            self._sink.write(text, self._missing, len(lines))

    def _written(self, event: LogEvent) -> str:
        return self._redaction.clean(self._line(event))

    def _missing(self, lost: int) -> str:
        return self._written(_missing(lost, self._newest))

    def close(self) -> None:
        """
        Close the log file, if there is one.
        """
        self.hold_no_more()
        self._sink.close()


def _missing(lost: int, at: float) -> LogEvent:
    """
    An event of its own, so that it has the form of every other line.
    """
    return {
        "log_time": at,
        "log_level": LogLevel.warn,
        "log_namespace": "reticle.logs",
        "log_format": "{lost} log lines could not be written",
        "lost": lost,
    }


def make_redaction(settings: Settings) -> Redaction:
    """
    What knows the secrets of these settings.
    """
    return Redaction([] if settings.token is None else [settings.token.reveal()])


def make_observer(settings: Settings, environ: Mapping[str, str], stream: TextIO) -> LineObserver:
    """
    The observer that the settings ask for; ``stream`` is used when no log file is named.

    Raises:
        ConfigurationFault: The log file cannot be opened.
    """
    sink = stream_sink(stream) if settings.log_file is None else file_sink(settings.log_file)
    if settings.log_format == "json":
        line = json_line
    elif settings.log_file is None and goes_to_journal(stream, environ):
        line = journal_line
    else:
        line = text_line
    return LineObserver(
        settings.log_level, line, make_redaction(settings), sink, may_hold=settings.log_file is not None
    )
