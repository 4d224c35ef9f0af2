"""
Statements and transactions of psycopg 3 used directly, sync and async.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from reticle.probe import sql
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import safely
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
        found = connection.__dict__["_reticle_transactions"] = Transactions(is_aborted_by_faults=True)
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


def _commanding(original: Any) -> Any:
    """
    What psycopg sends by itself: a block of ``connection.transaction()`` begins and ends by nothing else.
    """

    def command(self: Any, query: Any, *arguments: Any, **named: Any) -> Any:
        found = yield from original(self, query, *arguments, **named)
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
