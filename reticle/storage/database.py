"""
The database behind one writer thread of its own (DESIGN §10).

Work is handed over with ``run`` and comes back as a Deferred; the reactor never waits for the disk and
its own thread pool is not used. A failure of the machine becomes a ``Refusal`` with a recovery, and the
next call tries again: a disk that has space again needs no restart.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
from twisted.application.service import Service
from twisted.internet.defer import Deferred, fail, succeed
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.errors import LocalMisuse, Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import STORAGE_JOBS
from reticle.storage.connection import SqliteFile
from reticle.storage.driver import Driver
from reticle.storage.place import AGAIN, AsksAhead, ConnectionLost, OpenPlace, Place, Step

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")


CallFromThread = Callable[..., object]
"""``IReactorFromThreads.callFromThread``: queues a call, with its arguments, for the reactor's thread."""


@attrs.frozen
class _Job:
    """
    Something to do with the open database, and who waits for it; ``step`` where that is one transaction,
    which it may share.
    """

    work: Callable[[OpenPlace], Any]
    done: Deferred[Any]
    step: Step | None = None


class Database(Service):
    """
    A service that owns the writer thread and its connection.

    Before ``startService`` and after ``stopService`` every ``run`` is refused.

    Args:
        place: The file, or where else it is.
        call_from_thread: How the writer thread gives back.
        full_sync: As of ``open_database``.
        on_open: Called, in the reactor's thread, whenever the database has been opened: at first, and again
            after it failed or was replaced. What was read of it before may be another's then.
    """

    _log = Logger()

    def __init__(
        self,
        place: Path | Place,
        call_from_thread: CallFromThread,
        *,
        full_sync: bool = False,
        on_open: Callable[[], object] | None = None,
    ) -> None:
        self.place: Place = SqliteFile(place) if isinstance(place, Path) else place
        self._full_sync = full_sync
        self._on_open = on_open
        self._call_from_thread = call_from_thread
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._stop_waiters: list[Deferred[None]] = []
        self._waiting = 0
        self._started = False
        self._fault: Refusal | None = None

    def startService(self) -> None:
        """
        Start the thread; it opens the database at its first job (``open``).
        """
        if self._started:
            raise LocalMisuse("a database service runs once")
        self._started = True
        super().startService()  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
        self._thread = threading.Thread(target=self._serve, name="reticle-storage", daemon=True)
        self._thread.start()

    def stopService(self) -> Deferred[None]:
        """
        Finish the work that waits, close the database, end the thread; ready when all that is done. Once the
        disk has failed, the work that is left is refused like the first.
        """
        if self._thread is None:
            return succeed(None)
        if self.running:
            super().stopService()  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
            self._jobs.put(None)
        stopped: Deferred[None] = Deferred()
        self._stop_waiters.append(stopped)
        return stopped

    @property
    def path(self) -> Path:
        """
        The file. Raises ``LocalMisuse`` for a database that is none.
        """
        if not isinstance(self.place, SqliteFile):
            raise LocalMisuse("this database is no file")
        return self.place.path

    @property
    def fault(self) -> Refusal | None:
        """
        Why the disk failed, or None once something could be written again; what a person asks of a store.
        """
        return self._fault

    def open(self) -> Deferred[None]:
        """
        Ready when the database is open and migrated.

        Fails with ``ConfigurationFault`` or ``Refusal`` ``storage_failed``; may be called again.
        """
        return self._submit(lambda _opened: None)

    def run(self, work: Callable[[Connection], T]) -> Deferred[T]:
        """
        Run ``work`` in the writer thread as one transaction; ready with its value once committed.

        Jobs run one after the other in the order of the calls. Fails with ``Refusal`` ``storage_failed``
        (nothing was written; retry after its recovery), ``not_ready`` or ``shutting_down``.
        """
        step = Step(needs_core=True, work=lambda opened: work(opened.core()))
        return self._submit(lambda opened: opened.transact(work), step)

    def run_on_driver(
        self, work: Callable[[Driver], T], ahead: tuple[AsksAhead, Any] | None = None
    ) -> Deferred[T]:
        """
        As ``run``, for hot statements that were compiled to text (DESIGN §10). What it begins with may be
        asked ``ahead``, for several that share a transaction.
        """
        step = Step(needs_core=False, work=lambda opened: work(opened.driver), ahead=ahead)
        return self._submit(lambda opened: opened.transact_on_driver(work), step)

    def run_beside(self, work: Callable[[], T]) -> Deferred[T]:
        """
        Run ``work`` on a file beside the database, in the writer thread and in the order of the calls.

        Fails as ``run`` does; what ``work`` wrote is not undone.
        """
        return self._submit(lambda _opened: work())

    def _submit(self, work: Callable[[OpenPlace], Any], step: Step | None = None) -> Deferred[Any]:
        if not self.running:
            code = RefusalCode.SHUTTING_DOWN if self._started else RefusalCode.NOT_READY
            return fail(Refusal(code, "the store is not open", "Retry when the daemon is ready."))
        if self._waiting >= STORAGE_JOBS:
            return fail(
                Refusal(
                    RefusalCode.STORAGE_FAILED,
                    f"{STORAGE_JOBS} transactions wait for the disk already",
                    self.place.look,
                )
            )
        self._waiting += 1
        job = _Job(work, Deferred(), step)
        self._jobs.put(job)
        return job.done

    def _finish(self, done: Deferred[Any], outcome: object, wrote: bool) -> None:  # noqa: FBT001 - from a thread
        """
        Back in the reactor's thread: hand over a value or a failure. A read that went well says nothing of a
        disk that took no write.
        """
        self._waiting -= 1
        failed = outcome.value if isinstance(outcome, Failure) else None
        # A change that was refused for what it asks says nothing of the disk.
        refusal = failed if isinstance(failed, Refusal) else None
        if refusal and refusal.code == RefusalCode.STORAGE_FAILED:
            self._fault = refusal
        elif wrote:
            self._fault = None
        if isinstance(outcome, Failure):
            done.errback(outcome)
        else:
            done.callback(outcome)

    def _finish_all(self, jobs: Sequence[_Job], outcomes: Sequence[object], wrote: bool) -> None:  # noqa: FBT001 - as above
        for job, outcome in zip(jobs, outcomes, strict=True):
            self._finish(job.done, outcome, wrote)

    def _ended(self) -> None:
        assert self._thread is not None
        self._thread.join()
        self._thread = None
        waiters, self._stop_waiters = self._stop_waiters, []
        for waiter in waiters:
            waiter.callback(None)

    def _serve(self) -> None:
        """
        The writer thread: take jobs until told to end.

        A stop does not wait for a disk that fails once for each job that is left.
        """
        opened: OpenPlace | None = None
        outcome: object = None
        left: deque[_Job | None] = deque()
        while (job := left.popleft() if left else self._jobs.get()) is not None:
            failed = opened is None and isinstance(outcome, Failure)
            before = 0 if opened is None else opened.changes
            together = self._taken_with(job, opened, left)
            if len(together) > 1 and opened is not None and (self.running or not failed):
                done = self._attempt_together(opened, together)
                if done:
                    outcome = done[-1]
                    left.extendleft(reversed(together[len(done) :]))
                    wrote = opened.changes > before
                    self._call_from_thread(self._finish_all, together[: len(done)], done, wrote)
                    continue
            left.extendleft(reversed(together[1:]))
            if self.running or not failed:
                opened, outcome = self._attempt(opened, job)
            wrote = opened is not None and opened.changes > before
            self._call_from_thread(self._finish, job.done, outcome, wrote)
        self._close(opened)
        self._call_from_thread(self._ended)

    def _taken_with(self, job: _Job, opened: OpenPlace | None, left: deque[_Job | None]) -> list[_Job]:
        """
        The job, and those behind it that may share its transaction; the rest is in ``left``.
        """
        together = [job]
        if opened is None or opened.most_together == 1 or job.step is None or not opened.is_there():
            return together
        while len(together) < opened.most_together:
            if not left:
                try:
                    left.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            following = left[0]
            if following is None or following.step is None:
                break
            together.append(following)
            left.popleft()
        return together

    def _attempt_together(self, opened: OpenPlace, jobs: Sequence[_Job]) -> Sequence[object]:
        """
        Do jobs in one transaction; gives the outcomes of the first of them, as many as came to one.
        """
        try:
            outcomes = opened.together([job.step for job in jobs if job.step is not None])
        except Refusal:
            return [Failure() for _ in jobs]
        except Exception as fault:  # noqa: BLE001 - nothing was kept: each is tried by itself
            self._log.debug(
                "{count} changes could not be made together: {fault}", count=len(jobs), fault=fault
            )
            return []
        return [outcome for outcome in outcomes if outcome is not AGAIN]

    def _attempt(
        self, opened: OpenPlace | None, job: _Job, *, again: bool = False
    ) -> tuple[OpenPlace | None, object]:
        """
        Do one job; gives back the database to go on with and the value or failure.
        """
        try:
            if opened is not None and not opened.is_there():
                self._close(opened)
                opened = None
            if opened is None:
                opened = self.place.open(full_sync=self._full_sync)
                if self._on_open is not None:
                    self._call_from_thread(self._on_open)
            return opened, job.work(opened)
        except Refusal:
            return opened, Failure()
        except Exception as fault:  # noqa: BLE001 - whatever it is, it belongs to the one who waits
            refusal = self.place.refusal_from(fault)
            if refusal is None:
                return opened, Failure()
            # A fresh connection is the recovery that needs no restart.
            self._close(opened)
            if isinstance(fault, ConnectionLost) and not again:
                return self._attempt(None, job, again=True)
            refusal.__cause__ = fault
            return None, Failure(refusal)

    def _close(self, opened: OpenPlace | None) -> None:
        if opened is None:
            return
        try:
            opened.close()
        except Exception as fault:  # noqa: BLE001 - given up because it failed, which has been told
            self._log.debug("closing {place} failed: {fault}", place=self.place.shown, fault=str(fault))
