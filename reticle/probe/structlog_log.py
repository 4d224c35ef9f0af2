"""
Records of ``structlog`` from warning on that it writes by itself; those that it hands to ``logging`` are told
there.

Told where they are written, behind its processors: what asks for the caller of a record finds the app's.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
from types import ModuleType
from typing import Any, Final

from reticle.probe import emission, logs
from reticle.probe.frames import caller
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely

_LEVELS: Final = {
    "warn": "WARNING",
    "warning": "WARNING",
    "err": "ERROR",
    "error": "ERROR",
    "exception": "ERROR",
    "failure": "ERROR",
    "critical": "CRITICAL",
    "fatal": "CRITICAL",
}
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Hear the loggers that write.
    """

    def wrap(module: ModuleType) -> None:
        for name in ("PrintLogger", "WriteLogger", "BytesLogger"):
            kind = getattr(module, name, None)
            for method, level in _LEVELS.items():
                if hasattr(kind, method):
                    patches.replace(kind, method, _writing(level))

    watch.when_imported("structlog._output", wrap)


def _writing(level: str) -> Any:
    def make(original: Any) -> Any:
        def write(self: Any, message: Any) -> Any:
            if emission.sink is not None and not is_own_work():
                safely(_tell, level, message)
            return original(self, message)

        return write

    return make


def _tell(level: str, written: Any) -> None:
    message, carries = _read(
        written.decode("utf-8", "replace") if isinstance(written, bytes) else str(written)
    )
    fault = sys.exc_info()[1] if carries else None
    logs.tell(level, "structlog", message, caller(), fault)


def _read(written: str) -> tuple[str, bool]:
    """
    The event alone, and whether an exception is written below it or beside it, mostly with local variables.
    """
    if written.startswith("{"):
        with contextlib.suppress(ValueError):
            told = json.loads(written)
            return str(told.get("event", "")), "exception" in told
    return _COLOURS.sub("", written).partition("\n")[0], "Traceback" in written
