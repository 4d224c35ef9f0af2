"""
What a daemon kept in its file is carried over to a PostgreSQL whole, or not at all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reticle.errors import ConfigurationFault
from reticle.storage.connection import OpenDatabase, open_database
from reticle.storage.copying import OWN, Copied, copy
from reticle.storage.postgres.connection import OpenPostgres, PostgresPlace
from reticle.storage.work_tables import METADATA

RELEASED = Path(__file__).parent / "released" / "0008.sql"
SHARED = sorted({table.name for table in METADATA.sorted_tables} - OWN)


@pytest.fixture
def source(tmp_path: Path) -> Iterator[OpenDatabase]:
    """
    A file with rows of every kind.
    """
    path = tmp_path / "x.sqlite3"
    driver = sqlite3.connect(path)
    driver.executescript(RELEASED.read_text("utf-8"))
    driver.close()
    path.chmod(0o600)
    opened = open_database(path)
    yield opened
    opened.close()


@pytest.fixture
def target(postgres: PostgresPlace) -> Iterator[OpenPostgres]:
    """
    An empty database.
    """
    opened = postgres.open(full_sync=False)
    yield opened
    opened.close()


def carried(source: OpenDatabase, target: OpenPostgres) -> Copied:
    """
    A copy that tells nobody.
    """
    return copy(source, target, "there", lambda *_: None)


def rows_of(opened: OpenDatabase | OpenPostgres, table: str) -> list[tuple[Any, ...]]:
    """
    All rows of a table, its columns in one order.
    """
    names = sorted(column.name for column in METADATA.tables[table].columns)
    listed = ", ".join(f'"{name}"' for name in names)
    return sorted((tuple(row) for row in opened.driver.execute(f"SELECT {listed} FROM {table}")), key=repr)


def test_every_shared_row_is_there_afterwards(source: OpenDatabase, target: OpenPostgres) -> None:
    """
    Tokens, verdicts, the log and the work are those of the file, to the byte, and the log is whole.
    """
    told = carried(source, target)
    for table in SHARED:
        assert rows_of(target, table) == rows_of(source, table), table
    assert told.rows["audit"] == told.seq == 3
    assert {name for name, count in told.rows.items() if count} >= {
        "audit", "audit_head", "token", "token_grant", "repository", "verdict", "work_artifact",
        "work_blocker",
    }  # fmt: skip
    assert rows_of(target, "daemon_start") == []


def test_new_rows_are_numbered_behind_the_copied_ones(source: OpenDatabase, target: OpenPostgres) -> None:
    """
    The first thing that is published on the server comes after what was published before.
    """
    carried(source, target)
    target.driver.execute(
        "INSERT INTO work_blocker (blocker_id, run_id, kind, severity, description, state, opened_at_us,"
        " resolution, resolved_by) VALUES ('blk_c', 'run_1', 'x', 'blocked', '', 'open', 1, '', '')"
    )
    found = target.driver.execute("SELECT seq FROM work_blocker WHERE blocker_id = 'blk_c'").fetchone()
    assert found == (3,)


def test_a_database_that_somebody_used_is_left_as_it_is(source: OpenDatabase, target: OpenPostgres) -> None:
    """
    Nothing is mixed into what others keep there, and a second copy is none.
    """
    carried(source, target)
    before = {table: rows_of(target, table) for table in SHARED}
    with pytest.raises(ConfigurationFault, match="there is not empty: there are rows in"):
        carried(source, target)
    assert {table: rows_of(target, table) for table in SHARED} == before


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("UPDATE audit SET tool = 'other' WHERE seq = 2", r"not whole at row 2 \(altered\)"),
        ("UPDATE work_blocker SET description = 'a' || char(0) WHERE seq = 1", "holds a NUL character"),
    ],
)
def test_what_cannot_be_carried_over_whole_is_not_begun(
    source: OpenDatabase, target: OpenPostgres, harm: str, told: str
) -> None:
    """
    A log that was changed, or a text that the server cannot hold: then the database is as empty as before.
    """
    source.driver.execute(harm)
    with pytest.raises(ConfigurationFault, match=told):
        carried(source, target)
    assert [table for table in SHARED if table != "audit_head" and rows_of(target, table)] == []
    assert rows_of(target, "audit_head") != []
