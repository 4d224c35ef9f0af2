"""
Statements and transactions of SQLAlchemy's engines, by what each engine asks of its dialect.

A dialect's ``do_execute``, ``do_commit`` and their like are what SQLAlchemy's documents name as a database's
own part; every statement goes through them, of synchronous and asynchronous engines. SQLAlchemy's events tell
the same, but each connection that is opened then joins the listeners of its engine, one by one: some ninety
calls of SQLAlchemy's own for a request with two statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.harmless import note
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import kept_in, safely, working
from reticle.probe.sql import clock, covered, is_covered, ran
from reticle.probe.transactions import Transactions

_NOTE: Final = "reticle_transactions"
_ABORTING: Final = frozenset({"postgresql", "cockroachdb"})
"""Databases that keep nothing of a transaction in which a statement failed."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch all engines, those that are there already too.
    """

    def wrap(module: ModuleType) -> None:
        seen: set[type] = set()

        def see(kind: type) -> None:
            if kind not in seen:
                seen.add(kind)
                _watch(kind, patches)

        for kind in _kinds_of(module.engine.default.DefaultDialect):
            see(kind)
        patches.replace(module.Engine, "__init__", lambda original: _making(original, see))
        event = module.event
        left = _left if module.__version__.startswith("1.") else _reset
        for name, hear in (("close", _left), ("reset", left)):
            event.listen(module.pool.Pool, name, hear)
            patches.on_removal(lambda name=name, hear=hear: event.remove(module.pool.Pool, name, hear))  # type: ignore[misc]  # bound here

    watch.when_imported("sqlalchemy", wrap)


def _kinds_of(kind: Any) -> Iterator[type]:
    yield kind
    for each in kind.__subclasses__():
        yield from _kinds_of(each)


def _making(original: Any, see: Callable[[type], None]) -> Any:
    def __init__(self: Any, *arguments: Any, **named: Any) -> None:  # noqa: N807 - it takes its place
        original(self, *arguments, **named)
        safely(lambda: see(type(self.dialect)))

    return __init__


def _watch(kind: type, patches: Patches) -> None:
    """
    Watch the engines of one kind of dialect. Each kind has wrappers of its own, so that those of a kind which
    calls its base's are told once.
    """
    patches.replace(kind, "initialize", _initializing)
    is_known = "do_execute" not in vars(kind) or kind.__module__.startswith("sqlalchemy.")
    patches.replace(
        kind, "do_execute", lambda original: _executing(kind, original if is_known else _as_one(original))
    )
    patches.replace(kind, "do_executemany", lambda original: _executing(kind, _as_one(original)))
    patches.replace(kind, "do_execute_no_params", lambda original: _executing_alone(kind, _as_one(original)))
    patches.replace(kind, "do_commit", lambda original: _committing(kind, original))
    patches.replace(kind, "do_rollback", lambda original: _rolling_back(kind, original))
    for name, end in _PARTS.items():
        patches.replace(kind, name, lambda original, end=end: _part(kind, original, end))  # type: ignore[misc]  # bound here


def _initializing(original: Any) -> Any:
    """
    What a dialect asks a database at the first connection is nobody's request.
    """

    def initialize(self: Any, connection: Any) -> Any:
        with covered():
            return original(self, connection)

    return initialize


def _of(notes: Any, dialect: Any) -> Transactions:
    """
    Those of a connection, kept in its ``info``, which is emptied when another takes its place.
    """
    found = notes.get(_NOTE)
    if found is None:
        found = notes[_NOTE] = _Noted(is_aborted_by_faults=dialect.name in _ABORTING)
    return found  # type: ignore[no-any-return]  # what stands two lines above


class _Noted(Transactions):
    """
    With the options by which it was last asked whether each statement is committed by itself.
    """

    __slots__ = ("is_autocommit", "options")

    def __init__(self, *, is_aborted_by_faults: bool) -> None:
        super().__init__(is_aborted_by_faults=is_aborted_by_faults)
        self.options: Any = None
        self.is_autocommit = False


def _as_one(original: Any) -> Any:
    """
    What may call another of the dialect's methods for statements, which is then not told by itself. Of
    SQLAlchemy's own dialects no ``do_execute`` does, which runs most statements.
    """

    def run(*given: Any) -> Any:
        with covered():
            return original(*given)

    return run


def _executing(kind: type, original: Any) -> Any:
    def run(self: Any, cursor: Any, statement: Any, parameters: Any, context: Any = None) -> Any:
        if context is None or emission.sink is None or type(self) is not kind:
            return original(self, cursor, statement, parameters, context)
        if is_covered() or working.get():
            return original(self, cursor, statement, parameters, context)
        started = clock()
        try:
            found = original(self, cursor, statement, parameters, context)
        except Exception as fault:
            _tell(self, context, statement, started, fault=fault)
            raise
        _tell(self, context, statement, started, cursor)
        return found

    return run


def _executing_alone(kind: type, original: Any) -> Any:
    """
    As ``_executing``, for what has no parameters.
    """
    run = _executing(
        kind, lambda self, cursor, statement, _, context: original(self, cursor, statement, context)
    )

    def run_alone(self: Any, cursor: Any, statement: Any, context: Any = None) -> Any:
        return run(self, cursor, statement, None, context)

    return run_alone


def _tell(  # noqa: PLR0917 - names cost each statement more
    dialect: Any, context: Any, statement: Any, started: float, cursor: Any = None, fault: Any = None
) -> None:
    try:
        connection = context.root_connection
        transactions: Any = _of(connection.info, dialect)
        options = connection.get_execution_options()
        if transactions.options is not options:
            transactions.is_autocommit = _is_autocommit(connection, options)
            transactions.options = options
        rows = getattr(cursor, "rowcount", None)
        ran(transactions, statement, started, rows, not transactions.is_autocommit, fault, _OUTSIDE)
    except Exception as ours:  # noqa: BLE001 - as ``safely``; what may run the app's code is inside of ``ran``
        note("sql_sqlalchemy", ours)


_OUTSIDE: Final = 3
"""Behind ``_tell`` stands the method that runs a statement."""


def _is_autocommit(connection: Any, options: Any) -> bool:
    """
    By what was asked for: the database itself is not asked anything for our sake.
    """
    asked = (
        options.get("isolation_level")
        or connection.engine.get_execution_options().get("isolation_level")
        or getattr(connection.dialect, "_on_connect_isolation_level", None)
    )
    return asked is not None and str(asked).upper() == "AUTOCOMMIT"


def _noted(connection: Any) -> Transactions | None:
    """
    Those of a connection on which anything is open; it is the pool's, or SQLAlchemy's own in its place.
    """
    notes = getattr(connection, "info", None)
    found: Transactions | None = notes.get(_NOTE) if notes else None
    return found if found is not None and found.parts else None


def _committing(kind: type, original: Any) -> Any:
    def do_commit(self: Any, dbapi_connection: Any) -> Any:
        if type(self) is not kind:
            return original(self, dbapi_connection)
        try:
            found = original(self, dbapi_connection)
        except Exception:
            kept_in(_end, Transactions.rollback, dbapi_connection)
            raise
        kept_in(_end, Transactions.commit, dbapi_connection)
        return found

    return do_commit


def _rolling_back(kind: type, original: Any) -> Any:
    def do_rollback(self: Any, dbapi_connection: Any) -> Any:
        if type(self) is kind:
            # where it fails the connection is lost, and all that was not committed
            kept_in(_end, Transactions.rollback, dbapi_connection)
        return original(self, dbapi_connection)

    return do_rollback


def _end(end: Any, connection: Any, *name: str) -> None:
    found = _noted(connection)
    if found is not None:
        end(found, *name)


def _part(kind: type, original: Any, end: Any) -> Any:
    """
    What begins or ends a part of a transaction, or one in two phases: most dialects make statements of it,
    which are then not told by themselves.
    """

    def method(self: Any, connection: Any, name: Any, *arguments: Any, **named: Any) -> Any:
        if type(self) is not kind or is_covered():
            return original(self, connection, name, *arguments, **named)
        with covered():
            found = original(self, connection, name, *arguments, **named)
        safely(lambda: end(_of(connection.info, self), str(name)))
        return found

    return method


_PARTS: Final[dict[str, Callable[[Transactions, str], None]]] = {
    "do_savepoint": Transactions.savepoint,
    "do_rollback_to_savepoint": Transactions.rollback_to,
    "do_release_savepoint": Transactions.release,
    "do_commit_twophase": lambda of, _: of.commit(),
    "do_rollback_twophase": lambda of, _: of.rollback(),
}


def _left(dbapi_connection: Any, connection_record: Any) -> None:
    """
    A connection goes back to its pool, or for good: what nobody committed until now is rolled back, also
    where the app only dropped its session and no dialect is asked.
    """
    del dbapi_connection
    notes = getattr(connection_record, "info", None)
    found = notes.get(_NOTE) if notes else None
    if found is not None and found.parts:
        safely(found.drop)


def _reset(dbapi_connection: Any, connection_record: Any, reset_state: Any) -> None:
    """
    As ``_left``, with the arguments that SQLAlchemy 2 looks for.
    """
    del reset_state
    _left(dbapi_connection, connection_record)
