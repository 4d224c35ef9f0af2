"""
Where the work is kept and how it is changed; provided by ``reticle.storage.work``.

A rule is a plain function that reads and writes a ``WorkBook`` inside one transaction, and is told the time.
Everything it wrote is committed together with the call's audit row, or nothing of it: a rule that raises has
changed nothing. It may be run again after the database broke a deadlock, so it has no effect of its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from reticle.model.audit import AuditDraft
    from reticle.model.codes import Capability
    from reticle.model.ids import (
        ArtifactId,
        AuditId,
        BlockerId,
        JobId,
        MessageId,
        PacketId,
        RepositoryId,
        RunId,
        TokenId,
        WorkLeaseId,
        WorkSessionId,
    )
    from reticle.model.tokens import SealedToken
    from reticle.model.work import (
        Artifact,
        Blocker,
        Dependency,
        Job,
        Message,
        Opening,
        Packet,
        Review,
        Run,
        WorkEvent,
        WorkLease,
        WorkSession,
    )
    from reticle.model.work_words import BlockerState, JobState, RunState, WorkSessionState

    Entry = (
        Run
        | Job
        | Dependency
        | WorkSession
        | Message
        | WorkLease
        | Packet
        | Artifact
        | Review
        | Blocker
        | WorkEvent
    )
    Changing = Run | Job | WorkSession | Message | WorkLease | Blocker

T = TypeVar("T")
C = TypeVar("C", bound="Changing")


class WorkReading(Protocol):
    """
    The work as one transaction sees it. Everything is None, or empty, where there is no such thing.
    """

    def run(self, run_id: RunId) -> Run | None:
        """
        A run.
        """

    def runs(
        self,
        repository_id: RepositoryId,
        *,
        state: RunState | None = None,
        before: Run | None = None,
        limit: int,
    ) -> Sequence[Run]:
        """
        The runs of a repository, the newest first; those that come behind one of them.
        """

    def job(self, job_id: JobId) -> Job | None:
        """
        A job.
        """

    def jobs(
        self,
        run_id: RunId,
        *,
        state: JobState | None = None,
        role: str | None = None,
        name: str | None = None,
        after: int = -1,
        limit: int | None = None,
    ) -> Sequence[Job]:
        """
        The jobs of a run in the order of its plan, those behind a place.
        """

    def needs(self, job_id: JobId) -> Sequence[Job]:
        """
        The jobs that one waits for.
        """

    def needed_by(self, job_id: JobId) -> Sequence[Job]:
        """
        The jobs that wait for one.
        """

    def job_states(self, run_id: RunId) -> dict[JobState, int]:
        """
        How many jobs of a run are in which state.
        """

    def has_jobs(self, run_id: RunId, states: Sequence[JobState]) -> bool:
        """
        Whether a run has a job in one of these states.
        """

    def session(self, session_id: WorkSessionId) -> WorkSession | None:
        """
        A session.
        """

    def session_of_token(self, token_id: TokenId) -> WorkSession | None:
        """
        The session that a token was made for.
        """

    def sessions(
        self,
        run_id: RunId,
        *,
        state: WorkSessionState | None = None,
        role: str | None = None,
        after: WorkSession | None = None,
        limit: int | None = None,
    ) -> Sequence[WorkSession]:
        """
        The sessions of a run, the oldest first; those that come behind one of them.
        """

    def pending(self, run_id: RunId, role: str, limit: int) -> Sequence[Message]:
        """
        What a role can claim: the highest priority first, then the oldest. Where several daemons claim at
        once, those that another transaction looks at are left out.
        """

    def message(self, message_id: MessageId) -> Message | None:
        """
        A queue message.
        """

    def live_message(self, job_id: JobId) -> Message | None:
        """
        The one message of a job that is pending, claimed or acknowledged.
        """

    def lease(self, lease_id: WorkLeaseId) -> WorkLease | None:
        """
        A lease, whatever became of it.
        """

    def active_lease(
        self, *, job_id: JobId | None = None, session_id: WorkSessionId | None = None
    ) -> WorkLease | None:
        """
        The one lease of a job, or of a session, that has not ended; its time may be over all the same.
        """

    def last_lease(self, job_id: JobId) -> WorkLease | None:
        """
        The newest lease of a job, ended or not.
        """

    def lapsed(self, now_us: int, *, run_id: RunId | None = None, limit: int) -> Sequence[WorkLease]:
        """
        Active leases whose time is over, the longest first.
        """

    def next_lapse_us(self, run_id: RunId) -> int | None:
        """
        When the first active lease of a run ends.
        """

    def packet(self, packet_id: PacketId) -> Packet | None:
        """
        A packet.
        """

    def packets(
        self,
        *,
        run_id: RunId | None = None,
        job_id: JobId | None = None,
        message_id: MessageId | None = None,
        lease_id: WorkLeaseId | None = None,
        session_id: WorkSessionId | None = None,
        before: Packet | None = None,
        limit: int,
    ) -> Sequence[Packet]:
        """
        The packets of one thing, the newest first; those that come behind one of them.
        """

    def artifact(self, artifact_id: ArtifactId) -> Artifact | None:
        """
        An artifact with its content.
        """

    def artifacts(
        self,
        *,
        run_id: RunId | None = None,
        job_id: JobId | None = None,
        attempt: int | None = None,
        kind: str | None = None,
        after: int | None = None,
        limit: int,
    ) -> Sequence[Artifact]:
        """
        The artifacts of a run or a job in the order of their publication, without their contents; those
        behind a ``seq``.
        """

    def artifact_bytes(self, run_id: RunId) -> int:
        """
        How much the kept contents of a run's artifacts are.
        """

    def reviews(
        self,
        *,
        run_id: RunId | None = None,
        job_id: JobId | None = None,
        reviewed_job_id: JobId | None = None,
        limit: int,
    ) -> Sequence[Review]:
        """
        Reviewers' decisions, the oldest first.
        """

    def blocker(self, blocker_id: BlockerId) -> Blocker | None:
        """
        A blocker.
        """

    def blockers(
        self,
        *,
        run_id: RunId | None = None,
        repository_id: RepositoryId | None = None,
        job_id: JobId | None = None,
        state: BlockerState | None = None,
        before: int | None = None,
        limit: int,
    ) -> Sequence[Blocker]:
        """
        Blockers, the one that was opened last first; those before a ``seq``.
        """

    def events(
        self,
        *,
        run_id: RunId | None = None,
        job_id: JobId | None = None,
        session_id: WorkSessionId | None = None,
        lease_id: WorkLeaseId | None = None,
        subject: str | None = None,
        limit: int,
    ) -> Sequence[WorkEvent]:
        """
        The newest events of one thing, in their order.
        """


class WorkBook(WorkReading, Protocol):
    """
    The same, to be changed. A change of a run begins with ``locked``.
    """

    def locked(self, run_id: RunId) -> Run | None:
        """
        A run that no other transaction changes anything of until this one ends. First of all reads.
        """

    def locked_as(self, session_id: WorkSessionId) -> tuple[Run, WorkSession] | None:
        """
        A session and its run, which is locked as by ``locked``. First of all reads.
        """

    def opening(self, session_id: WorkSessionId, now_us: int) -> Opening | None:
        """
        All that most claims look at, in one question; the run is locked as by ``locked``. First of all reads.
        """

    def add(self, *entries: Entry) -> None:
        """
        Keep what is new. Raises ``Refusal`` ``conflict`` when it breaks a rule that holds once only, such as
        a second live lease of a job; a retry makes sense.
        """

    def replace(self, old: C, new: C) -> C:
        """
        Put a newer state of a thing in the place of the one that was read; gives the new one.

        Raises ``Refusal`` ``conflict`` when it is not as it was read any more (state, attempt, fencing
        number, time of a lease); a retry makes sense.
        """

    def forget_run(self, run_id: RunId) -> None:
        """
        Delete a run and all that belongs to it.
        """

    def tell(self, run_id: RunId, role: str | None, count: int = 1) -> None:
        """
        Wake that many of those who wait for work of a role, once this is committed; None: everybody in the
        run.
        """

    def issue(self, sealed: SealedToken) -> None:
        """
        Keep a token, in this transaction.
        """

    def expire(self, token_id: TokenId, at_us: int) -> None:
        """
        Let a token end at that time, in this transaction; one that ends earlier, or is gone, stays so.
        """

    def end_grants(self, token_id: TokenId, capabilities: Sequence[Capability], at_us: int) -> None:
        """
        Let these grants of a token end at that time, in this transaction; one that ends earlier stays so.
        """


class Listening(Protocol):
    """
    Hears of work from the moment it was made, so that nothing is missed between a look and a wait.
    """

    async def heard(self, seconds: float) -> bool:
        """
        Ready with True when there was news since the last time, with False after so many seconds. Cancelling
        the call that awaits it ends the wait. What was heard and is of no use to the listener goes to the
        next one by ``pass_on``.
        """
        ...

    def pass_on(self) -> None:
        """
        Wake another listener in its place, because this one did not use what it heard.
        """

    def pass_behind(self) -> None:
        """
        Wake the next one of those who listen since later, because what this one heard is not for it: from one
        to the next, each looks once.
        """

    def stop(self) -> None:
        """
        Listen no more; may be called twice. What was told and not heard yet is passed on.
        """


class WorkNews(Protocol):
    """
    Who waits for work, and what wakes them.
    """

    def publish(self, run_id: RunId, role: str | None, count: int = 1) -> None:
        """
        Wake that many listeners of a role, the longest waiting first; None: every listener of the run.
        """

    def listen(self, run_id: RunId, role: str) -> Listening:
        """
        Begin to listen.
        """


class WorkStore(Protocol):
    """
    All runs of all repositories.
    """

    @property
    def news(self) -> WorkNews:
        """
        What ``WorkBook.tell`` reaches.
        """

    def lapsed_runs(self, now_us: int) -> Awaitable[Sequence[RunId]]:
        """
        The runs in which the time of a live lease is over, the longest first; at most ``SWEEP_RUNS``.
        """

    def grant_grace(self, until_us: int) -> Awaitable[int]:
        """
        Let every live lease last until then at least; gives how many were lengthened. Once, when a daemon
        that was alone comes back.
        """

    def read(self, rule: Callable[[WorkReading], T]) -> Awaitable[T]:
        """
        What a rule finds, in one transaction. Raises what it raises, and ``Refusal`` ``storage_failed``.
        """

    def note(self, rule: Callable[[WorkBook], T]) -> Awaitable[T]:
        """
        As ``change``, for what has no row of its own: when a session was heard of last.
        """

    def change(
        self,
        rule: Callable[[WorkBook], T],
        draft: AuditDraft,
        see: Callable[[T], object],
        opens: tuple[WorkSessionId, int] | None = None,
    ) -> Awaitable[AuditId]:
        """
        Commit what a rule does together with a row, give its value to ``see``, and wake whom it told.

        ``opens`` is what the rule asks of ``WorkBook.opening``: for changes that wait at the same moment this
        may be read at once.

        Raises what the rule raises, with nothing changed, and ``Refusal`` ``storage_failed``.
        """

    def change_later(self, rule: Callable[[WorkBook], object], draft: AuditDraft) -> None:
        """
        As ``change``, on the daemon's own account: nobody waits for it, and a failure is only logged, since
        the sweep mends what was left.
        """
