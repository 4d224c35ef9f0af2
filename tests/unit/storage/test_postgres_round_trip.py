"""
Statements that go over the wire together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from reticle.storage.postgres.connection import PostgresPlace
from reticle.storage.postgres_round_trip import RoundTrips

INSERT = "INSERT INTO thing VALUES ($1, $2, $3, $4, $5)"
ROW = ("é", 1 << 40, True, 0.5, b"\0\xff")


@pytest.fixture
def connection(postgres: PostgresPlace) -> Iterator[psycopg.Connection[Any]]:
    """
    A connection with a table of its own.
    """
    with psycopg.connect(postgres.address.url.reveal(), autocommit=True) as connection:
        connection.execute(
            "CREATE TEMPORARY TABLE thing (name TEXT UNIQUE, n BIGINT, yes BOOLEAN, x FLOAT8, raw BYTEA)"
        )
        yield connection


def test_values_come_back_as_they_went(connection: psycopg.Connection[Any]) -> None:
    """
    Texts, numbers, truths, bytes and nothing are kept as they were given.
    """
    trips = RoundTrips(connection)
    empty = ("none", None, None, None, None)
    written, _, read = trips.go([(INSERT, ROW), (INSERT, empty), ("SELECT * FROM thing ORDER BY n", ())])
    assert written.rowcount == 1
    assert read.fetchone() == ROW
    assert read.fetchall() == [empty]
    assert read.fetchone() is None


def test_what_stands_behind_a_fault_is_not_done(connection: psycopg.Connection[Any]) -> None:
    """
    Nothing of a change is kept when one of its statements fails, not even by the COMMIT behind it; the
    connection goes on.
    """
    trips = RoundTrips(connection)
    rename = "UPDATE thing SET name = $1"
    with pytest.raises(psycopg.errors.UniqueViolation):
        trips.go([("BEGIN", ()), (INSERT, ROW), (INSERT, ROW), (rename, ("other",)), ("COMMIT", ())])
    trips.go([("ROLLBACK", ())])
    for name in ("first", "second"):
        _, renamed, read = trips.go([(INSERT, (name, *ROW[1:])), (rename, (name,)), ("TABLE thing", ())])
        assert renamed.rowcount == 1
        assert read.fetchall() == [(name, *ROW[1:])]
        trips.go([("DELETE FROM thing", ())])


def test_much_that_goes_and_comes_at_once(connection: psycopg.Connection[Any]) -> None:
    """
    Neither side waits for the other while both have more to say than a socket holds.
    """
    text = "x" * 100_000
    answers = RoundTrips(connection).go([("SELECT $1::text", (text,))] * 100)
    assert [answer.fetchall() for answer in answers] == [[(text,)]] * 100


def test_a_statement_that_the_server_forgot_is_prepared_anew(connection: psycopg.Connection[Any]) -> None:
    """
    One call fails, and the next one works without a restart.
    """
    trips = RoundTrips(connection)
    trips.go([(INSERT, ROW)])
    trips.go([("DEALLOCATE ALL", ())])
    with pytest.raises(psycopg.errors.InvalidSqlStatementName):
        trips.go([("DELETE FROM thing", ()), (INSERT, ROW)])
    trips.go([("DELETE FROM thing", ()), (INSERT, ROW)])


def test_what_a_text_column_cannot_keep_is_refused(connection: psycopg.Connection[Any]) -> None:
    """
    A text is never cut off where a NUL stands in it.
    """
    with pytest.raises(psycopg.DataError):
        RoundTrips(connection).go([(INSERT, ("a\0b", *ROW[1:]))])


def test_what_was_sent_ahead_is_done_before_what_is_asked(connection: psycopg.Connection[Any]) -> None:
    """
    The next answers are those of the next question alone, and it sees what was sent before.
    """
    trips = RoundTrips(connection)
    for number in range(3):
        trips.send(trips.ready([("BEGIN", ()), (INSERT, (f"sent {number}", *ROW[1:]))]))
        trips.send(trips.ready([(INSERT, (f"behind {number}", *ROW[1:]))]))
        (read, _) = trips.go([("SELECT count(*) FROM thing", ()), ("COMMIT", ())])
        assert read.fetchone() == (2 * number + 2,)


def test_a_fault_of_what_was_sent_ahead_meets_the_next_question(connection: psycopg.Connection[Any]) -> None:
    """
    Nothing behind it is done, and the connection goes on; who does not want to know gives it up.
    """
    trips = RoundTrips(connection)
    trips.send(trips.ready([("BEGIN", ()), (INSERT, ROW), (INSERT, ROW)]))
    with pytest.raises(psycopg.errors.UniqueViolation):
        trips.go([("COMMIT", ())])
    trips.go([("ROLLBACK", ())])
    trips.send(trips.ready([("BEGIN", ()), (INSERT, ROW), (INSERT, ROW)]))
    trips.give_up()
    trips.give_up()
    trips.go([("ROLLBACK", ())])
    (read,) = trips.go([("SELECT count(*) FROM thing", ())])
    assert read.fetchone() == (0,)


@pytest.mark.parametrize("whole", [(), [("SELECT 1", ())]])
def test_what_could_not_all_be_sent_ahead_ends_the_connection(
    connection: psycopg.Connection[Any], whole: list[tuple[str, tuple[()]]]
) -> None:
    """
    No question gets the answer of another one, which may have been under way when sending failed.
    """
    trips = RoundTrips(connection)
    with pytest.raises(psycopg.OperationalError):
        trips.send(trips.ready([*whole, ("SELECT 2", (1,) * 70_000)]))
    assert connection.closed
    trips.give_up()
    with pytest.raises(psycopg.OperationalError):
        trips.go([("SELECT 3", ())])


def test_texts_are_told_apart_in_a_list(connection: psycopg.Connection[Any]) -> None:
    """
    Quotes, backslashes, commas and emptiness stay what they are.
    """
    texts = ["", "a,b", 'say "so"', "back\\slash", "{}", "NULL", "é"]
    (read,) = RoundTrips(connection).go([("SELECT * FROM unnest($1::text[])", (texts,))])
    assert [text for (text,) in read] == texts
