"""
The few things that are said in different words to SQLite and to PostgreSQL.

SQLite has one writer: where PostgreSQL needs a lock, there is nothing to say to it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from reticle.errors import Refusal
from reticle.storage.chain_end import ChainEnd
from reticle.storage.driver import Cursor, Driver
from reticle.storage.postgres_driver import PostgresDriver
from reticle.storage.two_levels import driver_below

if TYPE_CHECKING:
    from sqlalchemy import Connection


def for_update(driver: Driver, select: str) -> str:
    """
    A SELECT whose rows nobody else changes before this transaction ends.
    """
    return f"{select} FOR UPDATE" if isinstance(driver, PostgresDriver) else select


def skip_locked(driver: Driver, select: str, table: str = "") -> str:
    """
    A SELECT that passes over rows which another transaction has locked, and locks those that it gives; of one
    ``table`` of several alone.
    """
    if not isinstance(driver, PostgresDriver):
        return select
    return f"{select} FOR UPDATE{' OF ' if table else ''}{table} SKIP LOCKED"


def write(
    driver: Driver,
    statement: str,
    rows: Sequence[Sequence[Any]],
    refused: Callable[[], Refusal] | None,
    *,
    expected: int | None = None,
) -> None:
    """
    Run a statement for each row of parameters, now or in any case before the transaction reads again or ends.

    Raises (now or then) what ``refused`` gives when a row is there already, or when another number of rows
    than ``expected`` was changed; without it the first is the database's own fault, and the second lets the
    transaction be run again (on PostgreSQL, the only one where somebody else may have changed them).
    """
    if isinstance(driver, PostgresDriver):
        driver.write(statement, rows, refused, expected=expected)
        return
    try:
        if len(rows) > 1:
            driver.executemany(statement, rows)
            return
        done = driver.execute(statement, rows[0]).rowcount
    except sqlite3.IntegrityError as clash:
        if refused is None:
            raise
        raise refused() from clash
    if refused is not None and expected not in (None, done):
        raise refused()


def chain_end(driver: Driver) -> ChainEnd | None:
    """
    What a connection knows of the end of the audit chain that other daemons add to as well; None where nobody
    else does.
    """
    return driver.chain_end if isinstance(driver, PostgresDriver) else None


def ask(driver: Driver, questions: Sequence[tuple[str, Sequence[Any]]]) -> Sequence[Cursor]:
    """
    Run questions that do not rest on one another's answers, in their order.
    """
    if isinstance(driver, PostgresDriver):
        return driver.ask(questions)
    return [driver.execute(text, given) for text, given in questions]


def lock_named(driver: Driver, select: str, given: Sequence[Any]) -> None:
    """
    As ``lock``, for the name that a SELECT of one text gives; without a row nothing is locked. What the name
    rests on must never change.
    """
    if isinstance(driver, PostgresDriver):
        driver.lock_named(select, given)


def lock_free(
    driver: Driver,
    select: str,
    given: Sequence[Any],
    questions: Sequence[tuple[str, Sequence[Any]]],
) -> tuple[set[str], Sequence[Cursor]]:
    """
    As ``lock``, for those of the names that a SELECT of one text gives which nobody else has locked: which
    they are, and what came of questions behind it.
    """
    assert isinstance(driver, PostgresDriver)  # nothing is asked ahead of a file
    return driver.lock_free(select, given, questions)


def lock(driver: Driver, name: str) -> None:
    """
    Wait until no other transaction of any daemon has this name locked, and hold it until ours ends.

    Taken before anything is read that the change rests on. Who needs several takes them in this order: the
    run's, ``grants``, ``verdicts``; the head of the audit chain comes last of all.
    """
    if isinstance(driver, PostgresDriver):
        driver.lock(name)


def lock_within(connection: Connection, name: str) -> None:
    """
    As ``lock``, for a transaction of SQLAlchemy.
    """
    lock(driver_below(connection), name)


def tell(driver: Driver, subject: str) -> None:
    """
    Let the other daemons on this database know, once this transaction is committed, that something changed.

    ``subject`` is one word of ``news``, perhaps with an id behind it.
    """
    if isinstance(driver, PostgresDriver):
        driver.tell(subject)


def tell_within(connection: Connection, subject: str) -> None:
    """
    As ``tell``, for a transaction of SQLAlchemy.
    """
    tell(driver_below(connection), subject)
