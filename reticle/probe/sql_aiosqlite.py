"""
Takes the request and the app's line along into the threads of aiosqlite's connections.

The statements are told by ``sqlite3`` below; in its thread nothing of the app stands on the stack. A
connection that SQLAlchemy opens is told by SQLAlchemy.
"""

from __future__ import annotations

import contextvars
import functools
import sys
from types import ModuleType
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.frames import callers, carried
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import VIA
from reticle.probe.patching import Patches
from reticle.probe.sql_above import is_called_from_above

_TOLD: Final = "_reticle_is_told_above"


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch every connection that is opened from now on.
    """

    def wrap(module: ModuleType) -> None:
        core = sys.modules.get("aiosqlite.core", module)
        for owner in {id(one): one for one in (module, core)}.values():
            patches.replace(owner, "connect", _connecting)
        patches.replace(core.Connection, "_execute", _taking_along)

    watch.when_imported("aiosqlite", wrap)


def _connecting(original: Any) -> Any:
    def connect(*arguments: Any, **named: Any) -> Any:
        if not is_called_from_above():
            return original(*arguments, **named)
        # no class, so the collector of ``sqlite3`` below leaves it as it is
        factory = named.get("factory") or sys.modules["sqlite3"].Connection
        named["factory"] = functools.partial(factory)
        found = original(*arguments, **named)
        setattr(found, _TOLD, True)
        return found

    return connect


def _taking_along(original: Any) -> Any:
    async def _execute(self: Any, call: Any, *arguments: Any, **named: Any) -> Any:
        if emission.running.get() is not None and emission.sink is not None and _TOLD not in vars(self):
            call = functools.partial(_arrive, contextvars.copy_context(), callers(VIA + 1), call)
        return await original(self, call, *arguments, **named)

    return _execute


def _arrive(context: contextvars.Context, places: Any, call: Any, *arguments: Any, **named: Any) -> Any:
    def inside() -> Any:
        carried.set(places)
        return call(*arguments, **named)

    return context.run(inside)
