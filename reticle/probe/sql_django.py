"""
Statements and transactions of Django's ORM, by the two methods of its cursors through which every one goes.

They stand around the ``execute_wrappers`` of each connection, which are the app's alone: a wrapper of ours
would cost each statement the making of a chain.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.frames import callers, carried
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import VIA
from reticle.probe.patching import Patches
from reticle.probe.quiet import kept_in, safely, working
from reticle.probe.sql import clock, covered, is_covered, ran
from reticle.probe.transactions import Transactions

_NOTE: Final = "_reticle_transactions"
_UNCOVERED: Final = "sqlite"
"""The database whose driver is not told of when Django opens it (``sql_above.is_called_from_above``)."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch every connection, those that are open already too.
    """

    def wrap(module: ModuleType) -> None:
        kind = module.BaseDatabaseWrapper
        patches.replace(kind, "commit", _ending(Transactions.commit))
        patches.replace(kind, "rollback", _ending(Transactions.rollback))
        patches.replace(kind, "close", _closing)
        patches.replace(kind, "savepoint_commit", _savepoint_ending(Transactions.release))
        patches.replace(kind, "savepoint_rollback", _savepoint_ending(Transactions.rollback_to))

    def run(module: ModuleType) -> None:
        patches.replace(module.CursorWrapper, "execute", _executing)
        patches.replace(module.CursorWrapper, "executemany", _executing_many)

    def cross(module: ModuleType) -> None:
        patches.replace(module.SyncToAsync, "__call__", _crossing)

    watch.when_imported("asgiref.sync", cross)
    watch.when_imported("django.db.backends.base.base", wrap)
    watch.when_imported("django.db.backends.utils", run)


def _crossing(original: Any) -> Any:
    """
    The asynchronous half of the ORM runs in a thread, on whose stack nothing of the app stands; asgiref takes
    the context along.
    """

    async def __call__(self: Any, *arguments: Any, **named: Any) -> Any:  # noqa: N807 - it takes its place
        if emission.sink is None or emission.running.get() is None:
            return await original(self, *arguments, **named)
        before = carried.set(callers(VIA + 1))
        try:
            return await original(self, *arguments, **named)
        finally:
            carried.reset(before)

    return __call__


def _of(connection: Any) -> Transactions:
    found = connection.__dict__.get(_NOTE)
    if found is None:
        aborts = connection.vendor == "postgresql"
        found = connection.__dict__[_NOTE] = Transactions(is_aborted_by_faults=aborts)
    return found  # type: ignore[no-any-return]  # what stands two lines above


def _executing(original: Any) -> Any:
    def execute(self: Any, sql: Any, params: Any = None) -> Any:
        if emission.sink is None or is_covered() or working.get():
            return original(self, sql, params)
        connection = self.db
        started = clock()
        try:
            if connection.vendor == _UNCOVERED:
                found = original(self, sql, params)
            else:
                with covered():
                    found = original(self, sql, params)
        except Exception as fault:
            ran(_of(connection), sql, started, None, _is_inside(connection), fault)
            raise
        try:
            # by the driver's own cursor, for which Django's looks in its own time
            rows = getattr(self.cursor, "rowcount", None)
        except Exception:  # noqa: BLE001 - of a cursor that is closed some drivers do not say it
            rows = None
        ran(_of(connection), sql, started, rows, connection.in_atomic_block or not connection.autocommit)
        return found

    return execute


def _executing_many(original: Any) -> Any:
    run = _executing(original)

    def executemany(self: Any, sql: Any, param_list: Any) -> Any:
        return run(self, sql, param_list)

    return executemany


def _is_inside(connection: Any) -> bool:
    return bool(connection.in_atomic_block or not connection.autocommit)


def _ending(end: Any) -> Any:
    def make(original: Any) -> Any:
        def method(self: Any) -> Any:
            try:
                if self.vendor == _UNCOVERED:
                    found = original(self)
                else:
                    with covered():
                        found = original(self)
            except Exception:
                if self.vendor == "postgresql":  # a commit that it refuses rolls back
                    safely(Transactions.rollback, _of(self))
                raise
            kept_in(end, _of(self))
            return found

        return method

    return make


def _savepoint_ending(end: Any) -> Any:
    def make(original: Any) -> Any:
        def method(self: Any, sid: Any) -> Any:
            found = original(self, sid)
            kept_in(end, _of(self), str(sid))
            return found

        return method

    return make


def _closing(original: Any) -> Any:
    def close(self: Any) -> Any:
        found = original(self)
        kept_in(Transactions.drop, _of(self))
        return found

    return close
