"""
Runs, jobs, sessions and blockers as answers show them.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.domain.work.liveness import NOTHING_SEEN, Seen, stalled
from reticle.domain.work.packet import time_of
from reticle.model.work import Blocker, Job, Packet, Run, WorkEvent, WorkLease, WorkSession
from reticle.model.work_limits import REASON_CHARS
from reticle.model.work_words import JobState
from reticle.tools.fields import cut, told


def run_fields(run: Run) -> dict[str, object]:
    """
    A run.
    """
    return {
        "run_id": run.run_id,
        "state": run.state.value,
        **told(
            title=run.title,
            reason=run.reason,
            source=run.source,
            started_at=time_of(run.started_at_us),
            ended_at=time_of(run.ended_at_us),
        ),
        "prepared_at": time_of(run.prepared_at_us),
    }


def job_fields(job: Job, chars: int = REASON_CHARS) -> dict[str, object]:
    """
    A job, without what it is told to do; ``chars`` of its longer texts, which ``why`` shows whole.
    """
    return {
        "job_id": job.job_id,
        "id": job.name,
        "type": job.type.value,
        "role": job.role,
        "state": job.state.value,
        "attempt": job.attempt,
        "max_attempts": job.max_attempts,
        "fencing": job.fencing,
        **told(
            title=job.plan.title,
            reason=cut(job.reason, chars),
            revision=cut(job.revision, chars),
            waits_for=job.plan.depends_on,
        ),
        "changed_at": time_of(job.changed_at_us),
    }


def session_fields(
    session: WorkSession, lease: WorkLease | None, now_us: int, seen: Seen = NOTHING_SEEN
) -> dict[str, object]:
    """
    A session, and what of its calls says how it is.
    """
    return {
        "session_id": session.session_id,
        "role": session.role,
        "slot": session.slot,
        "state": session.state.value,
        **told(
            label=session.label,
            reason=session.reason,
            lease_id=None if lease is None else lease.lease_id,
            job_id=None if lease is None else lease.job_id,
            stalled=stalled(session, lease, now_us, seen),
            report=_report(session),
            ended_at=time_of(session.ended_at_us),
        ),
        "last_call_seconds_ago": max(0, (now_us - session.called_at_us) // 1_000_000),
        "registered_at": time_of(session.registered_at_us),
    }


def blocker_fields(blocker: Blocker, now_us: int, chars: int = REASON_CHARS) -> dict[str, object]:
    """
    What somebody must decide, or has decided; ``chars`` of what is to be decided.
    """
    return {
        "escalation_id": blocker.blocker_id,
        "run_id": blocker.run_id,
        "kind": blocker.kind,
        "severity": blocker.severity.value,
        "state": blocker.state.value,
        "description": cut(blocker.description, chars),
        **told(
            job_id=blocker.job_id,
            session_id=blocker.session_id,
            resolution=blocker.resolution,
            resolved_by=blocker.resolved_by,
            resolved_at=time_of(blocker.resolved_at_us),
        ),
        "opened_at": time_of(blocker.opened_at_us),
        "open_seconds": max(0, ((blocker.resolved_at_us or now_us) - blocker.opened_at_us) // 1_000_000),
    }


def packet_fields(packet: Packet) -> dict[str, object]:
    """
    A packet, without its document.
    """
    return {
        "packet_id": packet.packet_id,
        "run_id": packet.run_id,
        "job_id": packet.job_id,
        "message_id": packet.message_id,
        "lease_id": packet.lease_id,
        "session_id": packet.session_id,
        "packet_sha256": packet.sha256,
        "created_at": time_of(packet.created_at_us),
    }


def event_fields(event: WorkEvent) -> dict[str, object]:
    """
    Something that happened.
    """
    return {
        "seq": event.seq,
        "at": time_of(event.at_us),
        "kind": event.kind.value,
        **told(
            job_id=event.job_id,
            session_id=event.session_id,
            lease_id=event.lease_id,
            subject=event.subject,
            by=event.principal,
            detail=event.detail,
        ),
    }


def counts(states: Mapping[JobState, int]) -> dict[str, int]:
    """
    How many are in which state, by the state's word.
    """
    return {state.value: states[state] for state in sorted(states)}


def _report(session: WorkSession) -> Mapping[str, object] | None:
    if session.reported_at_us is None:
        return None
    return {
        "kind": session.report_kind,
        **told(
            phase=session.report_phase,
            blocker_kind=session.report_obstacle,
            message=session.report_message,
        ),
        "at": time_of(session.reported_at_us),
    }
