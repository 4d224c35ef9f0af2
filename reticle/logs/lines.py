"""
One log event as text: for people, for programs, for journald.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from twisted.logger import LogEvent, LogLevel, formatEvent
from twisted.python.failure import Failure

from reticle.model.limits import LOG_MESSAGE_CHARS
from reticle.model.log_marks import CUT

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_RESERVED: Final = frozenset({"time", "level", "logger", "message", "failure"})
_LEGACY: Final = frozenset({"format", "isError", "message", "system", "time", "why"})
"""What Twisted's older logging puts into an event besides what its message says."""

_INFO: Final = LogLevel.info
_DEBUG: Final = LogLevel.debug
"""Looking one up in ``LogLevel`` takes as long as making half a line."""

_PRIORITIES: Final = {"debug": 7, "info": 6, "warn": 4, "error": 3, "critical": 2}
"""Levels as syslog priorities, the prefix that journald reads (sd-daemon(3))."""

_TWISTEDS_OWN: Final = frozenset({"log_legacy", "twisted.internet.base"})


def level_of(event: LogEvent) -> str:
    """
    The name of an event's level; one without a level is information.

    What Twisted says of itself (ports and factories that start and stop, its loop that ended) is for
    debugging.
    """
    level = event.get("log_level") or _INFO
    if level is _INFO and event.get("log_namespace") in _TWISTEDS_OWN:
        level = _DEBUG
    name: str = level.name
    return name


def message_of(event: LogEvent) -> str:
    """
    The message on one line: control characters that a page or peer sent cannot forge another line.
    """
    message = _formatted(event)
    if len(message) <= LOG_MESSAGE_CHARS and message.isascii() and message.isprintable():
        return message
    return _cut(_escape(message))


@lru_cache(maxsize=512)
def _is_plain(form: str) -> bool:
    """
    Whether a format calls, looks into and converts no field.
    """
    return not any(mark in form for mark in "(.[!")


def _formatted(event: LogEvent) -> str:
    """
    As ``formatEvent``; a format of plain names, as nearly all are, needs none of what that does for others.
    """
    form = event.get("log_format")
    if type(form) is str and _is_plain(form) and "log_flattened" not in event:
        try:
            return form.format_map(event)
        except Exception:  # noqa: BLE001 - ``formatEvent`` says what is wrong with it
            return formatEvent(event)
    return formatEvent(event)


def text_line(event: LogEvent) -> str:
    """
    Time, level, part and message; a failure's traceback follows, indented.
    """
    named = event.get("log_namespace") or "-"
    line = f"{_instant(event)} {level_of(event):<8} {named}: {message_of(event)}\n"
    return line if event.get("log_failure") is None else "\n".join([line[:-1], *_traceback(event)]) + "\n"


def journal_line(event: LogEvent) -> str:
    """
    As ``text_line`` without the time, which the journal keeps, each line with its priority.
    """
    priority = f"<{_PRIORITIES.get(level_of(event), 6)}>"
    lines = [f"{_logger(event)}: {message_of(event)}", *_traceback(event)]
    return "".join(f"{priority}{line}\n" for line in lines)


def json_line(event: LogEvent) -> str:
    """
    One JSON object: ``time level logger message``, the event's own fields, ``failure`` if any.

    A field whose name is taken gets an underscore behind it.
    """
    fields: dict[str, object] = {
        "time": _instant(event),
        "level": level_of(event),
        "logger": _logger(event),
        "message": _cut(_formatted(event)),
    }
    fields.update(_own_fields(event))
    traceback = _traceback(event)
    if traceback:
        fields["failure"] = "\n".join(traceback)
    text = json.dumps(fields, ensure_ascii=False, allow_nan=False).translate(_SURROGATES)
    # JSON leaves some line separators as they are; tools that read lines do not.
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


_SURROGATES: Final[Mapping[int, str]] = dict.fromkeys(range(0xD800, 0xE000), "?")
"""Halves of surrogate pairs, which a page's text may hold and UTF-8 cannot."""


def _own_fields(event: LogEvent) -> Mapping[str, object]:
    return {
        (f"{name}_" if name in _RESERVED else name): _plain(value)
        for name, value in event.items()
        if not name.startswith("log_") and name not in _LEGACY
    }


def _plain(value: Any) -> object:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if abs(value) < float("inf") else str(value)
    return _cut(str(value))


def _traceback(event: LogEvent) -> list[str]:
    failure = event.get("log_failure")
    if not isinstance(failure, Failure):
        return []
    text = _cut(failure.getTraceback())
    return ["    " + _escape(line) for line in text.splitlines()]


def _escape(text: str) -> str:
    """
    Control characters as Python writes them; half surrogate pairs as question marks.
    """
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text).translate(_SURROGATES)


def _cut(text: str) -> str:
    over = len(text) - LOG_MESSAGE_CHARS
    return text if over <= 0 else f"{text[:LOG_MESSAGE_CHARS]}{CUT} (+{over} characters)"


def _logger(event: LogEvent) -> str:
    return str(event.get("log_namespace") or "-")


def _instant(event: LogEvent) -> str:
    return _millisecond(round(float(event.get("log_time", 0.0)) * 1_000_000) // 1000)


@lru_cache(maxsize=2)
def _millisecond(millisecond: int) -> str:
    """
    A busy daemon writes many lines of the same one.
    """
    second, rest = divmod(millisecond, 1000)
    return f"{_second(second)}.{rest:03}Z"


@lru_cache(maxsize=2)
def _second(second: int) -> str:
    """
    Many lines are of the same one.
    """
    return dt.datetime.fromtimestamp(second, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S")
