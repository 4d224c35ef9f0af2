"""
The journal in the database; provides ``ports.Journal``.

Chunks are taken without waiting and written in small transactions by the writer thread, which also encodes
and compresses them. What comes faster than the rate, or while the disk does not follow, is left out and
counted; what was left out is seen in the numbers of the chunks around it, so that nothing else has to be
written about it while the disk is full.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import attrs
from twisted.internet.defer import Deferred, succeed
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.model.ids import PageId
from reticle.model.journal import JournalChunk, JournalFigures, JournalPart
from reticle.model.journal_limits import (
    JOURNAL_BURST_BYTES,
    JOURNAL_BYTES_PER_SECOND,
    JOURNAL_COMMIT_BYTES,
    JOURNAL_HOURS,
    JOURNAL_MIB,
    JOURNAL_PRUNE_SECONDS,
    JOURNAL_RETRY_SECONDS,
)
from reticle.storage import journal_rows as rows
from reticle.storage.database import Database
from reticle.storage.driver import Driver


@attrs.frozen
class _Waiting:
    page_id: PageId
    events: int
    size_bytes: int
    make: Callable[[], JournalChunk]


class StoredJournal:
    """
    The journal of one database.

    Args:
        database: Where chunks are committed.
        now: Seconds since the epoch.
        mib: What all chunks may take, compressed.
        hours: How long one is kept.
        bytes_per_second: What may be taken in the long run.
        burst_bytes: What may be taken at once, and what may wait.
    """

    _log = Logger()

    def __init__(
        self,
        database: Database,
        now: Callable[[], float],
        *,
        mib: int = JOURNAL_MIB,
        hours: int = JOURNAL_HOURS,
        bytes_per_second: int = JOURNAL_BYTES_PER_SECOND,
        burst_bytes: int = JOURNAL_BURST_BYTES,
    ) -> None:
        self._database = database
        self._now = now
        self._most_bytes = mib * 1024 * 1024
        self._hours = hours
        self._rate = bytes_per_second
        self._burst = burst_bytes
        self._allowed = float(burst_bytes)
        self._allowed_at = now()
        self._waiting: deque[_Waiting] = deque()
        self._waiting_bytes = 0
        self._committing = False
        self._pages: set[PageId] = set()
        self._known = False
        self._retry_at = float("-inf")
        self._pruned_at = float("-inf")
        self._fault: str | None = None
        self._kept = self._kept_events = self._kept_bytes = 0
        self._lost = self._lost_events = 0
        self._drain_waiters: list[Deferred[None]] = []

    async def open(self) -> None:
        """
        Learn which pages are in it, behind what is too old. Raises ``Refusal`` ``storage_failed``.
        """
        self._pages |= await self._database.run_on_driver(self._pruned_and_known)
        self._pruned_at = self._now()
        self._known = True

    # --- ports.Journal -----------------------------------------------------------------------

    def admits(self, events: int, size_bytes: int) -> bool:
        """
        See ``ports.Journal``.
        """
        if self._has_room(size_bytes):
            return True
        self._lost += 1
        self._lost_events += events
        return False

    def keep(self, page_id: PageId, events: int, size_bytes: int, make: Callable[[], JournalChunk]) -> None:
        """
        See ``ports.Journal``.
        """
        self._waiting.append(_Waiting(page_id, events, size_bytes, make))
        self._waiting_bytes += size_bytes
        self._pages.add(page_id)
        if not self._committing:
            self._commit_next()

    def may_hold(self, page_id: PageId) -> bool:
        """
        See ``ports.Journal``.
        """
        return not self._known or page_id in self._pages

    def holds(self, page_id: PageId) -> bool:
        """
        See ``ports.Journal``.
        """
        return page_id in self._pages

    def recall(self, page_id: PageId) -> Deferred[Sequence[JournalChunk]]:
        """
        See ``ports.Journal``. Chunks that wait are written first.
        """
        return self.drained().addCallback(
            lambda _none: self._database.run_on_driver(lambda driver: rows.recall(driver, page_id))
        )

    def read(self, page_id: PageId, since: int, after: int = 0) -> Deferred[JournalPart]:
        """
        See ``ports.Journal``. Chunks that wait are written first.
        """
        return self.drained().addCallback(
            lambda _none: self._database.run_on_driver(
                lambda driver: rows.read(driver, page_id, since, after)
            )
        )

    def figures(self) -> JournalFigures:
        """
        See ``ports.Journal``.
        """
        return JournalFigures(
            chunks=self._kept,
            events=self._kept_events,
            bytes=self._kept_bytes,
            lost_chunks=self._lost,
            lost_events=self._lost_events,
            fault=self._fault,
        )

    def drained(self) -> Deferred[None]:
        """
        Ready when no chunk waits for its commit, whatever came of it.
        """
        if not self._committing:
            return succeed(None)
        waiter: Deferred[None] = Deferred()
        self._drain_waiters.append(waiter)
        return waiter

    # --- inside ------------------------------------------------------------------------------

    def _has_room(self, size_bytes: int) -> bool:
        now = self._now()
        if now < self._retry_at <= now + JOURNAL_RETRY_SECONDS:
            return False
        earned = max(now - self._allowed_at, 0.0) * self._rate
        self._allowed, self._allowed_at = min(self._allowed + earned, float(self._burst)), now
        if size_bytes > self._allowed or self._waiting_bytes + size_bytes > self._burst:
            return False
        self._allowed -= size_bytes
        return True

    def _commit_next(self) -> None:
        self._committing = True
        batch = [self._waiting.popleft()]
        size = batch[0].size_bytes
        while self._waiting and size + self._waiting[0].size_bytes <= JOURNAL_COMMIT_BYTES:
            batch.append(self._waiting.popleft())
            size += batch[-1].size_bytes
        prune = self._now() - self._pruned_at >= JOURNAL_PRUNE_SECONDS
        oldest_at = self._now() - self._hours * 3600 if prune else None
        if prune:
            self._pruned_at = self._now()
        done = self._database.run_on_driver(
            lambda driver: _write(driver, [each.make for each in batch], oldest_at, self._most_bytes)
        )
        done.addBoth(self._committed, batch, size).addErrback(self._misled)

    def _committed(self, outcome: object, batch: Sequence[_Waiting], size: int) -> None:
        self._waiting_bytes -= size
        events = sum(each.events for each in batch)
        if isinstance(outcome, int):
            if self._fault is not None:
                self._log.info("the journal is written again")
            self._fault = None
            self._kept += len(batch)
            self._kept_events += events
            self._kept_bytes += outcome
        else:
            self._failed(outcome)
            batch = [*batch, *self._waiting]
            events = sum(each.events for each in batch)
            self._waiting.clear()
            self._waiting_bytes = 0
            self._lost += len(batch)
            self._lost_events += events
        self._committing = False
        if self._waiting:
            self._commit_next()
        else:
            waiters, self._drain_waiters = self._drain_waiters, []
            for waiter in waiters:
                waiter.callback(None)

    def _failed(self, outcome: object) -> None:
        told = outcome.getErrorMessage() if isinstance(outcome, Failure) else "unknown"
        self._retry_at = self._now() + JOURNAL_RETRY_SECONDS
        if self._fault is None:
            self._log.warn("the journal cannot be written: {fault}", fault=told)
        self._fault = told

    def _misled(self, failure: Failure) -> None:
        self._log.failure("a batch of the journal was not handed back", failure)

    def _pruned_and_known(self, driver: Driver) -> set[PageId]:
        rows.prune(driver, self._now() - self._hours * 3600, self._most_bytes)
        return rows.pages(driver)


def _write(
    driver: Driver,
    make: Sequence[Callable[[], JournalChunk]],
    oldest_at: float | None,
    most_bytes: int,
) -> int:
    """
    In the writer thread, inside a transaction; gives the bytes that the chunks take.
    """
    written = rows.insert(driver, [each() for each in make])
    if oldest_at is not None:
        rows.prune(driver, oldest_at, most_bytes)
    return written
