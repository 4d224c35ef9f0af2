"""
What is read from an SQL statement's text.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.probe.limits import KEPT_STATEMENT_CHARS
from reticle.probe.statements import read_statement, statements


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        (
            "SELECT * FROM users WHERE name = 'O''Brien' AND age > 42",
            "SELECT * FROM users WHERE name = ? AND age > ?",
        ),
        ('INSERT INTO t VALUES ("secret", 1.5e3)', "INSERT INTO t VALUES (?, ?)"),
        (
            'SELECT "a"."b" FROM "a" WHERE "a"."c" = "a"."d"',
            'SELECT "a"."b" FROM "a" WHERE "a"."c" = "a"."d"',
        ),
        ("SELECT 1 -- password hunter2\n + 2", "SELECT ? + ?"),
        ("SELECT /* key abc */ x1 FROM t2", "SELECT x1 FROM t2"),
        ("SELECT $1, $tag$ text $tag$, %(name)s, :other, ?", "SELECT $1, ?, %(name)s, :other, ?"),
        ("SELECT :a_1, :a_2, :a_3, :a_4", "SELECT :a_1, …, :a_4"),
        ("SELECT x FROM t WHERE id IN (%s, %s, %s, %s, %s)", "SELECT x FROM t WHERE id IN (%s, …, %s)"),
        ("SELECT E'it\\'s', X'ff'", "SELECT ?, ?"),
        ("SELECT 'unfinished", "SELECT ?"),
        ("INSERT INTO t VALUES ('C:\\', 'hunter')", "INSERT INTO t VALUES (?)"),
        ("INSERT INTO t VALUES ('it\\'s hunter', 1)", "INSERT INTO t VALUES (?, ?)"),
        ("SELECT 1 /* hunter", "SELECT ?"),
        ("SELECT 1 # hunter\n + 2", "SELECT ? + ?"),
        ('SELECT a FROM t WHERE b IN ("hunter", "x")', "SELECT a FROM t WHERE b IN (?, ?)"),
        (
            'SELECT a FROM t WHERE f("hunter") BETWEEN "k" AND "z"',
            "SELECT a FROM t WHERE f(?) BETWEEN ? AND ?",
        ),
        ('UPDATE t SET "a" = CASE WHEN b THEN "hunter" END', 'UPDATE t SET "a" = CASE WHEN b THEN ? END'),
        ('CALL login("ada", "hunter")', "CALL login(?, ?)"),
        ('CREATE USER ada IDENTIFIED BY "hunter"', "CREATE USER ada IDENTIFIED BY ?"),
        ('INSERT INTO "t" ("a", "b") VALUES (?, "c")', 'INSERT INTO "t" ("a", "b") VALUES (?, ?)'),
        ('SELECT "a", "b" FROM "t" ORDER BY "a"', 'SELECT "a", "b" FROM "t" ORDER BY "a"'),
        ('CREATE TABLE "t" ("a" integer, "b" text)', 'CREATE TABLE "t" ("a" integer, "b" text)'),
        (
            'UPDATE "t" SET "a" = ?, "b" = ? WHERE "c" IN (?)',
            'UPDATE "t" SET "a" = ?, "b" = ? WHERE "c" IN (?)',
        ),
        ("  SELECT\n\t1 ;", "SELECT ?"),
        ("", ""),
    ],
)
def test_no_literal_leaves(sql: str, text: str) -> None:
    """
    The shape of a statement is told, never a value in it.
    """
    assert read_statement(sql).text == text


@pytest.mark.parametrize(
    ("sql", "verb", "tables"),
    [
        ("SELECT * FROM orders", "SELECT", ("orders",)),
        ('insert into "shop"."orders" (a) values (1)', "INSERT", ("orders",)),
        ("INSERT OR REPLACE INTO t(a) SELECT b FROM u", "INSERT", ("t", "u")),
        ("UPDATE orders SET a = 1 FROM users u WHERE u.id = 2", "UPDATE", ("orders", "users")),
        ("DELETE FROM `cart` WHERE id = 1", "DELETE", ("cart",)),
        ("SELECT a FROM x, y AS z, w JOIN v ON 1", "SELECT", ("x", "y", "w", "v")),
        ("SELECT a FROM (SELECT b FROM inner_table) AS q", "SELECT", ("inner_table",)),
        ("WITH q AS (SELECT 1 FROM a) INSERT INTO b SELECT * FROM q", "INSERT", ("a", "b")),
        ("WITH RECURSIVE n(x) AS (SELECT 1) SELECT x FROM n", "SELECT", ()),
        ("SELECT EXTRACT(YEAR FROM made) FROM orders", "SELECT", ("orders",)),
        ("SELECT a FROM t WHERE b IS DISTINCT FROM c", "SELECT", ("t",)),
        ("SELECT a FROM t FOR UPDATE", "SELECT", ("t",)),
        ("INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 2", "INSERT", ("t",)),
        ("INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 2", "INSERT", ("t",)),
        ("CREATE TABLE IF NOT EXISTS t (a)", "CREATE", ("t",)),
        ("SELECT * FROM generate_series(1, 2)", "SELECT", ()),
        ("(SELECT a FROM t)", "SELECT", ("t",)),
        ("PRAGMA foreign_keys", "PRAGMA", ()),
        ('COPY "shop"."orders" (a, b) FROM STDIN', "COPY", ("orders",)),
        ("COPY (SELECT a FROM t) TO STDOUT", "COPY", ("t",)),
        ("BEGIN IMMEDIATE", "BEGIN", ()),
    ],
)
def test_verb_and_tables_are_read(sql: str, verb: str, tables: tuple[str, ...]) -> None:
    """
    A claim about an INSERT into a table is judged by what the statement does.
    """
    statement = read_statement(sql)
    assert (statement.verb, statement.tables) == (verb, tables)


def test_a_select_for_update_writes_nothing() -> None:
    """
    Locking rows is not changing them.
    """
    assert not read_statement("SELECT a FROM t FOR UPDATE").is_write
    assert read_statement("update t set a = 1").is_write
    assert read_statement("ROLLBACK TO SAVEPOINT s1").is_control


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("INSERT INTO t (a, b) VALUES (1, (2)), (%s, f(3)) RETURNING id", 2),
        ("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING RETURNING id", None),
        ("INSERT INTO t SELECT 1 RETURNING id", None),
        ("UPDATE t SET a = 1 RETURNING id", None),
    ],
)
def test_rows_of_an_insert_that_returns_them_are_counted(sql: str, rows: int | None) -> None:
    """
    A driver that counts none before they are fetched does not make a write look like nothing.
    """
    statement = read_statement(sql)
    assert (statement.returns, statement.inserted) == (True, rows)


@given(st.text(max_size=80))
def test_any_text_is_read(sql: str) -> None:
    """
    Whatever an app sends to its database, the probe has a word for it.
    """
    read_statement(sql)


@given(
    st.text(
        alphabet=st.characters(exclude_characters="'\\", exclude_categories=["Cs"]), min_size=4, max_size=30
    )
)
def test_no_quoted_text_leaves(secret: str) -> None:
    """
    A value that an app glued into its statement stays inside the process.
    """
    assert secret not in read_statement(f"SELECT a FROM t WHERE b = '{secret}' OR c = 1").text.replace(
        "SELECT a FROM t WHERE b = ? OR c = ?", ""
    )


def test_a_very_long_statement_is_not_kept() -> None:
    """
    An app that loads many rows at once does not keep the text of each such statement in its memory.
    """
    long = f"INSERT INTO goods VALUES {'(1),' * KEPT_STATEMENT_CHARS}(1)"
    assert read_statement(long).tables == ("goods",)
    assert long not in statements
    assert read_statement("SELECT * FROM goods") is read_statement("SELECT * FROM goods")
