"""
The store of one daemon: the lock on its state directory, the database, and what is kept in it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from twisted.application.service import Service
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorFromThreads
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle._version import __version__
from reticle.errors import Refusal
from reticle.model.page import EarlierLives
from reticle.storage import journal_rows
from reticle.storage.audit import Soon, StoredAudit, at_once
from reticle.storage.baselines import StoredBaselines
from reticle.storage.contracts import StoredContracts
from reticle.storage.database import Database
from reticle.storage.feedback import StoredFeedback
from reticle.storage.folders import RealFolders
from reticle.storage.history import DaemonStart, History
from reticle.storage.journal import StoredJournal
from reticle.storage.leases import StoredPageHolds
from reticle.storage.lock import DirectoryLock, LockHolder
from reticle.storage.mcp_sessions import StoredMcpSessions
from reticle.storage.pictures import StoredPictures
from reticle.storage.repositories import StoredRepositories
from reticle.storage.tokens import StoredTokens
from reticle.storage.verdicts import StoredVerdicts

DATABASE_FILE = "reticle.sqlite3"


class Store(Service):
    """
    A service: started it takes the directory and opens everything, stopped it waits until all is written.

    ``verdicts``, ``audit``, ``history``, ``feedback``, ``mcp_sessions``, ``tokens``, ``repositories``,
    ``holds`` and ``journal`` may be handed out before it is open: what is asked of them is done in order once
    it is. So may ``pictures``, ``baselines`` and ``app_contracts``, which need no database.
    ``earlier_lives`` is known when ``whenOpen`` is ready.

    Args:
        state_dir: A directory made by ``prepare_directories``.
        reactor: Where answers are delivered.
        now: Seconds since the epoch.
        port: For the lock's text; 0 while it is not known.
        full_sync: Whether a commit waits for the disk itself (the setting ``audit_durability``).
        soon: When a batch of audit rows begins, see ``audit``.
        journal: Mebibytes and hours that the journal of pages may take; None: there is none, and what an
            earlier life kept goes.
    """

    _log = Logger()

    def __init__(
        self,
        state_dir: Path,
        reactor: IReactorFromThreads,
        now: Callable[[], float],
        port: int = 0,
        *,
        full_sync: bool = False,
        soon: Soon = at_once,
        journal: tuple[int, int] | None = None,
    ) -> None:
        self.state_dir = state_dir
        self.earlier_lives: EarlierLives | None = None
        self._now = now
        self._lock = DirectoryLock(state_dir)
        self._holder = LockHolder(os.getpid(), port, 0.0)
        self._database = Database(
            state_dir / DATABASE_FILE, reactor.callFromThread, full_sync=full_sync, on_open=self._opened_again
        )
        self._waiters: list[Deferred[None]] = []
        self._open_outcome: list[object] = []
        self._life_begun = False
        self.audit = StoredAudit(self._database, now, soon=soon)
        self.verdicts = StoredVerdicts(self._database, self.audit)
        self.journal = (
            None if journal is None else StoredJournal(self._database, now, mib=journal[0], hours=journal[1])
        )
        self.history = History(self._database)
        self.feedback = StoredFeedback(state_dir, self._database, now)
        self.pictures = StoredPictures(state_dir, reactor)
        self.baselines = StoredBaselines(state_dir, reactor)
        self.app_contracts = StoredContracts(reactor)
        self.mcp_sessions = StoredMcpSessions(state_dir, self._database, now)
        self.folders = RealFolders(reactor)
        self.tokens = StoredTokens(self._database, self.audit)
        self.repositories = StoredRepositories(self._database, self.audit, self.tokens)
        self.holds = StoredPageHolds(self._database, self.audit, self.tokens)

    def startService(self) -> None:
        """
        Take the directory and begin to open the database; ``whenOpen`` tells how that went.

        Raises:
            ConfigurationFault: Another daemon has the directory.
        """
        # A forking front such as twistd has another process id now.
        self._holder = LockHolder(os.getpid(), self._holder.port, self._now())
        self._lock.acquire(self._holder)
        super().startService()  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
        self._database.startService()
        opening = Deferred.fromCoroutine(self._open())
        opening.addBoth(self._opened).addErrback(self._fault)

    def whenOpen(self) -> Deferred[None]:
        """
        Ready when the database is open and migrated; may be called at any time, any number of times.

        Fails with ``ConfigurationFault`` (a newer or a foreign database) or ``Refusal``
        ``storage_failed``; later calls of the stores try to open it again.
        """
        waiter: Deferred[None] = Deferred()
        if self._open_outcome:
            waiter.callback(self._open_outcome[0])  # type: ignore[arg-type]  # None or a Failure
        else:
            self._waiters.append(waiter)
        return waiter

    def remember_page(self, project_id: str | None) -> None:
        """
        Count a page for the next life. What cannot be written is only logged: it is for messages.
        """
        counted = self.history.page_connected(project_id, self._now())
        counted.addErrback(lambda lost: self._log.warn("a page was not counted: {fault}", fault=lost.value))

    @property
    def fault(self) -> Refusal | None:
        """
        Why nothing can be kept at present, or None.
        """
        return self._database.fault

    def look_again(self) -> None:
        """
        Try to write into a database that failed, so that it is well again without anybody's call. Only to
        open it would call a full disk well.
        """
        if self._database.fault is not None:
            written = self._database.run_on_driver(_write_and_take_back)
            written.addErrback(lambda lost: self._log.debug("still: {fault}", fault=lost.value))

    def note_port(self, port: int) -> None:
        """
        Tell whoever wants the same directory which port we took.
        """
        self._holder = LockHolder(self._holder.pid, port, self._holder.started_at)
        self._lock.rewrite(self._holder)

    def stopService(self) -> Deferred[None]:
        """
        Ready when the work that waited is committed, the database closed and the directory given up.
        """
        super().stopService()  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
        return self.audit.drained().addBoth(self._journalled).addBoth(self._close).addBoth(self._release)

    async def _open(self) -> None:
        # The first job, before any page of this life is counted.
        life = DaemonStart(self._holder.started_at, __version__, self._holder.pid)
        self.earlier_lives = await self.history.begin_life(life)
        await self.mcp_sessions.open()
        await self.holds.open()
        self._life_begun = True
        await self._read()

    async def _read(self) -> None:
        await self.audit.open()
        await self.tokens.open()
        await self.repositories.open()
        if self.journal is None:
            await self._database.run_on_driver(journal_rows.forget)
        else:
            await self.journal.open()

    def _opened_again(self) -> None:
        """
        After the first time: the database was away, or is another one now.
        """
        if self._open_outcome:
            reading = Deferred.fromCoroutine(self._read() if self._life_begun else self._open())
            reading.addErrback(lambda lost: self._log.warn("the store: {fault}", fault=lost.value))

    def _opened(self, outcome: object) -> None:
        self._open_outcome.append(outcome)
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.callback(outcome)  # type: ignore[arg-type]  # None or a Failure
        if isinstance(outcome, Failure) and not waiters:
            self._log.warn("the store did not open: {fault}", fault=outcome.getErrorMessage())

    def _journalled(self, outcome: object) -> object:
        return outcome if self.journal is None else self.journal.drained()

    def _close(self, outcome: object) -> Deferred[None]:
        del outcome
        return self._database.stopService()

    def _release(self, outcome: object) -> object:
        self._lock.release()
        return outcome

    def _fault(self, failure: Failure) -> None:
        self._log.failure("opening the store was not handed back", failure)


def _write_and_take_back(driver: sqlite3.Connection) -> None:
    """
    Two changes that leave everything as it was and are written all the same.
    """
    driver.execute("UPDATE audit_head SET seq = seq + 1")
    driver.execute("UPDATE audit_head SET seq = seq - 1")
