"""
Statements and transactions of Django's ORM, by its own hooks: ``execute_wrappers`` of each connection.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from reticle.probe import emission, sql
from reticle.probe.frames import callers, carried
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import VIA
from reticle.probe.patching import Patches
from reticle.probe.quiet import kept_in, safely
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
        patches.replace(kind, "connect", _connecting)
        patches.replace(kind, "commit", _ending(Transactions.commit))
        patches.replace(kind, "rollback", _ending(Transactions.rollback))
        patches.replace(kind, "close", _closing)
        patches.replace(kind, "savepoint_commit", _savepoint_ending(Transactions.release))
        patches.replace(kind, "savepoint_rollback", _savepoint_ending(Transactions.rollback_to))

    def join(module: ModuleType) -> None:
        for connection in module.connections.all(initialized_only=True):
            if connection.connection is not None:
                _watch(connection)

    def cross(module: ModuleType) -> None:
        patches.replace(module.SyncToAsync, "__call__", _crossing)

    watch.when_imported("asgiref.sync", cross)
    watch.when_imported("django.db.backends.base.base", wrap)
    watch.when_imported("django.db", join)


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


def _connecting(original: Any) -> Any:
    def connect(self: Any) -> Any:
        found = original(self)
        safely(_watch, self)
        return found

    return connect


def _watch(connection: Any) -> None:
    if _execute not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, _execute)


def _of(connection: Any) -> Transactions:
    found = connection.__dict__.get(_NOTE)
    if found is None:
        aborts = connection.vendor == "postgresql"
        found = connection.__dict__[_NOTE] = Transactions(is_aborted_by_faults=aborts)
    return found  # type: ignore[no-any-return]  # what stands two lines above


def _execute(execute: Any, statement: Any, params: Any, many: Any, context: Any) -> Any:
    if not sql.is_watched():
        return execute(statement, params, many, context)
    connection = context["connection"]
    started = sql.clock()
    try:
        if connection.vendor == _UNCOVERED:
            found = execute(statement, params, many, context)
        else:
            with sql.covered():
                found = execute(statement, params, many, context)
    except Exception as fault:
        sql.ran(_of(connection), statement, started, in_transaction=_is_inside(connection), fault=fault)
        raise
    rows = getattr(context["cursor"], "rowcount", None)
    sql.ran(_of(connection), statement, started, rows=rows, in_transaction=_is_inside(connection))
    return found


def _is_inside(connection: Any) -> bool:
    return bool(connection.in_atomic_block or not connection.autocommit)


def _ending(end: Any) -> Any:
    def make(original: Any) -> Any:
        def method(self: Any) -> Any:
            try:
                if self.vendor == _UNCOVERED:
                    found = original(self)
                else:
                    with sql.covered():
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
