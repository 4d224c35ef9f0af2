"""
From log events to lines: level, format, redaction, sink.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TextIO

from twisted.logger import ILogObserver, LogEvent, LogLevel
from zope.interface import implementer

from reticle.logs.lines import journal_line, json_line, level_of, text_line
from reticle.logs.redaction import Redaction
from reticle.logs.sinks import Sink, file_sink, goes_to_journal, stream_sink
from reticle.settings import Settings

_ORDER: Final = {level.name: place for place, level in enumerate(sorted(LogLevel.iterconstants()))}


def at_least(event: LogEvent, level: str) -> bool:
    """
    Whether an event's level is ``level`` or above.
    """
    return _ORDER[level_of(event)] >= _ORDER[level]


@implementer(ILogObserver)
class LineObserver:
    """
    Writes each event of the level or above as a line without secrets.
    """

    def __init__(self, level: str, line: Callable[[LogEvent], str], redaction: Redaction, sink: Sink) -> None:
        self._level = level
        self._line = line
        self._redaction = redaction
        self._sink = sink

    def __call__(self, event: LogEvent) -> None:
        """
        Take one event.
        """
        if at_least(event, self._level):
            self._sink.write(self._written(event), lambda lost: self._written(_missing(lost, event)))

    def _written(self, event: LogEvent) -> str:
        return self._redaction.clean(self._line(event))

    def close(self) -> None:
        """
        Close the log file, if there is one.
        """
        self._sink.close()


def _missing(lost: int, now: LogEvent) -> LogEvent:
    """
    An event of its own, so that it has the form of every other line.
    """
    return {
        "log_time": now.get("log_time", 0.0),
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
    return LineObserver(settings.log_level, line, make_redaction(settings), sink)
