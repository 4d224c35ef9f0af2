"""
A queue in plain SQL and nothing else, with which ours is compared: one table, one statement and one commit
for a claim; no rules, no packet, no log. On PostgreSQL also one that writes a lease's row, and claims of many
at once, each on a connection and a thread of its own as the workers of such a queue have them.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

TABLE = (
    "CREATE TABLE bare (seq {serial}, id TEXT NOT NULL, run TEXT NOT NULL, role TEXT NOT NULL,"
    " priority INTEGER NOT NULL, state TEXT NOT NULL, session TEXT, until_us BIGINT)"
)
INDEX = "CREATE INDEX ix_bare ON bare (run, role, priority DESC, seq) WHERE state = 'pending'"
CLAIM = (
    "UPDATE bare SET state = 'claimed', session = {mark}, until_us = {mark} WHERE seq ="
    " (SELECT seq FROM bare WHERE run = {mark} AND role = {mark} AND state = 'pending'"
    " ORDER BY priority DESC, seq LIMIT 1{skip}) RETURNING id"
)
LEASES = (
    "CREATE TABLE bare_lease (lease_id TEXT PRIMARY KEY, job_id TEXT NOT NULL, session TEXT NOT NULL,"
    " until_us BIGINT NOT NULL)"
)
LEASING = (
    f"WITH claimed AS ({CLAIM}, session, until_us)"
    " INSERT INTO bare_lease SELECT {mark}, id, session, until_us FROM claimed RETURNING job_id"
)
FILL = "INSERT INTO bare (id, run, role, priority, state) VALUES ({mark}, 'r', 'maker', 0, 'pending')"


class BareQueue:
    """
    Claims of a bare queue, one transaction each.
    """

    def __init__(self, connection: Any, claim: str, fill: str, others: Sequence[Any] = ()) -> None:
        self._connection = connection
        self._others = others
        self._workers = ThreadPoolExecutor(1 + len(others))
        self._claim = claim
        self._fill = fill
        self._made = 0
        self.leasing = ""

    def fill(self, packets: int) -> None:
        """
        Put packets in.
        """
        rows = [(f"job_{self._made + number}",) for number in range(packets)]
        self._made += packets
        with (
            self._connection
            if isinstance(self._connection, sqlite3.Connection)
            else self._connection.transaction()
        ):
            self._connection.cursor().executemany(self._fill, rows)

    def lease(self, times: int, at_once: int = 1) -> None:
        """
        Claim so many, each with a row of its lease; so many of them share a commit, as ours do that wait at
        the same moment.
        """
        for begin in range(0, times, at_once):
            with self._connection.transaction() if at_once > 1 else contextlib.nullcontext():
                for number in range(begin, min(begin + at_once, times)):
                    given = (f"s{number}", 1, "r", "maker", f"lease_{secrets.token_hex(16)}")
                    assert self._connection.execute(self.leasing, given).fetchone() is not None

    def claim(self, times: int, at_once: int = 1) -> None:
        """
        Claim so many, by so many workers.
        """
        if at_once == 1:
            self._claim_on(self._connection, times)
            return
        workers = [self._connection, *self._others][:at_once]
        shares = [times // at_once + (number < times % at_once) for number in range(at_once)]
        list(self._workers.map(self._claim_on, workers, shares))

    def _claim_on(self, connection: Any, times: int) -> None:
        for number in range(times):
            found = connection.execute(self._claim, (f"s{number}", 1, "r", "maker")).fetchone()
            if isinstance(connection, sqlite3.Connection):
                connection.commit()
            assert found is not None


@contextmanager
def on_postgres(url: str, workers: int) -> Iterator[BareQueue]:
    """
    A queue in a database of PostgreSQL, for so many workers at once.
    """
    with contextlib.ExitStack() as stack:
        connection, *others = (
            stack.enter_context(psycopg.connect(url, autocommit=True)) for _ in range(workers)
        )
        connection.execute(TABLE.format(serial="BIGSERIAL PRIMARY KEY").encode())
        connection.execute(INDEX.encode())
        claim = CLAIM.format(mark="%s", skip=" FOR UPDATE SKIP LOCKED")
        connection.execute(LEASES.encode())
        queue = BareQueue(connection, claim, FILL.format(mark="%s"), others)
        queue.leasing = LEASING.format(mark="%s", skip=" FOR UPDATE SKIP LOCKED")
        yield queue


@contextmanager
def on_sqlite(path: Path) -> Iterator[BareQueue]:
    """
    A queue in a file, written as the daemon writes its own.
    """
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(TABLE.format(serial="INTEGER PRIMARY KEY"))
    connection.execute(INDEX)
    connection.commit()
    yield BareQueue(connection, CLAIM.format(mark="?", skip=""), FILL.format(mark="?"))
    connection.close()
