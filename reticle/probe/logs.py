"""
Log records from WARNING on, as facts with their line.

Not by a handler: one on the root logger would make the app's own ``logging.basicConfig`` do nothing.
A record that carries an exception means that somebody caught it and went on: it is told as logged.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from reticle.probe import emission, exceptions
from reticle.probe.context import current
from reticle.probe.frames import Place, caller, is_app_file
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import NAME_CHARS, REPEATED_LOGS
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely
from reticle.probe.redaction import cut, text
from reticle.probe.words import FactKind, Fate


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Hear every record that its logger lets through.
    """
    del watch
    patches.replace(logging.Logger, "callHandlers", _hearing)


def _hearing(original: Any) -> Any:
    def callHandlers(self: Any, record: logging.LogRecord) -> Any:
        if record.levelno >= logging.WARNING and emission.sink is not None and not is_own_work():
            safely(_tell, record)
        return original(self, record)

    return callHandlers


def _tell(record: logging.LogRecord) -> None:
    fault = _fault(record)
    file, line = _place(record, fault)
    tell(record.levelname, record.name, record.getMessage(), (file, line), fault)


def tell(level: str, logger: str, message: str, place: Place, fault: BaseException | None) -> None:
    """
    One record, of whatever library.

    Args:
        level: Its name, from ``WARNING`` on.
        logger: Its name.
        message: As it was written.
        place: Of the line that logged it.
        fault: The exception that it carries.
    """
    file, line = place
    if _is_repeated(file, line):
        return
    fields: dict[str, Any] = {
        "level": level,
        "logger": cut(logger, NAME_CHARS),
        "message": text(message),
        "file": file,
        "line": line,
    }
    if fault is not None:
        exceptions.tell_inside(fault, Fate.LOGGED)
        fields["exception"] = exceptions.described(fault, Fate.LOGGED)
    emission.emit(FactKind.LOG, **fields)


def _fault(record: logging.LogRecord) -> BaseException | None:
    told = record.exc_info
    return told[1] if isinstance(told, tuple) else None


def _place(record: logging.LogRecord, fault: BaseException | None) -> tuple[str, int]:
    """
    The line that logged it; where a library did, the app's line that led to it.
    """
    if not is_app_file(record.pathname):
        if fault is not None:
            first = exceptions.described(fault, Fate.LOGGED)["frames"][:1]
            if first and first[0]["app"]:
                return first[0]["file"], first[0]["line"]
        file, line = caller()
        if file is not None and line is not None:
            return file, line
    return os.path.abspath(record.pathname), record.lineno  # noqa: PTH100 - a call per record


def _is_repeated(file: str | None, line: int | None) -> bool:
    request = current()
    if request is None:
        return False
    if request.notes is None:
        request.notes = {}
    count = request.notes[file, line] = request.notes.get((file, line), 0) + 1
    return count > REPEATED_LOGS
