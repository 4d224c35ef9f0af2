"""
Requests and lines of the app in the threads of aiosqlite, over a module that looks like it.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from reticle.probe.context import begin
from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


class Connection:
    """
    As aiosqlite's: each call runs in a thread, which has nothing of the caller's context.
    """

    def __init__(self, connector: Any) -> None:
        self._connector = connector
        self.raw: Any = None

    async def _execute(self, fn: Any, *arguments: Any, **named: Any) -> Any:
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.append(fn(*arguments, **named)))
        thread.start()
        thread.join()
        return found[0]

    async def execute(self, statement: str) -> None:
        """
        One statement, the first of which opens the connection.
        """
        if self.raw is None:
            self.raw = await self._execute(self._connector)
        await self._execute(self.raw.execute, statement)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptFacts]:
    """
    The collectors are in.
    """

    def connect(database: str, **named: Any) -> Connection:
        return Connection(lambda: sqlite3.connect(database, check_same_thread=False, **named))

    module: Any = ModuleType("aiosqlite")
    module.connect, module.Connection = connect, Connection
    monkeypatch.setitem(sys.modules, "aiosqlite", module)
    with collecting("sql_sqlite", "sql_aiosqlite") as sink:
        yield sink


def test_a_statement_belongs_to_the_request_that_awaits_it(kept: KeptFacts) -> None:
    """
    It has the request, and the line of the app that sent it into the thread.
    """
    module: Any = sys.modules["aiosqlite"]

    async def view() -> Any:
        request = begin("POST", "/pay")
        connection = module.connect(":memory:")
        await connection.execute("SELECT 1")
        connection.raw.close()
        return request

    request = asyncio.run(view())
    [told] = kept.of("sql")
    assert told["rid"] == request.rid
    assert str(told["file"]).endswith("test_sql_aiosqlite.py")


def test_a_connection_of_sqlalchemys_is_told_by_it(kept: KeptFacts) -> None:
    """
    One statement is one fact.
    """
    module: Any = sys.modules["aiosqlite"]
    space = {"__name__": "sqlalchemy.dialects.sqlite.aiosqlite", "module": module}
    exec("def connect():\n    return module.connect(':memory:')", space)
    connect: Any = space["connect"]

    async def view() -> None:
        begin("POST", "/pay")
        connection = connect()
        await connection.execute("SELECT 1")
        assert type(connection.raw) is sqlite3.Connection
        connection.raw.close()

    asyncio.run(view())
    assert kept.of("sql") == []
