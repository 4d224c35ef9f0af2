"""
Takes the request and the app's line along into the threads of Twisted's ``adbapi``.

The statements are told by the driver below; in its thread nothing of the app stands on the stack.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from types import ModuleType
from typing import Any

from reticle.probe import emission
from reticle.probe.frames import callers, carried
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import VIA
from reticle.probe.patching import Patches


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch every pool.
    """

    def wrap(module: ModuleType) -> None:
        kind = module.ConnectionPool
        for name in ("runInteraction", "runWithConnection"):
            patches.replace(kind, name, _taking_along)
        for name in ("_runInteraction", "_runWithConnection"):
            patches.replace(kind, name, _arriving)

    watch.when_imported("twisted.enterprise.adbapi", wrap)


class _Travelling:
    """
    What is to run in the thread, with the context that it was asked for in.
    """

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call
        self.context = contextvars.copy_context()
        self.places = callers(VIA + 1)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._call(*arguments, **named)


def _taking_along(original: Any) -> Any:
    def run(self: Any, call: Any, *arguments: Any, **named: Any) -> Any:
        if emission.sink is not None and not isinstance(call, _Travelling):
            call = _Travelling(call)
        return original(self, call, *arguments, **named)

    return run


def _arriving(original: Any) -> Any:
    def run(self: Any, call: Any, *arguments: Any, **named: Any) -> Any:
        if not isinstance(call, _Travelling):
            return original(self, call, *arguments, **named)

        def inside() -> Any:
            carried.set(call.places)
            return original(self, call, *arguments, **named)

        return call.context.run(inside)

    return run
