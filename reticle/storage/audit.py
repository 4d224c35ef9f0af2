"""
The audit log in the database; provides ``ports.AuditLog``.

One commit at a time: rows that arrive while it runs form the next batch, and each answer leaves when its
batch is committed (DESIGN §5). So a busy daemon pays for one commit per batch, an idle one waits for none.

The first row of a batch wakes the writer thread only when the reactor has done what it has to do in this turn
(``soon``). A thread that is woken earlier finds the interpreter taken, and the two wake each other at each
system call from then on: a fifth of the processor time of a call, at any load.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from twisted.internet.defer import Deferred, fail, succeed
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.errors import Refusal
from reticle.model.audit import AuditCheck, AuditDraft, AuditHead
from reticle.model.codes import RefusalCode
from reticle.model.ids import AuditId
from reticle.model.limits import AUDIT_BATCH_ROWS, AUDIT_PENDING_ROWS, AUDIT_ROWS_KEPT, AUDIT_SLICE_ROWS
from reticle.storage.audit_chain import COLUMNS, Head, Unchained, append, head_of, prune
from reticle.storage.audit_check import begin_check, rows_of
from reticle.storage.database import Database
from reticle.storage.driver import Driver
from reticle.storage.surrogates import storable

_PRUNE_EVERY_ROWS = 1_000
"""So that pruning costs nothing per row; rows go by whole segments anyhow."""


_ID_BYTES: Final = 10
_IDS_AT_ONCE: Final = 100
_RANDOM: Final[list[bytes]] = []

Soon = Callable[[Callable[[], None]], object]
"""Does something in the reactor's thread before it waits for anything: ``partial(reactor.callLater, 0)``."""


def at_once(act: Callable[[], None]) -> None:
    """
    A ``Soon`` where nothing waits.
    """
    act()


def new_audit_id() -> AuditId:
    """
    A fresh id; 80 random bits, so that nobody guesses another's.

    The bits are fetched for many ids at once: a call of the system lets other threads in.
    """
    if not _RANDOM:
        bits = secrets.token_bytes(_ID_BYTES * _IDS_AT_ONCE)
        _RANDOM.extend(bits[at : at + _ID_BYTES] for at in range(0, len(bits), _ID_BYTES))
    return AuditId(f"audit_{_RANDOM.pop().hex()}")


class StoredAudit:
    """
    The newest ``kept`` audit rows of one database. Its ``head`` is known once ``open`` is through.

    Args:
        database: Where they are committed.
        now: Seconds since the epoch.
        mint: Makes an id.
        kept: How many rows stay at least; older ones go by whole segments.
        soon: When a batch begins.
    """

    _log = Logger()

    def __init__(
        self,
        database: Database,
        now: Callable[[], float],
        mint: Callable[[], AuditId] = new_audit_id,
        kept: int = AUDIT_ROWS_KEPT,
        soon: Soon = at_once,
    ) -> None:
        self._database = database
        self._now = now
        self._mint = mint
        self._kept = kept
        self._waiting: list[tuple[Unchained, Deferred[AuditId]]] = []
        self._soon = soon
        self._committing = False
        self._head: Head | None = None
        self._drain_waiters: list[Deferred[None]] = []
        # Prune with the first batch: an earlier life may have ended before it did.
        self._unpruned = _PRUNE_EVERY_ROWS

    def record(self, draft: AuditDraft) -> Deferred[AuditId]:
        """
        Ready with the row's id when it is committed. See ``ports.AuditLog.record``.
        """
        if len(self._waiting) >= AUDIT_PENDING_ROWS:
            return fail(
                Refusal(
                    RefusalCode.STORAGE_FAILED,
                    f"{AUDIT_PENDING_ROWS} audit rows wait for the disk already",
                    self._database.place.look,
                )
            )
        row = self.unchained(draft)
        committed: Deferred[AuditId] = Deferred()
        self._waiting.append((row, committed))
        if not self._committing:
            self._committing = True
            self._soon(self._commit_next)
        return committed

    def unchained(self, draft: AuditDraft) -> Unchained:
        """
        A row for now with a fresh id, for a change that commits it with itself (``audit_chain.append``).
        Texts of the caller's are made storable: one that is not would fail the batch of others.
        """
        place = draft.repository_id and storable(draft.repository_id)
        return (
            self._mint(), round(self._now() * 1e6), draft.principal, str(draft.transport),
            str(draft.carrier), storable(draft.tool), place, draft.decision, draft.reason,
            draft.arguments_sha256, round(draft.duration_ms * 1000), draft.verdict_id,
        )  # fmt: skip

    async def open(self) -> None:
        """
        Read where the chain ends. Raises ``Refusal`` ``storage_failed``.
        """
        self.appended(await self._database.run_on_driver(head_of))

    @property
    def head(self) -> AuditHead | None:
        """
        See ``ports.AuditLog.head``.
        """
        return None if self._head is None else AuditHead(self._head.seq, self._head.row_hash.hex())

    def appended(self, head: Head) -> None:
        """
        A transaction has been committed, with these rows at the end of the chain.
        """
        self._head = head

    async def check(self, expected: str | None = None) -> AuditCheck:
        """
        See ``ports.AuditLog.check``. In slices: other work of the database goes on meanwhile.
        """
        walk = await self._database.run_on_driver(lambda driver: begin_check(driver, expected, self._kept))
        while not walk.done and walk.fault is None:
            await self._database.run_on_driver(lambda driver: walk.step(driver, AUDIT_SLICE_ROWS))
        return walk.result()

    def read(self, after: int, limit: int) -> Deferred[Sequence[Mapping[str, object]]]:
        """
        See ``ports.AuditLog.read``.
        """
        return self._database.run_on_driver(
            lambda driver: [_shown(row) for row in rows_of(driver, after, limit)]
        )

    def newest(self, limit: int, before: int | None = None) -> Deferred[Sequence[Mapping[str, object]]]:
        """
        See ``ports.AuditLog.newest``.
        """

        def read(driver: Driver) -> Sequence[Mapping[str, object]]:
            last = head_of(driver).seq if before is None else before - 1
            first = max(0, last - limit)
            return [_shown(row) for row in rows_of(driver, first, max(0, last - first))][::-1]

        return self._database.run_on_driver(read)

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
        guess = self._head
        done = self._database.run_on_driver(lambda driver: _insert(driver, rows, kept, guess))
        done.addBoth(self._committed, batch).addErrback(self._fault)

    def _committed(self, outcome: object, batch: Sequence[tuple[Unchained, Deferred[AuditId]]]) -> None:
        """
        The next batch starts before the answers leave, so that the disk works while they are written.
        """
        self._committing = False
        if isinstance(outcome, Head):
            self.appended(outcome)
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


def _insert(driver: Driver, rows: Sequence[Unchained], kept: int | None, guess: Head | None) -> Head:
    """
    In the writer thread, inside a transaction.
    """
    head = append(driver, rows, guess)
    if kept is not None:
        prune(driver, kept, rows[-1][1])
    return head


def _shown(row: Sequence[object]) -> Mapping[str, object]:
    """
    A row as JSON values.
    """
    *values, row_hash = row
    assert isinstance(row_hash, bytes)
    return {**dict(zip(("seq", *COLUMNS), values, strict=True)), "row_hash": row_hash.hex()}
