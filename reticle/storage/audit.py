"""
The audit log in the database; provides ``ports.AuditLog``.

One commit at a time: rows that arrive while it runs form the next batch, and each answer leaves when its
batch is committed (DESIGN §5). So a busy daemon pays for one commit per batch, an idle one waits for none.
"""

from __future__ import annotations

import functools
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from typing import cast

import attrs
from twisted.internet.defer import Deferred, fail, succeed
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.errors import Refusal
from reticle.model.codes import Carrier, RefusalCode
from reticle.model.ids import AuditId, VerdictId
from reticle.model.limits import AUDIT_BATCH_ROWS, AUDIT_PENDING_ROWS, AUDIT_ROWS_KEPT
from reticle.storage.database import Database

Row = tuple[str, float, str, str, str, str, str, float, str | None]
"""The values of one row in the order of ``_COLUMNS``."""

_COLUMNS = (
    "audit_id",
    "at",
    "principal",
    "carrier",
    "tool",
    "decision",
    "arguments_sha256",
    "duration_ms",
    "verdict_id",
)
_PRUNE_EVERY_ROWS = 1_000
"""So that pruning costs nothing per row and the table is at most this much over its limit."""


def new_audit_id() -> AuditId:
    """
    A fresh id; 80 random bits, so that nobody guesses another's.
    """
    return AuditId(f"audit_{secrets.token_hex(10)}")


class StoredAudit:
    """
    The newest ``kept`` audit rows of one database.

    Args:
        database: Where they are committed.
        now: Seconds since the epoch.
        mint: Makes an id.
        kept: How many rows stay, give or take ``_PRUNE_EVERY_ROWS``.
    """

    _log = Logger()

    def __init__(
        self,
        database: Database,
        now: Callable[[], float],
        mint: Callable[[], AuditId] = new_audit_id,
        kept: int = AUDIT_ROWS_KEPT,
    ) -> None:
        self._database = database
        self._now = now
        self._mint = mint
        self._kept = kept
        self._waiting: list[tuple[Row, Deferred[AuditId]]] = []
        self._committing = False
        self._drain_waiters: list[Deferred[None]] = []
        # Prune with the first batch: an earlier life may have ended before it did.
        self._unpruned = _PRUNE_EVERY_ROWS

    def record(
        self,
        *,
        principal: str,
        carrier: Carrier,
        tool: str,
        decision: str,
        arguments_sha256: str,
        duration_ms: float,
        verdict_id: VerdictId | None = None,
    ) -> Deferred[AuditId]:
        """
        Ready with the row's id when it is committed. See ``ports.AuditLog.record``.
        """
        if len(self._waiting) >= AUDIT_PENDING_ROWS:
            return fail(
                Refusal(
                    RefusalCode.STORAGE_FAILED,
                    f"{AUDIT_PENDING_ROWS} audit rows wait for the disk already",
                    f"Check the disk of {self._database.path.parent}, then retry.",
                )
            )
        row: Row = (
            self._mint(), self._now(), principal, carrier.value, tool, decision,
            arguments_sha256, duration_ms, verdict_id,
        )  # fmt: skip
        committed: Deferred[AuditId] = Deferred()
        self._waiting.append((row, committed))
        if not self._committing:
            self._commit_next()
        return committed

    def drained(self) -> Deferred[None]:
        """
        Ready when no row waits for its commit, whatever came of it.
        """
        if not self._committing:
            return succeed(None)
        waiter: Deferred[None] = Deferred()
        self._drain_waiters.append(waiter)
        return waiter

    def _commit_next(self) -> None:
        batch, self._waiting = self._waiting[:AUDIT_BATCH_ROWS], self._waiting[AUDIT_BATCH_ROWS:]
        self._committing = True
        self._unpruned += len(batch)
        prune = self._unpruned >= _PRUNE_EVERY_ROWS
        if prune:
            self._unpruned = 0
        rows = [row for row, _ in batch]
        kept = self._kept if prune else None
        done = self._database.run_on_driver(lambda driver: _insert(driver, rows, kept))
        done.addBoth(self._committed, batch).addErrback(self._fault)

    def _committed(self, outcome: object, batch: Sequence[tuple[Row, Deferred[AuditId]]]) -> None:
        """
        The next batch starts before the answers leave, so that the disk works while they are written.
        """
        self._committing = False
        if self._waiting:
            self._commit_next()
        for row, committed in batch:
            if isinstance(outcome, Failure):
                committed.errback(outcome)
            else:
                committed.callback(AuditId(row[0]))
        if not self._committing:
            waiters, self._drain_waiters = self._drain_waiters, []
            for waiter in waiters:
                waiter.callback(None)

    def _fault(self, failure: Failure) -> None:
        self._log.failure("an audit batch was not handed back", failure)


def _insert(driver: sqlite3.Connection, rows: Sequence[Row], kept: int | None) -> None:
    """
    In the writer thread, inside a transaction.
    """
    statements = _statements()
    driver.executemany(statements.insert, rows)
    if kept is not None:
        driver.execute(statements.prune, (kept,))


@attrs.frozen
class _Statements:
    """
    Text for the driver: 7 µs a row against 31 through SQLAlchemy (DESIGN §10).
    """

    insert: str
    prune: str


@functools.cache
def _statements() -> _Statements:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)
    from sqlalchemy.dialects.sqlite import dialect  # noqa: PLC0415 - as above

    from reticle.storage.tables import audit  # noqa: PLC0415 - as above

    insert = sa.insert(audit).compile(dialect=dialect(), column_keys=_COLUMNS)
    assert tuple(cast("list[str]", insert.positiontup)) == _COLUMNS
    newest = sa.select(sa.func.max(audit.c.seq)).scalar_subquery()
    prune = sa.delete(audit).where(audit.c.seq <= newest - sa.bindparam("kept"))
    return _Statements(str(insert), str(prune.compile(dialect=dialect())))
