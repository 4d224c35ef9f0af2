"""
Records of ``loguru`` from WARNING on, which do not go through ``logging``.

Told as the app's own sinks get them: no sink is added, since the app may count or remove all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from types import ModuleType
from typing import Any, Final

from reticle.probe import emission, logs
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely

_WARNING: Final = 30
_last: Final[ContextVar[object]] = ContextVar("reticle_loguru_last", default=None)
"""The time of the record that was told last, which no other record has: it comes once for each sink."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Hear every record that a sink gets.
    """

    def wrap(module: ModuleType) -> None:
        patches.replace(module.Handler, "emit", _emitting)

    watch.when_imported("loguru._handler", wrap)


def _emitting(original: Any) -> Any:
    def emit(self: Any, record: Any, *arguments: Any, **named: Any) -> Any:
        if emission.sink is not None and not is_own_work():
            safely(_tell, self, record)
        return original(self, record, *arguments, **named)

    return emit


def _tell(sink: Any, record: Mapping[str, Any]) -> None:
    level = record["level"]
    if level.no < max(_WARNING, getattr(sink, "_levelno", 0)) or _last.get() is record["time"]:
        return
    _last.set(record["time"])
    place, fault = (record["file"].path, record["line"]), getattr(record["exception"], "value", None)
    logs.tell(level.name, str(record["name"]), record["message"], place, fault)
