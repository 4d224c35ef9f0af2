"""
The store of one daemon: the lock on its state directory, the databases, and what is kept in them.

With a PostgreSQL there are two. What daemons share (tokens, repositories, verdicts, the audit log, work) and
what is committed with a row of that log is there; what is of use to one daemon alone (the journal of its
pages, its MCP sessions, its earlier lives) stays in the file of its state directory.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from twisted.application.service import Service
from twisted.internet.defer import Deferred, succeed
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
from reticle.storage.daemon_id import daemon_id
from reticle.storage.database import Database
from reticle.storage.driver import Driver
from reticle.storage.feedback import StoredFeedback
from reticle.storage.folders import RealFolders
from reticle.storage.history import DaemonStart, History
from reticle.storage.journal import StoredJournal
from reticle.storage.leases import StoredPageHolds
from reticle.storage.lock import DirectoryLock, LockHolder
from reticle.storage.mcp_sessions import StoredMcpSessions
from reticle.storage.pictures import StoredPictures
from reticle.storage.postgres.address import PostgresAddress
from reticle.storage.postgres.connection import PostgresPlace
from reticle.storage.postgres.listening import PostgresListening
from reticle.storage.repositories import StoredRepositories
from reticle.storage.tokens import GRANTS, StoredTokens
from reticle.storage.verdicts import StoredVerdicts
from reticle.storage.work.news import LocalNews, sleeping
from reticle.storage.work.store import StoredWork
from reticle.storage.worktrees.manifests import StoredManifests
from reticle.storage.worktrees.worktrees import RealWorktrees

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
        postgres: The database to share; None: everything is in the state directory.
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
        postgres: PostgresAddress | None = None,
        journal: tuple[int, int] | None = None,
    ) -> None:
        self.state_dir = state_dir
        self.earlier_lives: EarlierLives | None = None
        self._now = now
        self._lock = DirectoryLock(state_dir)
        self._holder = LockHolder(os.getpid(), port, 0.0)
        own = Database(
            state_dir / DATABASE_FILE, reactor.callFromThread, full_sync=full_sync, on_open=self._opened_again
        )
        self.daemon_id = ""
        self._databases = [own]
        self._listening: PostgresListening | None = None
        shared = own
        if postgres is not None:
            self.daemon_id = daemon_id(state_dir)
            # Of this life: what an earlier one said may still come.
            origin = secrets.token_hex(8)
            place = PostgresPlace(postgres, origin)
            shared = Database(place, reactor.callFromThread, full_sync=full_sync, on_open=self._opened_again)
            self._databases.insert(0, shared)
            self._listening = PostgresListening(
                postgres, origin, reactor.callFromThread, heard=self._heard, look=self._look_at_all
            )
        self._waiters: list[Deferred[None]] = []
        self._open_outcome: list[object] = []
        self._life_begun = self._holds_begun = False
        self.audit = StoredAudit(shared, now, soon=soon)
        self.verdicts = StoredVerdicts(shared, self.audit)
        self.journal = None if journal is None else StoredJournal(own, now, mib=journal[0], hours=journal[1])
        self.history = History(own)
        self.feedback = StoredFeedback(state_dir, own, now)
        self.pictures = StoredPictures(state_dir, reactor)
        self.baselines = StoredBaselines(state_dir, reactor)
        self.app_contracts = StoredContracts(reactor)
        self.mcp_sessions = StoredMcpSessions(state_dir, own, now)
        self.folders = RealFolders(reactor)
        self.worktrees = RealWorktrees(reactor, StoredManifests(shared, now), lambda: round(now() * 1e9))
        self.tokens = StoredTokens(shared, self.audit)
        self.repositories = StoredRepositories(shared, self.audit, self.tokens)
        self.work = StoredWork(shared, self.audit, self.tokens, LocalNews(sleeping(reactor)))
        self.holds = StoredPageHolds(shared, self.audit, self.tokens, self.daemon_id)

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
        for database in self._databases:
            database.startService()
        if self._listening is not None:
            self._listening.startService()
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
        return next((each.fault for each in self._databases if each.fault is not None), None)

    def look_again(self) -> None:
        """
        Try to write into a database that failed, so that it is well again without anybody's call. Only to
        open it would call a full disk well.
        """
        for database in self._databases:
            if database.fault is not None:
                written = database.run_on_driver(_write_and_take_back)
                written.addErrback(lambda lost: self._log.debug("still: {fault}", fault=lost.value))

    def leads(self, what: str) -> Deferred[bool]:
        """
        Whether this daemon is the one that does ``what`` now. Of several on one database one does; without a
        connection to it none; on a database of one's own always.
        """
        return succeed(True) if self._listening is None else self._listening.leads(what)

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
        return Deferred.fromCoroutine(self._stop())

    async def _stop(self) -> None:
        if self._listening is not None:
            await self._listening.stopService()
        try:
            await self.audit.drained()
            if self.journal is not None:
                await self.journal.drained()
            for database in self._databases:
                await database.stopService()
        finally:
            self._lock.release()

    async def _open(self) -> None:
        """
        Begin this life where that is not done yet, and read what there is.
        """
        if not self._life_begun:
            # The first job, before any page of this life is counted.
            life = DaemonStart(self._holder.started_at, __version__, self._holder.pid)
            self.earlier_lives = await self.history.begin_life(life)
            await self.mcp_sessions.open()
            self._life_begun = True
        if not self._holds_begun:
            await self.holds.open()
            self._holds_begun = True
        await self.audit.open()
        await self._read_grants()
        if self.journal is None:
            await self._databases[-1].run_on_driver(journal_rows.forget)
        else:
            await self.journal.open()

    async def _read_grants(self) -> None:
        await self.tokens.open()
        await self.repositories.open()

    def _opened_again(self) -> None:
        """
        After the first time: a database was away, or is another one now.
        """
        if self._open_outcome:
            reading = Deferred.fromCoroutine(self._open())
            reading.addErrback(lambda lost: self._log.warn("the store: {fault}", fault=lost.value))

    def _heard(self, subject: str) -> None:
        """
        Another daemon on our database has changed something.
        """
        if subject == GRANTS:
            reading = Deferred.fromCoroutine(self._read_grants())
            reading.addErrback(lambda lost: self._log.warn("grants: {fault}", fault=lost.value))
        else:
            self.work.heard(subject)

    def _look_at_all(self) -> None:
        """
        Something may have been changed that we have not heard of.
        """
        if self._open_outcome:
            self._heard(GRANTS)
            self.work.news.publish_all()

    def _opened(self, outcome: object) -> None:
        self._open_outcome.append(outcome)
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.callback(outcome)  # type: ignore[arg-type]  # None or a Failure
        if isinstance(outcome, Failure) and not waiters:
            self._log.warn("the store did not open: {fault}", fault=outcome.getErrorMessage())

    def _fault(self, failure: Failure) -> None:
        self._log.failure("opening the store was not handed back", failure)


def _write_and_take_back(driver: Driver) -> None:
    """
    Two changes that leave everything as it was and are written all the same.
    """
    driver.execute("UPDATE audit_head SET seq = seq + 1")
    driver.execute("UPDATE audit_head SET seq = seq - 1")
