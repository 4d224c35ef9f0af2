"""
The probe's look at psycopg over a real PostgreSQL: how each kind of transaction ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")
psycopg2 = pytest.importorskip("psycopg2", reason="psycopg 2 is not installed")
pytest.importorskip("psycopg2.extras")
pytest.importorskip("psycopg2.sql")

pytestmark = pytest.mark.system

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/local/bin", "/usr/bin")


def found_tools() -> Path | None:
    """
    The folder with PostgreSQL's own programs.
    """
    for place in PLACES:
        for folder in sorted(Path("/").glob(place.lstrip("/")), reverse=True):
            if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
                return folder
    return None


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """
    The connection string of a server of one's own, which listens on a Unix socket alone.
    """
    tools = found_tools()
    if tools is None:
        pytest.skip("PostgreSQL (initdb, pg_ctl) was not found; Debian: apt-get install postgresql")
    folder = Path("/tmp") / f"reticle-postgres-{os.getpid()}"  # a socket's path is short
    folder.mkdir(mode=0o700)
    as_owner: list[str] = []
    if os.geteuid() == 0:  # PostgreSQL does not run as root
        shutil.chown(folder, "postgres")
        as_owner = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    try:
        subprocess.run([*as_owner, tools / "initdb", "-D", folder / "data", "-A", "trust", "-U", "probe"],
                       check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        options = f"-k {folder} -c listen_addresses= -c fsync=off"
        control = [*as_owner, str(tools / "pg_ctl"), "-D", str(folder / "data"), "-w"]
        subprocess.run(
            [*control, "-o", options, "-l", folder / "log", "start"], check=True, stdout=subprocess.DEVNULL
        )
        try:
            yield f"host={folder} user=probe dbname=postgres"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, stdout=subprocess.DEVNULL)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def ends(kept: KeptFacts) -> list[str]:
    """
    How the transactions that were told ended, and forget them.
    """
    told = [str(fields["outcome"]) for fields in kept.of("transaction")]
    kept.facts.clear()
    return told


def lose(connection: Any, number: int) -> None:
    """
    A block that inserts and fails.
    """
    with contextlib.suppress(psycopg.errors.DivisionByZero), connection.transaction():
        connection.execute("INSERT INTO kept VALUES (%s)", (number,))
        connection.execute("SELECT 1 / 0")


def test_each_kind_of_transaction_ends_as_it_does(database: str) -> None:
    """
    A block of ``connection.transaction()`` is no forgotten commit, and a lost one is no success.
    """
    with collecting("sql_psycopg") as kept:
        with psycopg.connect(database) as connection:
            connection.execute("CREATE TABLE kept (number INT)")
            connection.execute("INSERT INTO kept VALUES (1)")
        assert set(ends(kept)) == {"committed"}
        with psycopg.connect(database, autocommit=True) as connection:
            with connection.transaction():
                connection.execute("INSERT INTO kept VALUES (2)")
            assert ends(kept) == ["committed"]
            lose(connection, 3)
            assert ends(kept) == ["rolled_back"]
            with connection.transaction():
                connection.execute("INSERT INTO kept VALUES (4)")
                lose(connection, 5)
            assert ends(kept) == ["rolled_back", "committed"]
        forgetful = psycopg.connect(database)
        forgetful.execute("INSERT INTO kept VALUES (6)")
        forgetful.close()
        assert ends(kept) == ["rolled_back"]
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT number FROM kept ORDER BY number").fetchall()
    assert [number for (number,) in rows] == [1, 2, 4]


def test_copies_streams_and_refused_commits_of_psycopg(database: str) -> None:
    """
    Rows by ``COPY`` are seen, and what a constraint refuses at the commit is lost, even if the next holds.
    """
    with collecting("sql_psycopg") as kept, psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE kept4 (number INT UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        cursor = connection.cursor()
        with cursor.copy("COPY kept4 FROM STDIN") as copying:
            copying.write_row((1,))
            copying.write_row((2,))
        connection.commit()
        copied = kept.of("sql")[-1]
        assert (copied["verb"], copied["tables"], copied["rows"]) == ("COPY", ["kept4"], 2)
        assert str(copied["file"]).endswith("test_probe_postgres.py")
        assert set(ends(kept)) == {"committed"}
        assert [row for (row,) in cursor.stream("SELECT number FROM kept4 ORDER BY 1")] == [1, 2]
        with connection.cursor("walk") as named:
            named.execute("SELECT number FROM kept4")
            assert len(named.fetchall()) == 2
        assert [fact["verb"] for fact in kept.of("sql")] == ["SELECT", "SELECT"]
        connection.execute("INSERT INTO kept4 VALUES (2)")
        with contextlib.suppress(psycopg.errors.UniqueViolation):
            connection.commit()
        assert ends(kept) == ["rolled_back"]
        with contextlib.suppress(psycopg.errors.UniqueViolation), connection.transaction():
            connection.execute("INSERT INTO kept4 VALUES (2)")
        connection.execute("INSERT INTO kept4 VALUES (3)")
        connection.commit()
        assert ends(kept) == ["rolled_back", "committed"]


@pytest.mark.parametrize("driver", [psycopg, psycopg2])
def test_a_part_that_postgresql_refuses_says_that_the_row_is_there(driver: Any, database: str) -> None:
    """
    A savepoint whose row another has made, as in ``get_or_create``, is told apart from one that just failed.
    """
    with collecting("sql_psycopg", "sql_psycopg2") as kept, driver.connect(database) as connection:
        cursor = connection.cursor()
        table = f"taken_{driver.__name__}"
        cursor.execute(f"CREATE TABLE {table} (number INT UNIQUE NOT NULL)")
        cursor.execute(f"INSERT INTO {table} VALUES (1)")
        connection.commit()
        kept.facts.clear()
        for number in ("1", "NULL"):
            cursor.execute("SAVEPOINT try")
            cursor.execute(f"INSERT INTO {table} VALUES (2)")
            with contextlib.suppress(driver.IntegrityError):
                cursor.execute(f"INSERT INTO {table} VALUES ({number})")
            cursor.execute("ROLLBACK TO SAVEPOINT try")
        cursor.execute(f"INSERT INTO {table} VALUES (3)")
        connection.commit()
        taken, empty, last = kept.of("transaction")
        assert (taken["refused"], taken.get("conflict")) == ([table], True)
        assert (empty["refused"], empty.get("conflict")) == ([table], None)
        assert len({one["within"] for one in (taken, empty, last)}) == 1  # the savepoint was never released
        assert [one["outcome"] for one in (taken, empty, last)] == [
            "rolled_back",
            "rolled_back",
            "committed",
        ]


def test_psycopg_2_copies_and_calls(database: str) -> None:
    """
    What goes by neither ``execute`` nor ``executemany`` is seen as well, and returns what it always did.
    """
    with collecting("sql_psycopg2") as kept, psycopg2.connect(database) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE kept5 (number INT)")
        cursor.copy_from(io.StringIO("1\n2\n"), "kept5")
        cursor.copy_expert("COPY kept5 FROM STDIN", io.StringIO("3\n"))
        out = io.StringIO()
        cursor.copy_to(out, "kept5", sep=";", columns=("number",))
        assert out.getvalue() == "1\n2\n3\n"
        cursor.callproc("abs", [-1])
        assert cursor.fetchone() == (1,)
        told = [(fact["verb"], fact["tables"], fact["rows"]) for fact in kept.of("sql")[1:]]
        copied = [("COPY", ["kept5"], rows) for rows in (2, 1, 3)]
        assert told == [*copied, ("SELECT", [], 1)]
        connection.rollback()
        assert set(ends(kept)) == {"rolled_back"}


def test_psycopg_2_tells_the_same(database: str) -> None:
    """
    Statements with their rows, each kind of end, and cursors that the app chose itself are as without us.
    """
    with collecting("sql_psycopg2") as kept:
        with psycopg2.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute("CREATE TABLE kept2 (number INT)")
            cursor.execute("INSERT INTO kept2 VALUES (%s), (%s)", (1, 2))
        [_, insert] = kept.of("sql")
        assert (insert["statement"], insert["rows"]) == ("INSERT INTO kept2 VALUES (%s), (%s)", 2)
        assert (insert["verb"], insert["tables"]) == ("INSERT", ["kept2"])
        assert str(insert["file"]).endswith("test_probe_postgres.py")
        assert set(ends(kept)) == {"committed"}
        with contextlib.suppress(psycopg2.errors.DivisionByZero), connection, connection.cursor() as cursor:
            cursor.execute("INSERT INTO kept2 VALUES (3)")
            cursor.execute("SELECT 1 / 0")
        assert [fact.get("failed") for fact in kept.of("sql")] == [None, "DivisionByZero"]
        assert ends(kept) == ["rolled_back"]
        connection.autocommit = True
        chosen = connection.cursor(cursor_factory=psycopg2.extras.RealDictCursor)
        chosen.executemany("INSERT INTO kept2 VALUES (%s)", [(4,)])
        assert ends(kept) == ["committed"]
        chosen.execute(
            psycopg2.sql.SQL("SELECT {} FROM kept2 ORDER BY 1").format(psycopg2.sql.Identifier("number"))
        )
        assert [dict(row) for row in chosen] == [{"number": 1}, {"number": 2}, {"number": 4}]
        assert isinstance(chosen, psycopg2.extras.RealDictCursor)
        assert [fact["rows"] for fact in kept.of("sql")] == [3]
        connection.close()
        forgetful = psycopg2.connect(database, connection_factory=psycopg2.extras.DictConnection)
        cursor = forgetful.cursor()
        assert isinstance(cursor, psycopg2.extras.DictCursor)
        kept.facts.clear()
        cursor.execute("INSERT INTO kept2 VALUES (5)")
        assert len(kept.of("sql")) == 1
        named = forgetful.cursor("walk")
        named.execute("SELECT number FROM kept2")
        assert len(named.fetchall()) == 4
        forgetful.close()
        assert ends(kept) == ["rolled_back"]
    assert type(psycopg2.connect(database)) is psycopg2.extensions.connection


async def _later(database: str) -> None:
    async with await psycopg.AsyncConnection.connect(database) as connection:
        await connection.execute("CREATE TABLE kept3 (number INT)")
        await connection.commit()
        async with connection.transaction():
            await connection.execute("INSERT INTO kept3 VALUES (%s)", (1,))


def test_asyncio_tells_the_same(database: str) -> None:
    """
    An async connection's statement has its rows, its caller and its end.
    """
    with collecting("sql_psycopg") as kept:
        asyncio.run(_later(database))
        [_, insert] = kept.of("sql")
        assert (insert["verb"], insert["tables"], insert["rows"]) == ("INSERT", ["kept3"], 1)
        assert str(insert["file"]).endswith("test_probe_postgres.py")
        assert set(ends(kept)) == {"committed"}
