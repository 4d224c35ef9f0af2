"""
What an agent gets with a claim: all it needs to do one job, and nothing of other runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from reticle.domain.lifetimes import moment_of
from reticle.domain.work.queue import Moment
from reticle.model.ids import PacketId
from reticle.model.work import Artifact, Job, Packet, Run, WorkLease, WorkSession
from reticle.model.work_limits import ARTIFACTS_PER_ATTEMPT, HEARTBEAT_SHARE
from reticle.model.work_words import JobState, JobType

if TYPE_CHECKING:
    from reticle.ports.work import WorkReading

FORMAT: Final = "reticle.work-packet.v1"


def make_packet(
    book: WorkReading,
    moment: Moment,
    *,
    run: Run,
    session: WorkSession,
    job: Job,
    needs: Sequence[Job],
    lease: WorkLease,
    repo_root: str,
) -> Packet:
    """
    The packet of a claim; ``needs`` are the jobs that this one waited for.
    """
    packet_id = PacketId(moment.mint("wp_"))
    document = msgspec.json.encode(
        {
            "format": FORMAT,
            "packet_id": packet_id,
            "run": {
                "run_id": run.run_id,
                "title": run.title,
                "repository_id": run.repository_id,
                "repo_root": repo_root,
            },
            "session": {"session_id": session.session_id, "role": session.role, "slot": session.slot},
            **_document(book, job, needs, lease),
        },
        order="deterministic",
    )
    return Packet(
        packet_id=packet_id,
        run_id=run.run_id,
        job_id=job.job_id,
        message_id=lease.message_id,
        lease_id=lease.lease_id,
        session_id=session.session_id,
        document=document.decode("utf-8", "replace"),
        sha256=hashlib.sha256(document).hexdigest(),
        created_at_us=moment.now_us,
    )


def time_of(at_us: int | None) -> str | None:
    """
    A kept time as people and agents read it, RFC 3339.
    """
    return None if at_us is None else moment_of(at_us / 1e6)


def _document(book: WorkReading, job: Job, needs: Sequence[Job], lease: WorkLease) -> Mapping[str, Any]:
    plan = job.plan
    document: dict[str, Any] = {
        "lease": {
            "lease_id": lease.lease_id,
            "message_id": lease.message_id,
            "fencing": lease.fencing,
            "seconds": lease.seconds,
            "expires_at": time_of(lease.until_us),
            "heartbeat_after_seconds": max(1, lease.seconds // HEARTBEAT_SHARE),
        },
        "job": {
            "job_id": job.job_id,
            "id": job.name,
            "type": job.type.value,
            "title": plan.title,
            "attempt": job.attempt,
            "max_attempts": job.max_attempts,
        },
        "task_prompt": plan.prompt,
        "write_scope": plan.write_scope,
        "expected_artifacts": plan.expected_artifacts,
        "requires_verdict": plan.requires_verdict,
        "inputs": [_input(needed, artifact) for needed in needs for artifact in _made_by(book, needed)],
        "next_steps": next_steps(job),
    }
    if job.reason:
        document["previous_attempt"] = job.reason
    if job.revision:
        document["revision"] = job.revision
    if job.type is JobType.REVIEW:
        document["reviews"] = [
            {"job_id": each.job_id, "id": each.name, "attempt": each.attempt}
            for each in needs
            if plan.reviews in (None, each.name)
        ]
    return document


def next_steps(job: Job) -> Sequence[str]:
    """
    What to do with a packet, in order.
    """
    steps = [
        "work.ack, so that the daemon knows you have it",
        "work.heartbeat before heartbeat_after_seconds are over, again and again",
    ]
    if job.plan.expected_artifacts:
        steps.append("artifact.publish each expected artifact")
    needs_proof = bool(job.plan.requires_verdict)
    if needs_proof:
        steps += [
            'reticle_lease {"action": "acquire", "url": …} after your last edit: only pages opened so count',
            "reticle_act_and_wait there until each claim is verified, and keep the verdict ids",
        ]
    with_proof = " with verdict_ids" if needs_proof else ""
    if job.type is JobType.REVIEW:
        steps.append(f"review.submit{with_proof} and your decision on what it reviews")
    else:
        steps.append(f"work.complete{with_proof}")
    return [
        *steps,
        "work.release or work.block when you cannot go on",
        "work.await_packet for the next packet",
    ]


def _made_by(book: WorkReading, job: Job) -> Sequence[Artifact]:
    if job.state is not JobState.COMPLETED:
        return ()
    return book.artifacts(job_id=job.job_id, attempt=job.attempt, limit=ARTIFACTS_PER_ATTEMPT)


def _input(job: Job, artifact: Artifact) -> Mapping[str, Any]:
    return {
        "from_job": job.name,
        "artifact_id": artifact.artifact_id,
        "logical_name": artifact.logical_name,
        "kind": artifact.kind,
        "path": artifact.path,
        "sha256": artifact.sha256,
        "version": artifact.version,
    }
