"""
How one thing of the work is and what happened to it, whatever kind of id somebody has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticle.domain.work.artifact import artifact_fields
from reticle.domain.work.calling import WorkCaller, not_found
from reticle.domain.work.packet import time_of
from reticle.model.ids import (
    ArtifactId,
    BlockerId,
    JobId,
    MessageId,
    PacketId,
    RunId,
    WorkLeaseId,
    WorkSessionId,
)
from reticle.model.work_limits import EVENTS_SHOWN
from reticle.model.work_words import JobState
from reticle.ports import WorkReading
from reticle.tools.fields import told
from reticle.tools.work.shown import (
    blocker_fields,
    event_fields,
    job_fields,
    packet_fields,
    run_fields,
    session_fields,
)

_SHOWN = 20
"""Blockers of one job, the newest first."""

_RUNS_SEARCHED = 50
"""Runs that are searched for a job by its id in the plan, the newest first."""


def story_of(book: WorkReading, caller: WorkCaller, target: str, now_us: int) -> Mapping[str, object]:
    """
    How one thing is, and what happened to it in its order.

    Raises:
        Refusal: ``not_found``, also for another repository's.
    """
    found = _target(book, target, now_us) or _of_plan(book, caller, target, now_us)
    run = None if found is None else book.run(found[0])
    if found is None or run is None or run.repository_id != caller.repository_id:
        raise not_found(
            "thing", "Take an id from list.runs, list.jobs or list.sessions, or a job's id in the plan."
        )
    run_id, shown, of = found
    events = book.events(run_id=run_id, **of, limit=EVENTS_SHOWN)
    return {
        "target_id": target,
        "run": run_fields(run),
        **shown,
        "events": [event_fields(event) for event in events],
        **told(truncated=len(events) == EVENTS_SHOWN),
    }


_Found = tuple[RunId, Mapping[str, object], dict[str, Any]]


def _target(book: WorkReading, target: str, now_us: int) -> _Found | None:
    kind = target.partition("_")[0]
    look = _KINDS.get(kind)
    found = None if look is None else look(book, target, now_us)
    return None if found is None or book.run(found[0]) is None else found


def _of_plan(book: WorkReading, caller: WorkCaller, target: str, now_us: int) -> _Found | None:
    """
    A job by its id in the plan: of the newest run that goes on and has such a job, else of the newest that
    has ended, or of the run that stands before a slash.
    """
    named, slash, name = target.partition("/")
    if slash and (run := book.run(RunId(named))) is not None:
        runs, wanted = [run], name
    else:
        runs, wanted = list(book.runs(caller.repository_id, limit=_RUNS_SEARCHED)), target
    for run in sorted(runs, key=lambda each: each.ended_at_us is not None):
        for job in book.jobs(run.run_id, name=wanted, limit=1):
            return _of_job(book, job.job_id, now_us)
    return None


def _of_run(_: WorkReading, target: str, __: int) -> _Found | None:
    return RunId(target), {}, {}


def _of_job(book: WorkReading, target: str, now_us: int) -> _Found | None:
    job = book.job(JobId(target))
    if job is None:
        return None
    lease = book.active_lease(job_id=job.job_id)
    held = None
    if lease is not None:
        held = {
            "session_id": lease.session_id,
            "lease_id": lease.lease_id,
            "expires_at": time_of(lease.until_us),
            "lapsed": lease.until_us <= now_us,
        }
    waits_for = [
        {"job_id": each.job_id, "id": each.name, "state": each.state.value}
        for each in book.needs(job.job_id)
        if each.state is not JobState.COMPLETED
    ]
    blockers = book.blockers(job_id=job.job_id, limit=_SHOWN)
    return (
        job.run_id,
        {
            "job": job_fields(job),
            **told(
                held_by=held,
                waits_for_jobs=waits_for,
                escalations=[blocker_fields(each, now_us) for each in blockers],
            ),
        },
        {"job_id": job.job_id},
    )


def _of_session(book: WorkReading, target: str, now_us: int) -> _Found | None:
    session = book.session(WorkSessionId(target))
    if session is None:
        return None
    lease = book.active_lease(session_id=session.session_id)
    return (
        session.run_id,
        {"session": session_fields(session, lease, now_us)},
        {"session_id": session.session_id},
    )


def _of_lease(book: WorkReading, target: str, now_us: int) -> _Found | None:
    lease = book.lease(WorkLeaseId(target))
    if lease is None:
        return None
    shown = {
        "state": lease.state.value,
        "fencing": lease.fencing,
        "expires_at": time_of(lease.until_us),
        **told(reason=lease.reason, ended_at=time_of(lease.ended_at_us)),
    }
    job = _of_job(book, lease.job_id, now_us)
    return lease.run_id, {"lease": shown, **({} if job is None else job[1])}, {"job_id": lease.job_id}


def _of_packet(book: WorkReading, target: str, now_us: int) -> _Found | None:
    packet = book.packet(PacketId(target))
    found = None if packet is None else _of_lease(book, packet.lease_id, now_us)
    if packet is None or found is None:
        return None
    return packet.run_id, {"packet": packet_fields(packet), **found[1]}, found[2]


def _of_artifact(book: WorkReading, target: str, now_us: int) -> _Found | None:
    artifact = book.artifact(ArtifactId(target))
    found = None if artifact is None else _of_job(book, artifact.job_id, now_us)
    if artifact is None or found is None:
        return None
    return artifact.run_id, {"artifact": artifact_fields(artifact), **found[1]}, {"subject": target}


def _of_message(book: WorkReading, target: str, now_us: int) -> _Found | None:
    message = book.message(MessageId(target))
    found = None if message is None else _of_job(book, message.job_id, now_us)
    if message is None or found is None:
        return None
    return message.run_id, {"message_state": message.state.value, **found[1]}, found[2]


def _of_blocker(book: WorkReading, target: str, now_us: int) -> _Found | None:
    blocker = book.blocker(BlockerId(target))
    if blocker is None:
        return None
    return (
        blocker.run_id,
        {"escalation": blocker_fields(blocker, now_us)},
        {"subject": blocker.blocker_id},
    )


_KINDS = {
    "run": _of_run,
    "job": _of_job,
    "sess": _of_session,
    "lease": _of_lease,
    "wp": _of_packet,
    "art": _of_artifact,
    "msg": _of_message,
    "blk": _of_blocker,
}
