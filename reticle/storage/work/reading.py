"""
The work as one transaction sees it; provides ``ports.WorkReading``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import msgspec

from reticle.model.ids import (
    ArtifactId,
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
from reticle.model.work import (
    Artifact,
    Blocker,
    Job,
    Message,
    Packet,
    Review,
    Run,
    WorkEvent,
    WorkLease,
    WorkSession,
)
from reticle.model.work_words import (
    BlockerState,
    JobState,
    LeaseState,
    MessageState,
    RunState,
    WorkSessionState,
)
from reticle.storage.dialect import skip_locked
from reticle.storage.driver import Driver
from reticle.storage.work.rows import value_of
from reticle.storage.work.statements import columns_of, select

V = TypeVar("V", bound=msgspec.Struct)

# States are spelled out where an index is over the rows that live.
_LIVE_STATES: Final = (MessageState.PENDING, MessageState.CLAIMED, MessageState.ACKED)
_LIVE: Final = f"state IN ({', '.join(repr(each.value) for each in _LIVE_STATES)})"
_PENDING: Final = f"state = '{MessageState.PENDING.value}'"
_ACTIVE: Final = f"state = '{LeaseState.ACTIVE.value}'"
_JOBS: Final = f"SELECT {columns_of(Job, 'work_job.')} FROM work_job JOIN work_dependency"  # noqa: S608 - ours
_NEEDS: Final = (
    f"{_JOBS} ON work_dependency.needs_job_id = work_job.job_id"
    " WHERE work_dependency.job_id = ? ORDER BY work_job.place"
)
_NEEDED_BY: Final = (
    f"{_JOBS} ON work_dependency.job_id = work_job.job_id"
    " WHERE work_dependency.needs_job_id = ? ORDER BY work_job.place"
)


def _older(
    at: str, key: str, before: V | None, place_of: Callable[[V], tuple[int, str]]
) -> tuple[object, ...]:
    """
    The condition for those that come behind one of them, the newest first, and what it is given.
    """
    if before is None:
        return ("",)
    moment, name = place_of(before)
    return f"({at} < ? OR ({at} = ? AND {key} > ?))", moment, moment, name


class Reading:
    """
    Questions, one statement each. Lives as long as its transaction.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def run(self, run_id: RunId) -> Run | None:
        """
        See ``WorkReading``.
        """
        return self._one(Run, run_id=run_id)

    def runs(
        self,
        repository_id: RepositoryId,
        *,
        state: RunState | None = None,
        before: Run | None = None,
        limit: int,
    ) -> Sequence[Run]:
        """
        See ``WorkReading``.
        """
        order = "prepared_at_us DESC, run_id"
        older = _older("prepared_at_us", "run_id", before, lambda run: (run.prepared_at_us, run.run_id))
        return self._many(Run, order, *older, limit=limit, repository_id=repository_id, state=state)

    def job(self, job_id: JobId) -> Job | None:
        """
        See ``WorkReading``.
        """
        return self._one(Job, job_id=job_id)

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
        See ``WorkReading``.
        """
        behind = ("place > ?", after) if after >= 0 else ("",)
        return self._many(
            Job, "place", *behind, limit=limit, run_id=run_id, state=state, role=role, name=name
        )

    def needs(self, job_id: JobId) -> Sequence[Job]:
        """
        See ``WorkReading``.
        """
        return self._values(Job, _NEEDS, (job_id,))

    def needed_by(self, job_id: JobId) -> Sequence[Job]:
        """
        See ``WorkReading``.
        """
        return self._values(Job, _NEEDED_BY, (job_id,))

    def job_states(self, run_id: RunId) -> dict[JobState, int]:
        """
        See ``WorkReading``.
        """
        counted = "SELECT state, count(*) FROM work_job WHERE run_id = ? GROUP BY state"
        return {JobState(state): count for state, count in self._driver.execute(counted, (run_id,))}

    def has_jobs(self, run_id: RunId, states: Sequence[JobState]) -> bool:
        """
        See ``WorkReading``.
        """
        named = ", ".join("?" * len(states))
        one = f"SELECT 1 FROM work_job WHERE run_id = ? AND state IN ({named}) LIMIT 1"  # noqa: S608 - ours
        row = self._driver.execute(one, (run_id, *(state.value for state in states))).fetchone()
        return row is not None

    def session(self, session_id: WorkSessionId) -> WorkSession | None:
        """
        See ``WorkReading``.
        """
        return self._one(WorkSession, session_id=session_id)

    def session_of_token(self, token_id: TokenId) -> WorkSession | None:
        """
        See ``WorkReading``.
        """
        found = self._many(WorkSession, "registered_at_us DESC", limit=1, token_id=token_id)
        return found[0] if found else None

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
        See ``WorkReading``.
        """
        order = "registered_at_us, session_id"
        later: tuple[object, ...] = ("",)
        if after is not None:
            later = "(registered_at_us, session_id) > (?, ?)", after.registered_at_us, after.session_id
        return self._many(WorkSession, order, *later, limit=limit, run_id=run_id, state=state, role=role)

    def pending(self, run_id: RunId, role: str, limit: int) -> Sequence[Message]:
        """
        See ``WorkReading``.
        """
        # The state is spelled out, so that the index over pending messages serves it.
        chosen = select(Message, ("run_id", "role"), _PENDING, "priority DESC, seq", limited=True)
        return self._values(Message, skip_locked(self._driver, chosen), (run_id, role, limit))

    def message(self, message_id: MessageId) -> Message | None:
        """
        See ``WorkReading``.
        """
        return self._one(Message, message_id=message_id)

    def live_message(self, job_id: JobId) -> Message | None:
        """
        See ``WorkReading``.
        """
        found = self._values(Message, select(Message, ("job_id",), _LIVE), (job_id,))
        return found[0] if found else None

    def lease(self, lease_id: WorkLeaseId) -> WorkLease | None:
        """
        See ``WorkReading``.
        """
        return self._one(WorkLease, lease_id=lease_id)

    def active_lease(
        self, *, job_id: JobId | None = None, session_id: WorkSessionId | None = None
    ) -> WorkLease | None:
        """
        See ``WorkReading``.
        """
        found = self._many(WorkLease, "", _ACTIVE, limit=None, job_id=job_id, session_id=session_id)
        return found[0] if found else None

    def last_lease(self, job_id: JobId) -> WorkLease | None:
        """
        See ``WorkReading``.
        """
        found = self._many(WorkLease, "fencing DESC", limit=1, job_id=job_id)
        return found[0] if found else None

    def lapsed(self, now_us: int, *, run_id: RunId | None = None, limit: int) -> Sequence[WorkLease]:
        """
        See ``WorkReading``.
        """
        over = f"{_ACTIVE} AND until_us <= ?"
        return self._many(WorkLease, "until_us, lease_id", over, now_us, limit=limit, run_id=run_id)

    def next_lapse_us(self, run_id: RunId) -> int | None:
        """
        See ``WorkReading``.
        """
        first = f"SELECT min(until_us) FROM work_lease WHERE run_id = ? AND {_ACTIVE}"  # noqa: S608 - ours
        found: int | None = self._driver.execute(first, (run_id,)).fetchone()[0]
        return found

    def packet(self, packet_id: PacketId) -> Packet | None:
        """
        See ``WorkReading``.
        """
        return self._one(Packet, packet_id=packet_id)

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
        See ``WorkReading``.
        """
        older = _older("created_at_us", "packet_id", before, lambda one: (one.created_at_us, one.packet_id))
        return self._many(
            Packet,
            "created_at_us DESC, packet_id",
            *older,
            limit=limit,
            run_id=run_id,
            job_id=job_id,
            message_id=message_id,
            lease_id=lease_id,
            session_id=session_id,
        )

    def artifact(self, artifact_id: ArtifactId) -> Artifact | None:
        """
        See ``WorkReading``.
        """
        return self._one(Artifact, artifact_id=artifact_id)

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
        See ``WorkReading``.
        """
        later: tuple[Any, ...] = ("",) if after is None else ("seq > ?", after)
        chosen, given = self._chosen(
            Artifact,
            "seq",
            *later,
            limit=limit,
            run_id=run_id,
            job_id=job_id,
            attempt=attempt,
            kind=kind,
        )
        return self._values(Artifact, chosen.replace('"content"', "NULL", 1), given)

    def artifact_bytes(self, run_id: RunId) -> int:
        """
        See ``WorkReading``.
        """
        kept = (
            "SELECT coalesce(sum(size_bytes), 0) FROM work_artifact WHERE run_id = ? AND content IS NOT NULL"
        )
        return int(self._driver.execute(kept, (run_id,)).fetchone()[0])

    def reviews(
        self,
        *,
        run_id: RunId | None = None,
        job_id: JobId | None = None,
        reviewed_job_id: JobId | None = None,
        limit: int,
    ) -> Sequence[Review]:
        """
        See ``WorkReading``.
        """
        return self._many(
            Review,
            "recorded_at_us, review_id",
            limit=limit,
            run_id=run_id,
            job_id=job_id,
            reviewed_job_id=reviewed_job_id,
        )

    def blocker(self, blocker_id: BlockerId) -> Blocker | None:
        """
        See ``WorkReading``.
        """
        return self._one(Blocker, blocker_id=blocker_id)

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
        See ``WorkReading``.
        """
        conditions: list[str] = []
        given: list[object] = []
        if repository_id is not None:
            conditions.append("run_id IN (SELECT run_id FROM work_run WHERE repository_id = ?)")
            given.append(repository_id)
        if before is not None:
            conditions.append("seq < ?")
            given.append(before)
        more = " AND ".join(conditions)
        return self._many(
            Blocker, "seq DESC", more, *given, limit=limit, run_id=run_id, job_id=job_id, state=state
        )

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
        See ``WorkReading``.
        """
        newest = self._many(
            WorkEvent,
            "seq DESC",
            limit=limit,
            run_id=run_id,
            job_id=job_id,
            session_id=session_id,
            lease_id=lease_id,
            subject=subject,
        )
        return newest[::-1]

    def _one(self, kind: type[V], **key: str) -> V | None:
        ((name, value),) = key.items()
        row = self._driver.execute(select(kind, (name,)), (value,)).fetchone()
        return None if row is None else value_of(kind, row)

    def _many(
        self,
        kind: type[V],
        order: str,
        more: Any = "",
        /,
        *given: object,
        limit: int | None,
        **columns: object,
    ) -> Sequence[V]:
        """
        Those whose columns have these values, None for any; ``more`` is a condition for what is ``given``.
        """
        return self._values(kind, *self._chosen(kind, order, more, *given, limit=limit, **columns))

    def _chosen(
        self,
        kind: type[V],
        order: str,
        more: str = "",
        /,
        *given: object,
        limit: int | None,
        **columns: object,
    ) -> tuple[str, Sequence[object]]:
        equal = {name: getattr(value, "value", value) for name, value in columns.items() if value is not None}
        chosen = select(kind, tuple(equal), more, order, limited=limit is not None)
        return chosen, (*equal.values(), *given, *(() if limit is None else (limit,)))

    def _values(self, kind: type[V], chosen: str, given: Sequence[object]) -> Sequence[V]:
        return [value_of(kind, row) for row in self._driver.execute(chosen, given).fetchall()]
