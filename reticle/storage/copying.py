"""
Carries what a daemon kept in its file over to a PostgreSQL that several daemons share: every table that is
shared, row by row, with the audit chain as it is.

All of it is one transaction of the server: after any failure the database there is as empty as it was.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from reticle.errors import ConfigurationFault
from reticle.storage.audit_check import begin_check

if TYPE_CHECKING:
    import psycopg
    from sqlalchemy import Table

    from reticle.storage.connection import OpenDatabase
    from reticle.storage.postgres.connection import OpenPostgres

OWN: Final = frozenset({"journal_chunk", "mcp_session", "daemon_start", "page_seen"})
"""Tables whose rows stay in each daemon's own file (docs/explanation/several-daemons.md)."""

_HEAD: Final = "audit_head"
_TOGETHER: Final = 16
"""Rows that are in memory at a time: each may hold an artifact of 8 MiB."""

_CHECKED: Final = 5_000
"""Rows of the audit log that are checked at a time."""


@attrs.frozen
class Copied:
    """
    What was carried over: rows by table, and the end of the audit log, as ``reticle audit verify`` prints it.
    """

    rows: dict[str, int]
    head: str
    seq: int


def copy(
    source: OpenDatabase, target: OpenPostgres, shown: str, tell: Callable[[str, int], object]
) -> Copied:
    """
    Copy all shared tables.

    Args:
        source: The file; nobody else writes to it meanwhile.
        target: Where to; with the tables made, and nothing in them.
        shown: The target, for people.
        tell: Told of each table when it is through, and of how many rows.

    Raises:
        ConfigurationFault: There is something in the target; a row is of a kind that PostgreSQL cannot hold;
            the audit log is not whole. Nothing was copied.
        psycopg.Error: The server failed; nothing was copied.
    """
    connection = target.driver.connection
    tables = _tables()
    with connection.transaction(), _reading(source):
        _take(connection, tables, shown)
        rows = {}
        for table in tables:
            rows[table.name] = _copy_table(source, connection, table)
            tell(table.name, rows[table.name])
        _number_on(connection, tables)
        head, seq = _check(source, target)
    return Copied(rows, head, seq)


def _tables() -> Sequence[Table]:
    from reticle.storage.work_tables import METADATA  # noqa: PLC0415 - loaded when it is needed (DESIGN §10)

    return [table for table in METADATA.sorted_tables if table.name not in OWN]


@contextlib.contextmanager
def _reading(source: OpenDatabase) -> Iterator[None]:
    source.driver.execute("BEGIN")
    try:
        yield
    finally:
        source.driver.execute("ROLLBACK")


def _take(connection: psycopg.Connection[Any], tables: Sequence[Table], shown: str) -> None:
    """
    Let nobody write there meanwhile, and refuse a database that somebody has used. An empty log has its head.
    """
    for words in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(f"SET LOCAL {words} = 0")
    names = ", ".join(f'"{table.name}"' for table in tables)
    connection.execute(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")
    for table in tables:
        more = " WHERE seq > 0" if table.name == _HEAD else ""
        found = f'SELECT 1 FROM "{table.name}"{more} LIMIT 1'  # noqa: S608 - a name of our own
        if connection.execute(found).fetchone() is not None:
            raise ConfigurationFault(
                f"{shown} is not empty: there are rows in {table.name}; nothing was copied",
                "make an empty database and name it; one that a daemon has used has that daemon's rows",
            )
    connection.execute(f"DELETE FROM {_HEAD}")  # noqa: S608 - as above


def _copy_table(source: OpenDatabase, connection: psycopg.Connection[Any], table: Table) -> int:
    columns = [column.name for column in table.columns]
    listed = ", ".join(f'"{name}"' for name in columns)
    order = ", ".join(f'"{column.name}"' for column in table.primary_key.columns)
    read = source.driver.execute(f'SELECT {listed} FROM "{table.name}" ORDER BY {order}')  # noqa: S608 - as above
    marks = ", ".join(["%s"] * len(columns))
    write: Any = f'INSERT INTO "{table.name}" ({listed}) VALUES ({marks})'  # noqa: S608 - as above
    count = 0
    with connection.cursor() as cursor:
        while rows := read.fetchmany(_TOGETHER):
            _refuse_unstorable(table.name, rows)
            cursor.executemany(write, rows)
            count += len(rows)
    return count


def _refuse_unstorable(name: str, rows: Sequence[tuple[object, ...]]) -> None:
    if any(isinstance(value, str) and "\0" in value for row in rows for value in row):
        raise ConfigurationFault(
            f"a row of {name} holds a NUL character, which PostgreSQL cannot; nothing was copied",
            "keep this file, and begin anew with the empty database",
        )


def _number_on(connection: psycopg.Connection[Any], tables: Sequence[Table]) -> None:
    """
    Let the server number new rows behind those that were copied.
    """
    for table in tables:
        for column in table.primary_key.columns:
            asked = "SELECT pg_get_serial_sequence(%s, %s)"
            found = connection.execute(asked, (f'"{table.name}"', column.name)).fetchone()
            if found is None or found[0] is None:
                continue
            last = f'SELECT coalesce(max("{column.name}"), 0) + 1 FROM "{table.name}"'  # noqa: S608 - as above
            following = connection.execute(last).fetchone()
            assert following is not None
            connection.execute("SELECT setval(%s, %s, false)", (found[0], following[0]))


def _check(source: OpenDatabase, target: OpenPostgres) -> tuple[str, int]:
    """
    The end of the log, the same at both, where all of the copied one is whole.
    """
    ends = []
    for driver in (source.driver, target.driver):
        walk = begin_check(driver)
        while not walk.done and walk.fault is None:
            walk.step(driver, _CHECKED)
        found = walk.result()
        if found.fault is not None:
            raise ConfigurationFault(
                f"the audit log is not whole at row {found.fault.seq} ({found.fault.kind})"
                "; nothing was copied",
                "reticle audit verify says more; keep this file, and begin anew with the empty database",
            )
        ends.append((found.head, found.seq))
    assert ends[0] == ends[1]
    return ends[0]
