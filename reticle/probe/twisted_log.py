"""
Events of ``twisted.logger`` from warnings on; their failures are exceptions that the app's callbacks let go.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any, Final

from reticle.probe import emission, exceptions
from reticle.probe.frames import caller, frames_of
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import NAME_CHARS
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely
from reticle.probe.redaction import cut, text
from reticle.probe.words import FactKind, Fate

_LEVELS: Final = {"warn": "WARNING", "error": "ERROR", "critical": "CRITICAL"}
_NOBODY_CAUGHT: Final = ("twisted.web.server", "twisted.internet.defer", "twisted.web.http")
"""Namespaces of Twisted's that log a failure because nobody else took it."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Hear the global publisher, once the app has loaded it.
    """

    def observe(module: ModuleType) -> None:
        publisher = module.globalLogPublisher
        publisher.addObserver(_hear)
        patches.on_removal(lambda: publisher.removeObserver(_hear))

    watch.when_imported("twisted.logger", observe)


def _hear(event: dict[str, Any]) -> None:
    level = getattr(event.get("log_level"), "name", "")
    if level in _LEVELS and emission.sink is not None and not is_own_work():
        safely(_tell, event, _LEVELS[level])


def _tell(event: dict[str, Any], level: str) -> None:
    if event.get("log_system") == "stdlib" or "log_record" in event:
        return  # handed over by the standard library's logging, which is heard itself
    failure = event.get("log_failure")
    fault = getattr(failure, "value", None)
    namespace = str(event.get("log_namespace", ""))
    fields: dict[str, Any] = {
        "level": level,
        "logger": cut(namespace, NAME_CHARS),
        "message": text(_message(event)),
    }
    if isinstance(fault, BaseException):
        fate = Fate.UNHANDLED if namespace.startswith(_NOBODY_CAUGHT) else Fate.LOGGED
        trace = getattr(failure, "tb", None)
        if fault.__traceback__ is None and trace is not None:
            fault = fault.with_traceback(trace)
        exceptions.tell_inside(fault, fate)
        fields["exception"] = exceptions.described(fault, fate)
        places = frames_of(fault.__traceback__)[:1]
        fields["file"], fields["line"] = (places[0]["file"], places[0]["line"]) if places else (None, None)
    else:
        fields["file"], fields["line"] = caller()
    if fields["file"] is None and event.get("log_source") is not None:
        fields["file"] = _file_of(event["log_source"])
    emission.emit(FactKind.LOG, **fields)


def _message(event: dict[str, Any]) -> str:
    """
    The event as text, by the function of Twisted's that the app has loaded with its logger.
    """
    module = sys.modules["twisted.logger"]
    return str(module.formatEvent(event))


def _file_of(source: object) -> str | None:
    kind = source if isinstance(source, type) else type(source)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return os.path.abspath(file) if file else None  # noqa: PTH100 - a call per fact
