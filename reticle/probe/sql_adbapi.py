"""
Takes the request and the app's line along into the threads of Twisted's ``adbapi``.

The statements are told by the driver below; in its thread nothing of the app stands on the stack.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.emission import Request, running
from reticle.probe.frames import Place, callers_from, carried
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import VIA
from reticle.probe.patching import Patches

_getframe: Final = sys._getframe  # noqa: SLF001 - documented, and the only way without a cost


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
    What is to run in the thread, with the request that asked for it and the app's lines where it did.

    Only these two travel: variables of the app's own are in the thread what they would be without us.
    """

    __slots__ = ("call", "places", "request")

    def __init__(self, call: Callable[..., Any], places: tuple[Place, ...], request: Request | None) -> None:
        self.call = call
        self.places = places
        self.request = request

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """
        A pool of the app's own may run it by a method of its own.
        """
        before, lines = running.set(self.request), carried.set(self.places)
        try:
            return self.call(*arguments, **named)
        finally:
            carried.reset(lines)
            running.reset(before)

    def __getattr__(self, name: str) -> Any:
        """
        It may also ask for its name.
        """
        return getattr(self.call, name)


def _taking_along(original: Any) -> Any:
    def run(self: Any, call: Any, *arguments: Any, **named: Any) -> Any:
        if emission.sink is not None and type(call) is not _Travelling:
            call = _Travelling(call, callers_from(_getframe(1), VIA + 1), running.get())
        return original(self, call, *arguments, **named)

    return run


def _arriving(original: Any) -> Any:
    def run(self: Any, call: Any, *arguments: Any, **named: Any) -> Any:
        if type(call) is not _Travelling:
            return original(self, call, *arguments, **named)
        before, lines = running.set(call.request), carried.set(call.places)
        try:  # of Twisted's own work too, as its commit behind the call
            return original(self, call.call, *arguments, **named)
        finally:
            carried.reset(lines)
            running.reset(before)

    return run
