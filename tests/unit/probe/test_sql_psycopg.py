"""
Statements and transactions of psycopg 3, over a module that looks like it: the real one needs a server.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from reticle.probe import sql_psycopg
from reticle.probe.transactions import Transactions
from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


class Composed:
    """
    A query put together by ``psycopg.sql``.
    """

    def as_string(self, _context: object) -> str:
        """
        As text.
        """
        return 'DELETE FROM "cart"'


def played() -> ModuleType:  # noqa: C901 - six small classes
    """
    A module with psycopg's classes, whose statements always touch two rows.
    """

    class Connection:
        def __init__(self) -> None:
            self.info = SimpleNamespace(transaction_status=2)

        def commit(self) -> None: ...
        def rollback(self) -> None: ...
        def close(self) -> None: ...

    class Cursor:
        rowcount = 2

        def __init__(self, connection: Any) -> None:
            self.connection = connection

        def execute(self, query: Any, params: Any = None) -> Cursor:
            del params
            if "nowhere" in str(query):
                raise LookupError
            return self

        executemany = execute

    class AsyncConnection(Connection):
        async def commit(self) -> None: ...  # type: ignore[override]  # as psycopg's
        async def rollback(self) -> None: ...  # type: ignore[override]  # as psycopg's
        async def close(self) -> None: ...  # type: ignore[override]  # as psycopg's

    class AsyncCursor(Cursor):
        async def execute(self, query: Any, params: Any = None) -> AsyncCursor:  # type: ignore[override]  # as psycopg's
            del query, params
            return self

    class ServerCursor(Cursor):
        def execute(self, query: Any, params: Any = None) -> ServerCursor:
            del query, params
            return self

    class AsyncServerCursor(AsyncCursor):
        async def execute(self, query: Any, params: Any = None) -> AsyncServerCursor:  # type: ignore[override]  # as psycopg's
            del query, params
            return self

    module: Any = ModuleType("psycopg")
    module.Connection, module.Cursor = Connection, Cursor
    module.AsyncConnection, module.AsyncCursor = AsyncConnection, AsyncCursor
    module.ServerCursor, module.AsyncServerCursor = ServerCursor, AsyncServerCursor
    return module  # type: ignore[no-any-return]  # just made


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """
    It, in the place of the real one.
    """
    made = played()
    monkeypatch.setitem(sys.modules, "psycopg", made)
    return made


@pytest.fixture
def kept(module: Any) -> Iterator[KeptFacts]:
    """
    The collector is in.
    """
    assert sys.modules["psycopg"] is module
    with collecting("sql_psycopg") as sink:
        yield sink


def short(kept: KeptFacts) -> list[tuple[object, ...]]:
    """
    Facts without what a test does not compare.
    """
    return [
        ("sql", fields["verb"], fields["rows"]) if kind == "sql" else (kind, fields["outcome"])
        for kind, fields in kept.facts
    ]


def test_statements_and_their_end_are_told(kept: KeptFacts, module: Any) -> None:
    """
    The agent reads verb, rows and what became of them, for texts and composed queries.
    """
    connection = module.Connection()
    cursor = module.Cursor(connection)
    cursor.execute("INSERT INTO orders VALUES (%s)", (1,))
    connection.commit()
    cursor.execute(Composed())
    cursor.execute(b"SELECT 1")
    connection.close()
    assert short(kept) == [
        ("sql", "INSERT", 2), ("transaction", "committed"),
        ("sql", "DELETE", 2), ("sql", "SELECT", 2), ("transaction", "rolled_back"),
    ]  # fmt: skip
    assert kept.of("sql")[1]["tables"] == ["cart"]
    assert kept.of("sql")[0]["file"] == __file__


def test_a_write_in_autocommit_is_committed(kept: KeptFacts, module: Any) -> None:
    """
    Outside of a transaction nothing waits for a commit.
    """
    connection = module.Connection()
    connection.info.transaction_status = 0
    module.Cursor(connection).execute("UPDATE orders SET a = 1")
    assert short(kept) == [("sql", "UPDATE", 2), ("transaction", "committed")]


def test_the_async_side_is_the_same(kept: KeptFacts, module: Any) -> None:
    """
    An asyncio app is told as a threaded one.
    """

    async def work() -> None:
        connection = module.AsyncConnection()
        await module.AsyncCursor(connection).execute("INSERT INTO orders VALUES (%s)", (1,))
        await connection.rollback()

    asyncio.run(work())
    assert short(kept) == [("sql", "INSERT", 2), ("transaction", "rolled_back")]


def test_an_error_is_the_apps_and_told(kept: KeptFacts, module: Any) -> None:
    """
    The app gets its exception, the agent the statement.
    """
    with pytest.raises(LookupError):
        module.Cursor(module.Connection()).execute("SELECT * FROM nowhere")
    assert kept.of("sql")[0]["failed"] == "LookupError"


class Bare:
    """
    A connection that keeps nothing of others, as one of a version to come may be.
    """

    __slots__ = ()

    def commit(self) -> str:
        """
        As psycopg's.
        """
        return "committed"


def test_a_connection_that_keeps_nothing_is_committed_all_the_same() -> None:
    """
    What was committed does not look failed for want of our notes.
    """
    commit = sql_psycopg._ending(Transactions.commit)(Bare.commit)
    assert commit(Bare()) == "committed"


def test_a_server_side_cursor_is_seen_too(kept: KeptFacts, module: Any) -> None:
    """
    Large answers are read by them, and each is one statement.
    """
    module.ServerCursor(module.Connection()).execute("SELECT a FROM cart")
    asyncio.run(module.AsyncServerCursor(module.AsyncConnection()).execute("SELECT a FROM cart"))
    assert [fact["verb"] for fact in kept.of("sql")] == ["SELECT", "SELECT"]
