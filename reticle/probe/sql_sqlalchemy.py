"""
Statements and transactions of SQLAlchemy's engines, by its own events.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from reticle.probe import sql
from reticle.probe.harmless import note
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import safely
from reticle.probe.transactions import Transactions

_NOTE: Final = "reticle_transactions"
_STARTED: Final = "_reticle_started"
_ABORTING: Final = frozenset({"postgresql", "cockroachdb"})
"""Databases that keep nothing of a transaction in which a statement failed."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Listen to all engines, those that are there already too.
    """

    def listen(module: ModuleType) -> None:
        event = module.event
        left = {"close": _left, "reset": _left if module.__version__.startswith("1.") else _reset}
        for kind, listeners in ((module.Engine, _LISTENERS), (module.pool.Pool, left)):
            for name, hear in listeners.items():
                event.listen(kind, name, hear)
                patches.on_removal(lambda kind=kind, name=name, hear=hear: event.remove(kind, name, hear))  # type: ignore[misc]  # bound here

    watch.when_imported("sqlalchemy", listen)


def _of(connection: Any) -> Transactions:
    notes = connection.info
    found = notes.get(_NOTE)
    if found is None:
        aborts = connection.dialect.name in _ABORTING
        found = notes[_NOTE] = Transactions(is_aborted_by_faults=aborts)
    return found  # type: ignore[no-any-return]  # what stands two lines above


def _before(  # noqa: PLR0917 - SQLAlchemy reads the signature
    connection: Any, cursor: Any, statement: Any, parameters: Any, context: Any, many: Any
) -> None:
    del connection, cursor, statement, parameters, many
    if context is not None and sql.is_watched():
        setattr(context, _STARTED, sql.clock())


def _after(  # noqa: PLR0917 - as above
    connection: Any, cursor: Any, statement: Any, parameters: Any, context: Any, many: Any
) -> None:
    del parameters, many
    try:
        _tell(connection, cursor, statement, context, None)
    except Exception as fault:  # noqa: BLE001 - as ``safely``; what may run the app's code is inside of ``ran``
        note("sql_sqlalchemy", fault)


def _failed(told: Any) -> None:
    safely(_tell_failed, told)


def _tell_failed(told: Any) -> None:
    if told.execution_context is not None and told.connection is not None and told.statement is not None:
        _tell(told.connection, None, told.statement, told.execution_context, told.original_exception)
    elif told.connection is not None and told.statement is None:
        # SQLAlchemy says "commit" before it tries
        _of(told.connection).commit_failed()


def _tell(connection: Any, cursor: Any, statement: Any, context: Any, fault: BaseException | None) -> None:
    started = getattr(context, _STARTED, None)
    if started is None:
        return
    setattr(context, _STARTED, None)
    rows = getattr(cursor, "rowcount", None)
    is_inside = not _is_autocommit(connection)
    sql.ran(_of(connection), statement, started, rows=rows, in_transaction=is_inside, fault=fault)


def _is_autocommit(connection: Any) -> bool:
    """
    By what was asked for: the database itself is not asked anything for our sake.
    """
    asked = (
        connection.get_execution_options().get("isolation_level")
        or connection.engine.get_execution_options().get("isolation_level")
        or getattr(connection.dialect, "_on_connect_isolation_level", None)
    )
    return asked is not None and str(asked).upper() == "AUTOCOMMIT"


def _ending(end: Any) -> Any:
    def hear(connection: Any, *_: Any) -> None:
        safely(_end, end, connection)

    return hear


def _end(end: Any, connection: Any, *name: str) -> None:
    end(_of(connection), *name)


def _part(end: Any) -> Any:
    def hear(connection: Any, name: Any, *_: Any) -> None:
        safely(_end, end, connection, str(name))

    return hear


def _left(dbapi_connection: Any, connection_record: Any) -> None:
    """
    A connection goes back to its pool, or for good: what nobody committed until now is rolled back, also
    where the app only dropped its session and no engine's event tells.
    """
    del dbapi_connection
    notes = getattr(connection_record, "info", None)
    found = notes.get(_NOTE) if notes else None
    if found is None:
        return
    if found.is_open:
        safely(found.drop)
    else:
        found.drop()  # which tells nothing


def _reset(dbapi_connection: Any, connection_record: Any, reset_state: Any) -> None:
    """
    As ``_left``, with the arguments that SQLAlchemy 2 looks for.
    """
    del reset_state
    _left(dbapi_connection, connection_record)


_LISTENERS: Final = {
    "before_cursor_execute": _before,
    "after_cursor_execute": _after,
    "handle_error": _failed,
    "commit": _ending(Transactions.commit),
    "rollback": _ending(Transactions.rollback),
    "commit_twophase": _ending(Transactions.commit),
    "rollback_twophase": _ending(Transactions.rollback),
    "savepoint": _part(Transactions.savepoint),
    "rollback_savepoint": _part(Transactions.rollback_to),
    "release_savepoint": _part(Transactions.release),
}
