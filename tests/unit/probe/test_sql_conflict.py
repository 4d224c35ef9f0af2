"""
Whether the row was there already, by what drivers raise.
"""

from __future__ import annotations

import sqlite3

import pytest
from psycopg import errors

from reticle.probe.sql_conflict import is_conflict


def refused(*statements: str) -> Exception:
    """
    What SQLite raises at the last of these.
    """
    connection = sqlite3.connect(":memory:")
    try:
        for statement in statements:
            connection.execute(statement)
    except sqlite3.Error as fault:
        return fault
    finally:
        connection.close()
    raise AssertionError("nothing was refused")


class IntegrityError(Exception):
    """
    Of a driver for MySQL.
    """


def wrapped(fault: Exception) -> Exception:
    """
    As a library above raises it.
    """
    above = IntegrityError("it failed")
    above.__cause__ = fault
    return above


UNIQUE = (
    "CREATE TABLE a (k UNIQUE, n NOT NULL)",
    "INSERT INTO a VALUES (1, 1)",
    "INSERT INTO a VALUES (1, 1)",
)


@pytest.mark.parametrize(
    "fault",
    [
        refused(*UNIQUE),
        wrapped(refused(*UNIQUE)),
        refused("CREATE TABLE a (k INTEGER PRIMARY KEY)", *["INSERT INTO a VALUES (1)"] * 2),
        errors.UniqueViolation(),
        wrapped(errors.UniqueViolation()),
        IntegrityError(1062, "Duplicate entry"),
    ],
    ids=["unique", "unique, wrapped", "key", "PostgreSQL", "PostgreSQL, wrapped", "MySQL"],
)
def test_a_row_that_is_there_already(fault: Exception) -> None:
    """
    An app that counts on it takes that row.
    """
    assert is_conflict(fault)


@pytest.mark.parametrize(
    "fault",
    [
        refused(UNIQUE[0], "INSERT INTO a VALUES (1, NULL)"),
        refused("SELECT * FROM nowhere"),
        errors.NotNullViolation(),
        IntegrityError(1452, "a foreign key constraint fails"),
        IntegrityError(),
        ValueError(1062),
    ],
    ids=["no value", "no table", "PostgreSQL", "MySQL", "without words", "another number"],
)
def test_any_other_refusal(fault: Exception) -> None:
    """
    Nothing is there that could be taken instead.
    """
    assert not is_conflict(fault)
