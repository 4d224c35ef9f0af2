"""
The work in the database: rules run in the writer thread, each in one transaction with its audit row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from twisted.internet.defer import Deferred
from twisted.logger import Logger

from reticle.model.audit import AuditDraft
from reticle.model.ids import AuditId, RunId, WorkSessionId
from reticle.model.work_limits import SWEEP_RUNS
from reticle.storage.audit import StoredAudit
from reticle.storage.database import Database
from reticle.storage.dialect import tell
from reticle.storage.driver import Driver
from reticle.storage.tokens import StoredTokens
from reticle.storage.work.between import Told, subjects_of, told_in
from reticle.storage.work.news import LocalNews

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook, WorkReading
    from reticle.storage.work.ahead import OpeningsAhead

T = TypeVar("T")

_LAPSED: Final = (
    "SELECT run_id FROM work_lease WHERE state = 'active' AND until_us <= ?"
    " GROUP BY run_id ORDER BY min(until_us) LIMIT ?"
)
_GRACE: Final = "UPDATE work_lease SET until_us = ? WHERE state = 'active' AND until_us < ?"


class StoredWork:
    """
    Provides ``ports.WorkStore``.

    Args:
        database: Where it is.
        audit: Makes the rows of changes.
        tokens: Sees what a change made of tokens.
        news: Wakes those who wait.
    """

    _log = Logger()

    def __init__(self, database: Database, audit: StoredAudit, tokens: StoredTokens, news: LocalNews) -> None:
        self._database = database
        self._audit = audit
        self._tokens = tokens
        self.news = news
        self._ahead: OpeningsAhead | None = None

    def lapsed_runs(self, now_us: int) -> Deferred[Sequence[RunId]]:
        """
        See ``WorkStore``. In text: a daemon without work looks too.
        """
        return self._database.run_on_driver(
            lambda driver: [RunId(row[0]) for row in driver.execute(_LAPSED, (now_us, SWEEP_RUNS)).fetchall()]
        )

    def grant_grace(self, until_us: int) -> Deferred[int]:
        """
        See ``WorkStore``.
        """
        return self._database.run_on_driver(
            lambda driver: driver.execute(_GRACE, (until_us, until_us)).rowcount
        )

    def read(self, rule: Callable[[WorkReading], T]) -> Deferred[T]:
        """
        See ``WorkStore``.
        """

        def work(driver: Driver) -> T:
            from reticle.storage.work.reading import Reading  # noqa: PLC0415 - a start asks for none of it

            return rule(Reading(driver))

        return self._database.run_on_driver(work)

    def note(self, rule: Callable[[WorkBook], T]) -> Deferred[T]:
        """
        See ``WorkStore``.
        """

        def work(driver: Driver) -> T:
            from reticle.storage.work.book import Book  # noqa: PLC0415 - as above

            return rule(Book(driver))

        return self._database.run_on_driver(work)

    def change(
        self,
        rule: Callable[[WorkBook], T],
        draft: AuditDraft,
        see: Callable[[T], object],
        opens: tuple[WorkSessionId, int] | None = None,
    ) -> Deferred[AuditId]:
        """
        See ``WorkStore``.
        """
        # The last run counts: a transaction may be run again.
        kept: list[tuple[T, list[Told]]] = []
        ahead = None if opens is None else (self._openings(), opens)

        def work(driver: Driver) -> bool:
            from reticle.storage.work.book import Book  # noqa: PLC0415 - as above

            book = Book(driver, None if ahead is None else ahead[0])
            kept.append((rule(book), book.told))
            for subject in subjects_of(book.told):
                tell(driver, subject)
            return book.changed_tokens

        def committed() -> None:
            value, told = kept[-1]
            see(value)
            for each in told:
                self.news.publish(each.run_id, each.role, each.count)

        return self._tokens.commit_beside(self._audit.unchained(draft), work, committed, ahead)

    def _openings(self) -> OpeningsAhead:
        if self._ahead is None:
            from reticle.storage.work.ahead import OpeningsAhead  # noqa: PLC0415 - as above

            self._ahead = OpeningsAhead()
        return self._ahead

    def heard(self, subject: str) -> None:
        """
        Another daemon on this database told that of the work.
        """
        told = told_in(subject)
        if told is not None:
            self.news.publish(told.run_id, told.role, told.count)

    def change_later(self, rule: Callable[[WorkBook], object], draft: AuditDraft) -> None:
        """
        See ``WorkStore``.
        """
        changed = self.change(rule, draft, lambda _: None)
        changed.addErrback(lambda lost: self._log.warn("left for the sweep: {fault}", fault=lost.value))
