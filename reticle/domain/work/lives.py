"""
The lives of the work: run, job, queue message, lease, session and blocker. A test has each as a table.
"""

from __future__ import annotations

from typing import Final, Protocol

from reticle.domain.work.life import Life
from reticle.model.work_words import (
    BlockerState,
    JobState,
    LeaseState,
    MessageState,
    RunState,
    WorkSessionState,
)


class RunInputs(Protocol):
    """
    What happens to a run.
    """

    def start(self) -> None:
        """
        The operator starts it.
        """

    def stall(self) -> None:
        """
        Nothing can go on before a person decided something.
        """

    def resume(self) -> None:
        """
        Somebody decided.
        """

    def complete(self) -> None:
        """
        Every job is done.
        """

    def fail(self) -> None:
        """
        A reviewer rejected the work.
        """

    def cancel(self) -> None:
        """
        The operator gives it up.
        """


class JobInputs(Protocol):
    """
    What happens to a job.
    """

    def ready(self) -> None:
        """
        What it waited for is done.
        """

    def claim(self) -> None:
        """
        A session took it.
        """

    def ack(self) -> None:
        """
        The session says that it has the packet.
        """

    def requeue(self) -> None:
        """
        Its claim ended without an end of the work.
        """

    def hold_up(self) -> None:
        """
        A person must decide: it was blocked, or its attempts are used up.
        """

    def retry(self) -> None:
        """
        A person wants it tried again.
        """

    def revise(self) -> None:
        """
        A reviewer wants it changed.
        """

    def wait_again(self) -> None:
        """
        A review waits for a revision, which it or another one asked for.
        """

    def complete(self) -> None:
        """
        It is done, and its gate was passed.
        """

    def fail(self) -> None:
        """
        It was rejected.
        """

    def cancel(self) -> None:
        """
        Nobody wants it any more.
        """


class MessageInputs(Protocol):
    """
    What happens to a queue message.
    """

    def claim(self) -> None:
        """
        A session took it.
        """

    def ack(self) -> None:
        """
        The session has it.
        """

    def complete(self) -> None:
        """
        The work is done.
        """

    def give_back(self) -> None:
        """
        Its claim ended; the next attempt is another message.
        """

    def cancel(self) -> None:
        """
        Nobody wants it any more.
        """


class LeaseInputs(Protocol):
    """
    How a lease ends.
    """

    def complete(self) -> None:
        """
        With the work.
        """

    def release(self) -> None:
        """
        Its holder gives it back.
        """

    def block(self) -> None:
        """
        Its holder cannot go on.
        """

    def expire(self) -> None:
        """
        Its time is over.
        """

    def revoke(self) -> None:
        """
        Somebody took it away: the run or the session ended, or an operator queued the job again.
        """


class SessionInputs(Protocol):
    """
    How a session ends.
    """

    def close(self) -> None:
        """
        It was told to.
        """

    def displace(self) -> None:
        """
        A successor has its slot.
        """

    def end(self) -> None:
        """
        Its run ended.
        """


class BlockerInputs(Protocol):
    """
    How a blocker ends.
    """

    def resolve(self) -> None:
        """
        Somebody decided, or there is nothing left to decide.
        """


RUN_LIFE: Final = Life(
    "run",
    RunInputs,
    RunState,
    [
        (RunState.READY, RunInputs.start, RunState.RUNNING),
        (RunState.READY, RunInputs.cancel, RunState.CANCELED),
        (RunState.RUNNING, RunInputs.stall, RunState.NEEDS_OPERATOR),
        (RunState.RUNNING, RunInputs.complete, RunState.COMPLETED),
        (RunState.RUNNING, RunInputs.fail, RunState.FAILED),
        (RunState.RUNNING, RunInputs.cancel, RunState.CANCELED),
        (RunState.NEEDS_OPERATOR, RunInputs.resume, RunState.RUNNING),
        (RunState.NEEDS_OPERATOR, RunInputs.fail, RunState.FAILED),
        (RunState.NEEDS_OPERATOR, RunInputs.cancel, RunState.CANCELED),
    ],
)

