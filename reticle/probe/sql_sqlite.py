"""
Statements and transactions of ``sqlite3`` used directly.

``sqlite3.connect`` makes a subclass of what it would make; SQLite's own trace shows parameters and knows
neither rows nor callers. Connections that Django or SQLAlchemy open are told by those.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType, SimpleNamespace
from typing import Any, Final

from reticle.probe import emission, sql
from reticle.probe.harmless import note
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import KEPT_KINDS
from reticle.probe.patching import Patches
from reticle.probe.quiet import kept_in, safely, working
from reticle.probe.sql import clock, is_covered, ran
from reticle.probe.sql_above import is_called_from_above
from reticle.probe.sql_unseen import drivers
from reticle.probe.statements import read_statement
from reticle.probe.transactions import Transactions

_kinds: Final[dict[tuple[str, type], type]] = {}
"""Our classes of connections and of cursors, by what they stand for and the app's own class below."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch connections from now on.
    """

    def wrap(module: ModuleType) -> None:
        connecting = _connecting(module)
        patches.replace(module, "connect", connecting)
        driver = sys.modules.get("sqlite3.dbapi2")
        if driver is not None:
            patches.replace(driver, "connect", connecting)

    watch.when_imported("sqlite3", wrap)


def _connecting(module: Any) -> Any:
    plain, cursor = module.Connection, module.Cursor

    def make(original: Any) -> Any:
        def connect(*arguments: Any, **named: Any) -> Any:
            if not working.get() and not is_called_from_above():
                factory = named.get("factory", plain)
                if len(arguments) > _FACTORY_AT or not (factory is plain or _is_kind(factory, plain)):
                    drivers.add("sqlite3")  # what it makes is its own, and is not seen
                else:
                    named["factory"] = _kinds.get(("connection", factory)) or _connection_kind(
                        factory, cursor
                    )
            return original(*arguments, **named)

        return connect

    return make


def _is_kind(factory: Any, kind: type) -> bool:
    return isinstance(factory, type) and issubclass(factory, kind)


_SCRIPT_CHARS: Final = 100_000
"""Of a script; what is longer loads a database, and no request does that."""

_FACTORY_AT: Final = 5
"""Position of ``factory``, where somebody gives it without its name."""


def _cursor_kind(kind: Any) -> type:
    found = _kinds.get(("cursor", kind))
    if found is None:
        execute, executemany = kind.execute, kind.executemany

        class Cursor(kind):  # type: ignore[misc]  # of whatever the app uses
            __doc__ = kind.__doc__
            __slots__ = ()

            def execute(self, sql: Any, parameters: Any = (), /) -> Any:
                return _run(self, self.connection, execute, sql, parameters)

            def executemany(self, sql: Any, parameters: Any, /) -> Any:
                return _run(self, self.connection, executemany, sql, parameters)

            def executescript(self, *arguments: Any, **named: Any) -> Any:
                return _run_script(self.connection, super().executescript, arguments, named)

        base = sys.modules["sqlite3"].Cursor
        for name in ("execute", "executemany"):
            method = getattr(kind, name)
            if method is not getattr(base, name):
                setattr(Cursor, name, _calling_of_cursor(method))
        Cursor.__name__, Cursor.__qualname__, Cursor.__module__ = (
            kind.__name__,
            kind.__qualname__,
            kind.__module__,
        )
        found = _keep("cursor", kind, Cursor)
    return found


def _calling_of_cursor(theirs: Any) -> Any:
    """
    What stands in front of a method of the app's own class of cursors, which may take what it likes.
    """

    @functools.wraps(theirs)
    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        if not arguments:
            return theirs(self, **named)
        call = functools.partial(theirs, self, *arguments, **named)
        return _run(self, self.connection, lambda *_: call(), arguments[0], ())

    return method


def _connection_kind(kind: Any, cursor_kind: Any) -> type:  # noqa: C901 - one class
    found = _kinds.get(("connection", kind))
    if found is None:
        own_cursor = _cursor_kind(cursor_kind)
        base = sys.modules["sqlite3"].Connection
        make_cursor, commit, close = base.cursor, kind.commit, kind.close
        execute, executemany = cursor_kind.execute, cursor_kind.executemany

        class Connection(kind):  # type: ignore[misc]  # of whatever the app uses
            __doc__ = kind.__doc__
            _reticle_transactions: Transactions | None = None

            def cursor(self, factory: Any = cursor_kind) -> Any:
                if factory is cursor_kind:
                    return make_cursor(self, own_cursor)
                return make_cursor(self, _cursor_kind(factory) if isinstance(factory, type) else factory)

            # As Python's own do it in C, where the cursor is not asked for by its name.
            def execute(self, sql: Any, parameters: Any = (), /) -> Any:
                return _run(make_cursor(self, own_cursor), self, execute, sql, parameters)

            def executemany(self, sql: Any, parameters: Any, /) -> Any:
                return _run(make_cursor(self, own_cursor), self, executemany, sql, parameters)

            def executescript(self, *arguments: Any) -> Any:
                return make_cursor(self, own_cursor).executescript(*arguments)

            def commit(self) -> Any:
                found = commit(self)
                transactions = self._reticle_transactions
                if transactions is not None and transactions.parts:
                    try:  # as ``kept_in``, at less cost
                        transactions.commit()
                    except Exception as fault:  # noqa: BLE001 - the app must not notice that it is watched
                        note("sql_sqlite", fault)
                return found

            def rollback(self) -> Any:
                found = super().rollback()
                kept_in(_of(self).rollback)
                return found

            def __exit__(self, *arguments: object) -> Any:
                end = Transactions.commit if arguments[:1] == (None,) else Transactions.rollback
                try:
                    return super().__exit__(*arguments)
                except BaseException:
                    end = Transactions.rollback
                    raise
                finally:
                    _look(self, end)

            def close(self) -> Any:
                transactions = self._reticle_transactions
                if transactions is None or not transactions.parts:
                    return close(self)
                _look(self, Transactions.commit)
                found = close(self)
                if transactions.parts:
                    kept_in(transactions.drop)
                return found

            @property
            def isolation_level(self) -> Any:
                return super().isolation_level

            @isolation_level.setter
            def isolation_level(self, level: Any) -> None:
                kind.isolation_level.__set__(self, level)
                _look(self, Transactions.commit)  # None commits

        for name, method in _theirs(kind, base):
            setattr(Connection, name, method)
        Connection.__name__, Connection.__qualname__ = kind.__name__, kind.__qualname__
        Connection.__module__ = kind.__module__
        found = _keep("connection", kind, Connection)
    return found


def _keep(of: str, kind: type, ours: type) -> type:
    """
    Of an app that makes a class for each of its connections all are forgotten now and then.
    """
    if len(_kinds) >= KEPT_KINDS:
        _kinds.clear()
    _kinds[of, kind] = ours
    return ours


def _theirs(kind: Any, base: Any) -> Iterator[tuple[str, Any]]:
    """
    What stands in front of methods that the app's own class of connections has: they are called as without
    us, and told as they are called. Of a cursor that they make nothing is seen, and that is said.
    """
    for name in ("execute", "executemany", "executescript"):
        method = getattr(kind, name)
        if method is not getattr(base, name):
            yield name, _calling(method, is_script=name == "executescript")
    if kind.cursor is not base.cursor:
        yield "cursor", _unseen(kind.cursor)


def _calling(theirs: Any, *, is_script: bool) -> Any:
    @functools.wraps(theirs)
    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        counted = SimpleNamespace(rowcount=None)

        def inside(*given: Any, **more: Any) -> Any:
            with sql.covered():
                found = theirs(self, *given, **more)
            counted.rowcount = getattr(found, "rowcount", None)
            return found

        if is_script:
            return _run_script(self, inside, arguments, named)
        if not arguments:
            return theirs(self, **named)
        return _run(counted, self, lambda *_: inside(*arguments, **named), arguments[0], ())

    return method


def _unseen(theirs: Any) -> Any:
    @functools.wraps(theirs)
    def cursor(self: Any, *arguments: Any, **named: Any) -> Any:
        drivers.add("sqlite3")
        return theirs(self, *arguments, **named)

    return cursor


class UntilDropped(Transactions):
    """
    Those of one connection, which end with it: what nobody committed until then is rolled back.

    The finaliser sets no context variable, so it does not go through ``safely``: until Python 3.12 garbage is
    collected in the midst of any allocation, that of ``ContextVar.set`` too, and a second ``set`` inside the
    first one frees what it works on and ends the process.
    """

    __slots__ = ()

    def __del__(self) -> None:
        if self.is_open:
            with contextlib.suppress(Exception):
                self.drop()


def _of(connection: Any) -> Transactions:
    found = connection._reticle_transactions  # noqa: SLF001 - of our own class
    if found is None:
        found = connection._reticle_transactions = UntilDropped()  # noqa: SLF001 - as above
    return found  # type: ignore[no-any-return]  # what stands two lines above


def _look(connection: Any, end: Any) -> None:
    """
    What ``_ended`` does, where it has anything to do.
    """
    transactions = _of(connection)
    if transactions.is_open:
        kept_in(_ended, connection, end)


def _ended(connection: Any, end: Any) -> None:
    """
    Where nothing is open in the database, what we think open has ended, however that came about.

    SQLite itself rolls back where a statement fails so (``OR ROLLBACK``, a full disk); what else ends one
    unseen commits: ``RELEASE`` of the outermost savepoint, a script, a change of ``isolation_level``.
    """
    transactions = _of(connection)
    if transactions.is_open and not connection.in_transaction:
        end(transactions)


_OUTSIDE: Final = sql.OUTSIDE + 1
"""Behind ``_run`` stands a method of ours too."""


def _run(cursor: Any, connection: Any, execute: Any, statement: Any, parameters: Any) -> Any:
    """
    Run a statement and tell it. A connection that only reads, outside of any transaction, gets no note.
    """
    if emission.sink is None or is_covered() or working.get():
        return execute(cursor, statement, parameters)
    transactions = connection._reticle_transactions  # noqa: SLF001 - of our own class
    if transactions is not None and transactions.parts and not connection.in_transaction:
        kept_in(_ended, connection, Transactions.commit)
    started = clock()
    try:
        found = execute(cursor, statement, parameters)
    except Exception as fault:
        transactions = _of(connection)
        is_inside = connection.in_transaction or transactions.is_open
        ran(transactions, statement, started, None, is_inside, fault, _OUTSIDE)
        _look(connection, Transactions.rollback)
        raise
    is_inside = connection.in_transaction
    if transactions is None and is_inside:
        transactions = _of(connection)
    ran(transactions, statement, started, cursor.rowcount, is_inside, None, _OUTSIDE)
    if not is_inside and transactions is not None and transactions.parts:
        kept_in(_ended, connection, Transactions.commit)
    return found


def _run_script(connection: Any, execute: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """
    Each statement of a script is a fact; it commits what is open first, and then as it says itself.

    Where one fails, those before it may have run and nobody says which: all are told as run, since that
    something was not done must never be read out of a script that ended early.
    """
    if not arguments or not sql.is_watched():
        return execute(*arguments, **named)
    started = sql.clock()
    end = Transactions.commit
    try:
        return execute(*arguments, **named)
    except Exception:
        end = Transactions.rollback
        raise
    finally:
        kept_in(_of(connection).commit)
        safely(_tell_script, connection, arguments[0], started)
        _look(connection, end)


def _tell_script(connection: Any, script: Any, started: float) -> None:
    for statement in _parted(script):
        transactions = _of(connection)
        verb = read_statement(statement).verb
        is_inside = transactions.is_open or connection.in_transaction
        if verb == "BEGIN":
            transactions.begin()
        else:
            ran(transactions, statement, started, None, is_inside)


def _parted(script: str) -> Iterator[str]:
    """
    The statements of a script; a trigger's body stays in one piece.
    """
    complete = sys.modules["sqlite3"].complete_statement
    statement = ""
    for piece in script[:_SCRIPT_CHARS].split(";"):
        statement += f"{piece};"
        if complete(statement):
            if read_statement(statement).verb:
                yield statement
            statement = ""
    if read_statement(statement).verb:
        yield statement
