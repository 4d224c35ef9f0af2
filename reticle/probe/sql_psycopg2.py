"""
Statements and transactions of psycopg 2 used directly.

Its connections and cursors are types of C, which nobody can patch: ``psycopg2.connect`` makes a subclass of
what it would make, and so do its connections of their cursors. Connections that Django or SQLAlchemy open are
told by those.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from reticle.probe import sql
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely
from reticle.probe.sql_above import is_called_from_above
from reticle.probe.sql_sqlite import UntilDropped
from reticle.probe.transactions import Transactions

_IDLE: Final = 0
"""``get_transaction_status`` of a connection outside of any transaction (libpq's PQTRANS_IDLE)."""

_FACTORY_AT: Final = 1
"""Position of ``connection_factory``, and of ``cursor_factory``, where somebody gives it without its name."""

_NOTE: Final = "_reticle_transactions"
_kinds: Final[dict[type, type]] = {}
_meant: Final[dict[tuple[object, ...], type]] = {}
"""The cursor that a kind of connection makes for a factory: asked once, for it may have a mind of its own."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch connections from now on.
    """

    def wrap(module: ModuleType) -> None:
        patches.replace(module, "connect", _connecting(module))

    watch.when_imported("psycopg2", wrap)


def _connecting(module: Any) -> Any:
    plain = module.extensions.connection

    def make(original: Any) -> Any:
        def connect(*arguments: Any, **named: Any) -> Any:
            is_ours = not named.get("async") and not named.get("async_")
            if is_ours and not is_own_work() and not is_called_from_above():
                before, rest = arguments[:_FACTORY_AT], arguments[_FACTORY_AT:]
                factory = (rest[0] if rest else named.get("connection_factory")) or plain
                if isinstance(factory, type) and issubclass(factory, plain):
                    ours = _connection_kind(factory)
                    if rest:
                        return original(*before, ours, *rest[1:], **named)
                    named["connection_factory"] = ours
            return original(*arguments, **named)

        return connect

    return make


def _named_as(kind: Any, ours: Any) -> type:
    ours.__name__, ours.__qualname__, ours.__module__ = kind.__name__, kind.__qualname__, kind.__module__
    ours.__doc__ = kind.__doc__
    return ours  # type: ignore[no-any-return]  # a type


def _cursor_kind(kind: Any) -> type:
    found = _kinds.get(kind)
    if found is None:

        class Cursor(kind):  # type: ignore[misc]  # of whatever the app uses
            def execute(self, query: Any, *arguments: Any, **named: Any) -> Any:
                return _run(self, query, super().execute, query, *arguments, **named)

            def executemany(self, query: Any, *arguments: Any, **named: Any) -> Any:
                return _run(self, query, super().executemany, query, *arguments, **named)

            def callproc(self, procname: Any, *arguments: Any, **named: Any) -> Any:
                call = f"SELECT * FROM {procname}()"  # noqa: S608 - told and never run; as psycopg2 puts it
                return _run(self, call, super().callproc, procname, *arguments, **named)

            def copy_expert(self, sql: Any, *arguments: Any, **named: Any) -> Any:
                return _run(self, sql, super().copy_expert, sql, *arguments, **named)

            def copy_from(self, file: Any, table: Any, *arguments: Any, **named: Any) -> Any:
                copy = f'COPY "{table}" FROM STDIN'
                return _run(self, copy, super().copy_from, file, table, *arguments, **named)

            def copy_to(self, file: Any, table: Any, *arguments: Any, **named: Any) -> Any:
                copy = f'COPY "{table}" TO STDOUT'
                return _run(self, copy, super().copy_to, file, table, *arguments, **named)

        found = _kinds[kind] = _named_as(kind, Cursor)
    return found


def _connection_kind(kind: Any) -> type:
    found = _kinds.get(kind)
    if found is None:

        class Connection(kind):  # type: ignore[misc]  # of whatever the app uses
            def cursor(self, *arguments: Any, **named: Any) -> Any:
                if len(arguments) <= _FACTORY_AT:
                    given = {key: named[key] for key in ("cursor_factory",) if key in named}
                    meant = kind, self.cursor_factory, named.get("cursor_factory")
                    if meant not in _meant:
                        with super().cursor(**given) as made:
                            _meant[meant] = _cursor_kind(type(made))
                    named["cursor_factory"] = _meant[meant]
                return super().cursor(*arguments, **named)

            def commit(self) -> Any:
                return _ended(self, super().commit, is_kept=True)

            def rollback(self) -> Any:
                return _ended(self, super().rollback, is_kept=False)

            def __exit__(self, *arguments: object) -> Any:
                return _ended(self, super().__exit__, *arguments, is_kept=arguments[:1] == (None,))

            def close(self) -> Any:
                found = super().close()
                safely(_of(self).drop)
                return found

        found = _kinds[kind] = _named_as(kind, Connection)
    return found


def _of(connection: Any) -> Transactions:
    found = connection.__dict__.get(_NOTE)
    if found is None:
        found = connection.__dict__[_NOTE] = UntilDropped(is_aborted_by_faults=True)
    return found  # type: ignore[no-any-return]  # what stands two lines above


def _ended(connection: Any, end: Any, *arguments: Any, is_kept: bool) -> Any:
    try:
        found = end(*arguments)
    except BaseException:
        safely(_of(connection).commit_failed if is_kept else _of(connection).rollback)
        raise
    safely(_of(connection).commit if is_kept else _of(connection).rollback)
    return found


def _run(cursor: Any, query: Any, execute: Any, *arguments: Any, **named: Any) -> Any:
    """
    Let a cursor execute what it is given, which is this query.
    """
    if not sql.is_watched():
        return execute(*arguments, **named)
    started = sql.clock()
    try:
        with sql.covered():  # a cursor of psycopg2.extras calls the next one's
            found = execute(*arguments, **named)
    except Exception as fault:
        safely(_tell, cursor, query, started, fault)
        raise
    safely(_tell, cursor, query, started)
    return found


def _tell(cursor: Any, query: Any, started: float, fault: BaseException | None = None) -> None:
    text = query if isinstance(query, (str, bytes)) else query.as_string(cursor)
    connection = cursor.connection
    is_inside = connection.closed == 0 and connection.get_transaction_status() != _IDLE
    rows = None if fault is not None else cursor.rowcount
    sql.ran(_of(connection), text, started, rows=rows, in_transaction=is_inside, fault=fault)