JOB_LIFE: Final = Life(
    "job",
    JobInputs,
    JobState,
    [
        (JobState.BLOCKED, JobInputs.ready, JobState.QUEUED),
        (JobState.QUEUED, JobInputs.claim, JobState.CLAIMED),
        (JobState.CLAIMED, JobInputs.ack, JobState.RUNNING),
        (JobState.CLAIMED, JobInputs.requeue, JobState.QUEUED),
        (JobState.RUNNING, JobInputs.requeue, JobState.QUEUED),
        (JobState.CLAIMED, JobInputs.hold_up, JobState.WAITING_HUMAN),
        (JobState.RUNNING, JobInputs.hold_up, JobState.WAITING_HUMAN),
        (JobState.COMPLETED, JobInputs.hold_up, JobState.WAITING_HUMAN),
        (JobState.WAITING_HUMAN, JobInputs.retry, JobState.QUEUED),
        (JobState.COMPLETED, JobInputs.revise, JobState.QUEUED),
        (JobState.QUEUED, JobInputs.wait_again, JobState.BLOCKED),
        (JobState.CLAIMED, JobInputs.wait_again, JobState.BLOCKED),
        (JobState.RUNNING, JobInputs.wait_again, JobState.BLOCKED),
        (JobState.COMPLETED, JobInputs.wait_again, JobState.BLOCKED),
        (JobState.RUNNING, JobInputs.complete, JobState.COMPLETED),
        (JobState.RUNNING, JobInputs.fail, JobState.FAILED),
        (JobState.BLOCKED, JobInputs.cancel, JobState.CANCELED),
        (JobState.QUEUED, JobInputs.cancel, JobState.CANCELED),
        (JobState.CLAIMED, JobInputs.cancel, JobState.CANCELED),
        (JobState.RUNNING, JobInputs.cancel, JobState.CANCELED),
        (JobState.WAITING_HUMAN, JobInputs.cancel, JobState.CANCELED),
    ],
)

MESSAGE_LIFE: Final = Life(
    "queue message",
    MessageInputs,
    MessageState,
    [
        (MessageState.PENDING, MessageInputs.claim, MessageState.CLAIMED),
        (MessageState.CLAIMED, MessageInputs.ack, MessageState.ACKED),
        (MessageState.ACKED, MessageInputs.complete, MessageState.COMPLETED),
        (MessageState.CLAIMED, MessageInputs.give_back, MessageState.RETURNED),
        (MessageState.ACKED, MessageInputs.give_back, MessageState.RETURNED),
        (MessageState.PENDING, MessageInputs.cancel, MessageState.CANCELED),
        (MessageState.CLAIMED, MessageInputs.cancel, MessageState.CANCELED),
        (MessageState.ACKED, MessageInputs.cancel, MessageState.CANCELED),
    ],
)

LEASE_LIFE: Final = Life(
    "lease",
    LeaseInputs,
    LeaseState,
    [
        (LeaseState.ACTIVE, LeaseInputs.complete, LeaseState.COMPLETED),
        (LeaseState.ACTIVE, LeaseInputs.release, LeaseState.RELEASED),
        (LeaseState.ACTIVE, LeaseInputs.block, LeaseState.BLOCKED),
        (LeaseState.ACTIVE, LeaseInputs.expire, LeaseState.EXPIRED),
        (LeaseState.ACTIVE, LeaseInputs.revoke, LeaseState.REVOKED),
    ],
)

SESSION_LIFE: Final = Life(
    "session",
    SessionInputs,
    WorkSessionState,
    [
        (WorkSessionState.ACTIVE, SessionInputs.close, WorkSessionState.CLOSED),
        (WorkSessionState.ACTIVE, SessionInputs.displace, WorkSessionState.DISPLACED),
        (WorkSessionState.ACTIVE, SessionInputs.end, WorkSessionState.ENDED),
    ],
)

BLOCKER_LIFE: Final = Life(
    "blocker",
    BlockerInputs,
    BlockerState,
    [(BlockerState.OPEN, BlockerInputs.resolve, BlockerState.RESOLVED)],
)
