"""
The work in a database of a test's own, changed at once and without a thread.

The same statements as in the daemon run on it; only what stands round them is a fake.
"""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from twisted.internet.defer import Deferred, fail, succeed

from reticle.domain.work.queue import Moment
from reticle.domain.work.recovery import lapsed_runs
from reticle.model.audit import AuditDraft
from reticle.model.ids import AuditId, RunId, WorkSessionId
from reticle.model.tokens import SealedToken
from reticle.ports.work import WorkBook, WorkReading
from reticle.storage.driver import Driver
from reticle.storage.two_levels import core_above
from reticle.storage.work.book import Book
from reticle.storage.work.news import LocalNews
from reticle.storage.work.reading import Reading
from reticle.storage.work_tables import METADATA
from reticle.testing.clock import FakeClock
from reticle.testing.grants import MemoryTokens
from reticle.testing.stores import MemoryAudit

T = TypeVar("T")


class MemoryWork:
    """
    Provides ``ports.WorkStore``.

    Args:
        audit: Where the rows go.
        tokens: Where sessions' tokens go.
        clock: What listeners wait by.
        path: A file that another one can be made over, as a daemon that starts again does.
    """

    def __init__(
        self,
        audit: MemoryAudit | None = None,
        tokens: MemoryTokens | None = None,
        clock: FakeClock | None = None,
        path: str = ":memory:",
    ) -> None:
        self.audit = MemoryAudit() if audit is None else audit
        self.tokens = tokens
        self.news = LocalNews((FakeClock() if clock is None else clock).sleep)
        self._driver = sqlite3.connect(path, isolation_level=None)
        if not self.rows("SELECT 1 FROM sqlite_master LIMIT 1"):
            _empty().backup(self._driver)

    def lapsed_runs(self, now_us: int) -> Deferred[Sequence[RunId]]:
        """
        At once.
        """
        return self.read(lambda book: lapsed_runs(book, now_us))

    def grant_grace(self, until_us: int) -> Deferred[int]:
        """
        At once.
        """
        grace = "UPDATE work_lease SET until_us = ? WHERE state = 'active' AND until_us < ?"
        return succeed(self._driver.execute(grace, (until_us, until_us)).rowcount)

    def read(self, rule: Callable[[WorkReading], T]) -> Deferred[T]:
        """
        At once.
        """
        try:
            with self._transaction():
                return succeed(rule(Reading(self._driver)))
        except Exception:  # noqa: BLE001 - as the writer thread gives it back
            return fail()

    def note(self, rule: Callable[[WorkBook], T]) -> Deferred[T]:
        """
        At once.
        """
        try:
            return succeed(self.run(rule))
        except Exception:  # noqa: BLE001 - as above
            return fail()

    def change(
        self,
        rule: Callable[[WorkBook], T],
        draft: AuditDraft,
        see: Callable[[T], object],
        opens: tuple[WorkSessionId, int] | None = None,
    ) -> Deferred[AuditId]:
        """
        At once.
        """
        del opens  # nobody waits at the same moment
        try:
            see(self.run(rule))
        except Exception:  # noqa: BLE001 - as above
            return fail()
        return self.audit.record(draft)

    def change_later(self, rule: Callable[[WorkBook], object], draft: AuditDraft) -> None:
        """
        At once.
        """
        self.change(rule, draft, lambda _: None).addErrback(lambda _: None)

    def run(self, rule: Callable[[WorkBook], T]) -> T:
        """
        What a rule gives, committed; raises what it raises, undone.
        """
        with self._transaction():
            book = _Book(self._driver, self.tokens)
            value = rule(book)
        for told in book.told:
            self.news.publish(told.run_id, told.role, told.count)
        return value

    def rows(self, question: str, *given: object) -> Sequence[tuple[Any, ...]]:
        """
        What the database holds, for what no port tells.
        """
        return list(self._driver.execute(question, given))

    def close(self) -> None:
        """
        Let go of the database, as a daemon that dies does.
        """
        self._driver.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._driver.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._driver.execute("ROLLBACK")
            raise
        self._driver.execute("COMMIT")


@cache
def _empty() -> sqlite3.Connection:
    """
    A database without rows, which each other is copied from: to make its tables takes sixty times as long.
    """
    driver = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    core = core_above(driver)
    with core.begin():
        METADATA.create_all(core)
    core.close()
    return driver


class _Book(Book):
    """
    Tells memory's tokens too.
    """

    def __init__(self, driver: Driver, tokens: MemoryTokens | None) -> None:
        super().__init__(driver)
        self._memory = tokens

    def issue(self, sealed: SealedToken) -> None:
        """
        Keep it in both.
        """
        super().issue(sealed)
        if self._memory is not None:
            self._memory.keep(sealed)


_IDS = itertools.count(1)


def a_moment(now: float = 1_000.0, principal: str = "local") -> Moment:
    """
    Now, with ids that are told apart.
    """
    return Moment(round(now * 1_000_000), principal, lambda prefix: f"{prefix}{next(_IDS):032x}")
