"""
Statements and transactions of psycopg 3 used directly, sync and async.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from types import ModuleType
from typing import Any, Final

from reticle.probe import sql
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import safely
from reticle.probe.sql_sqlite import UntilDropped
from reticle.probe.transactions import Transactions

_IDLE: Final = 0
"""``transaction_status`` of a connection outside of any transaction (libpq's PQTRANS_IDLE)."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch every cursor and connection.
    """

    def wrap(module: ModuleType) -> None:
        for name in ("execute", "executemany"):
            patches.replace(module.Cursor, name, _executing)
            patches.replace(module.AsyncCursor, name, _executing_later)
        for kind, run in ((module.ServerCursor, _executing), (module.AsyncServerCursor, _executing_later)):
            patches.replace(kind, "execute", run)
        for kind, run, read in (
            (module.Cursor, _copying, _streaming),
            (module.AsyncCursor, _copying_later, _streaming_later),
        ):
            patches.replace(kind, "copy", run)
            patches.replace(kind, "stream", read)
        for name, end in (("commit", Transactions.commit), ("rollback", Transactions.rollback)):
            patches.replace(module.Connection, name, _ending(end))
            patches.replace(module.AsyncConnection, name, _ending_later(end))
        for connection in (module.Connection, module.AsyncConnection):
            if hasattr(connection, "_exec_command"):
                patches.replace(connection, "_exec_command", _commanding)
        patches.replace(module.Connection, "close", _ending(Transactions.drop))
        patches.replace(module.AsyncConnection, "close", _ending_later(Transactions.drop))

    watch.when_imported("psycopg", wrap)


def _of(connection: Any) -> Transactions:
    found = connection.__dict__.get("_reticle_transactions")
    if found is None:
        found = connection.__dict__["_reticle_transactions"] = UntilDropped(is_aborted_by_faults=True)
    return found  # type: ignore[no-any-return]  # what stands two lines above


def _is_inside(cursor: Any) -> bool:
    return int(cursor.connection.info.transaction_status) != _IDLE


def _tell(cursor: Any, statement: Any, started: float, fault: BaseException | None = None) -> None:
    text = statement if isinstance(statement, (str, bytes)) else statement.as_string(cursor)
    rows = None if fault is not None else cursor.rowcount
    sql.ran(_of(cursor.connection), text, started, rows=rows, in_transaction=_is_inside(cursor), fault=fault)


def _executing(original: Any) -> Any:
    def execute(self: Any, query: Any, *arguments: Any, **named: Any) -> Any:
        if not sql.is_watched():
            return original(self, query, *arguments, **named)
        started = sql.clock()
        try:
            with sql.covered():
                found = original(self, query, *arguments, **named)
        except Exception as fault:
            safely(_tell, self, query, started, fault)
            raise
        safely(_tell, self, query, started)
        return found

    return execute


def _executing_later(original: Any) -> Any:
    async def execute(self: Any, query: Any, *arguments: Any, **named: Any) -> Any:
        if not sql.is_watched():
            return await original(self, query, *arguments, **named)
        started = sql.clock()
        try:
            found = await original(self, query, *arguments, **named)
        except Exception as fault:
            safely(_tell, self, query, started, fault)
            raise
        safely(_tell, self, query, started)
        return found

    return execute


def _copying(original: Any) -> Any:
    """
    ``COPY``, which is over when its block ends.
    """

    @contextlib.contextmanager
    def copy(self: Any, statement: Any, *arguments: Any, **named: Any) -> Iterator[Any]:
        with _telling(self, statement), original(self, statement, *arguments, **named) as copying:
            yield copying

    return copy


def _copying_later(original: Any) -> Any:
    @contextlib.asynccontextmanager
    async def copy(self: Any, statement: Any, *arguments: Any, **named: Any) -> AsyncIterator[Any]:
        with _telling(self, statement):
            async with original(self, statement, *arguments, **named) as copying:
                yield copying

    return copy


def _streaming(original: Any) -> Any:
    """
    A statement whose rows come one by one; who stops early has run it all the same.
    """

    def stream(self: Any, query: Any, *arguments: Any, **named: Any) -> Iterator[Any]:
        with _telling(self, query):
            yield from original(self, query, *arguments, **named)

    return stream


def _streaming_later(original: Any) -> Any:
    async def stream(self: Any, query: Any, *arguments: Any, **named: Any) -> AsyncIterator[Any]:
        with _telling(self, query):
            async with contextlib.aclosing(original(self, query, *arguments, **named)) as rows:
                async for row in rows:
                    yield row

    return stream


class _telling:  # noqa: N801 - stands for a function
    """
    Around what a statement does in more than one step.
    """

    def __init__(self, cursor: Any, statement: Any) -> None:
        self._cursor = cursor
        self._statement = statement
        self._started = sql.clock() if sql.is_watched() else None

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if self._started is not None:
            failed = fault if isinstance(fault, Exception) else None
            safely(_tell, self._cursor, self._statement, self._started, failed)


def _commanding(original: Any) -> Any:
    """
    What psycopg sends by itself: a block of ``connection.transaction()`` begins and ends by nothing else.
    """

    def command(self: Any, query: Any, *arguments: Any, **named: Any) -> Any:
        try:
            found = yield from original(self, query, *arguments, **named)
        except Exception:
            safely(_refused, self)
            raise
        if isinstance(query, bytes):
            safely(_sent, self, query.decode("utf-8", "replace"))
        return found

    return command


def _sent(connection: Any, statement: str) -> None:
    verb = statement.partition(" ")[0].upper()
    if verb in {"BEGIN", "START"}:
        _of(connection).begin()
    else:
        _of(connection).control(statement, verb)


def _refused(connection: Any) -> None:
    """
    A commit that the database refuses, for a constraint that is looked at only then, rolls back.
    """
    if int(connection.info.transaction_status) == _IDLE:
        _of(connection).rollback()


def _end(end: Any, connection: Any) -> None:
    end(_of(connection))


def _ending(end: Any) -> Any:
    def make(original: Any) -> Any:
        def method(self: Any) -> Any:
            found = original(self)
            safely(_end, end, self)
            return found

        return method

    return make


def _ending_later(end: Any) -> Any:
    def make(original: Any) -> Any:
        async def method(self: Any) -> Any:
            found = await original(self)
            safely(_end, end, self)
            return found

        return method

    return make
