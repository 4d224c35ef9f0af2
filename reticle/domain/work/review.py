"""
A reviewer's decision, and what it makes of the reviewed job and the run.

accept and accept_with_findings complete the review, through its own gate; needs_revision sends the reviewed
job back (``revision``); reject ends the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs
from msgspec.structs import replace

from reticle.domain.work.artifact import Publication, artifact_fields, of_claim, publish_within
from reticle.domain.work.calling import Holding, WorkCaller, answered_before, heard_of, holding
from reticle.domain.work.claimed import Gate, Outcome, ack, finish
from reticle.domain.work.ending import after_a_move, end_lease, stop_run
from reticle.domain.work.lives import JOB_LIFE, JobInputs, LeaseInputs, RunInputs
from reticle.domain.work.queue import Moment
from reticle.domain.work.review_words import Decision
from reticle.domain.work.revision import reviewed_job, send_back
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import JobId, ReviewId, WorkLeaseId, WorkSessionId
from reticle.model.work import Artifact, Job, Review
from reticle.model.work_words import (
    JobState,
    JobType,
    LeaseState,
    ReviewOutcome,
    WorkEventKind,
)

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook

_ACCEPTS: Final = (ReviewOutcome.ACCEPT, ReviewOutcome.ACCEPT_WITH_FINDINGS)
REVIEWS_LOOKED_AT: Final = 500
"""Earlier decisions of one review; its attempts are fewer."""


def decide(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    moment: Moment,
    *,
    decision: Decision,
    gate: Gate,
    job_id: JobId | None = None,
) -> Outcome:
    """
    Decide a review that was acknowledged.

    Raises:
        Refusal: As ``calling.holding``; ``invalid_transition`` for work that is no review, or a packet that
        was
            not acknowledged; ``artifact_error`` for findings that are no artifact of this attempt;
            ``fresh_review_byte_identical``; ``bad_arguments`` for a refusal without any reason; what the gate
            raises where it accepts.
    """
    before = answered_before(book, caller, session_id, lease_id, LeaseState.COMPLETED)
    if before is not None:
        return {**before, "status": "already_completed"}
    held = holding(book, caller, session_id, lease_id, moment.now_us, job_id=job_id)
    _refuse_work(held.job)
    if held.job.state is not JobState.RUNNING:
        raise Refusal(
            RefusalCode.INVALID_TRANSITION,
            "the packet was not acknowledged; nothing was decided",
            "Call work.ack, look at the work, then decide; review.submit does both.",
        )
    return _decided(book, held, moment, decision, gate=gate)


def submit(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    moment: Moment,
    *,
    publication: Publication | None,
    decision: Decision,
    gate: Gate,
    job_id: JobId | None = None,
) -> Outcome:
    """
    Acknowledge, publish and decide in one: either all of it is done or nothing.

    ``publication`` is None only where the lease had ended when the file was to be read.

    Raises:
        Refusal: As ``decide`` and ``artifact.publish``.
    """
    before = answered_before(book, caller, session_id, lease_id, LeaseState.COMPLETED)
    if before is not None:
        return {**before, "status": "already_completed"}
    held = holding(book, caller, session_id, lease_id, moment.now_us, job_id=job_id)
    _refuse_work(held.job)
    assert publication is not None
    if held.job.state is JobState.CLAIMED:
        ack(book, caller, session_id, lease_id, moment)
        held = holding(book, caller, session_id, lease_id, moment.now_us, job_id=job_id)
    artifact, _ = publish_within(book, held, moment, publication)
    full = attrs.evolve(decision, findings_artifact_id=artifact.artifact_id)
    return _decided(book, held, moment, full, gate=gate, more={"artifact": artifact_fields(artifact)})


def _decided(
    book: WorkBook,
    held: Holding,
    moment: Moment,
    decision: Decision,
    *,
    gate: Gate,
    more: Outcome | None = None,
) -> Outcome:
    findings = _findings(book, held, decision)
    _refuse_stale(book, held, findings)
    accepts = decision.outcome in _ACCEPTS
    if not decision.rationale.strip() and findings is None and decision.outcome is not ReviewOutcome.ACCEPT:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{decision.outcome.value} needs a reason. Nothing was decided.",
            "Give rationale, or findings_artifact_id of a published review.",
        )
    reviewed = reviewed_job(book, held.job)
    if decision.outcome is not ReviewOutcome.REJECT:
        _refuse_moved(reviewed)
    if accepts:
        gate(book, held)
    review = Review(
        review_id=ReviewId(moment.mint("review_")),
        run_id=held.run.run_id,
        job_id=held.job.job_id,
        attempt=held.job.attempt,
        reviewed_job_id=reviewed.job_id,
        reviewed_attempt=reviewed.attempt,
        session_id=held.session.session_id,
        outcome=decision.outcome,
        rationale=decision.rationale,
        findings_artifact_id=None if findings is None else findings.artifact_id,
        verdict_ids=decision.verdict_ids,
        recorded_at_us=moment.now_us,
    )
    book.add(
        review,
        moment.event(
            held.run,
            WorkEventKind.REVIEW_RECORDED,
            job_id=held.job.job_id,
            session_id=held.session.session_id,
            lease_id=held.lease.lease_id,
            subject=review.review_id,
            outcome=decision.outcome.value,
        ),
    )
    told = {
        "verdict": decision.outcome.value,
        "review_id": review.review_id,
        "reviewed_job_id": reviewed.job_id,
        **(more or {}),
    }
    if accepts:
        summary = decision.rationale or decision.outcome.value
        return finish(book, held, moment, summary=summary, more=told)
    if decision.outcome is ReviewOutcome.NEEDS_REVISION:
        reason = _reason(decision, findings)
        outcome = send_back(book, held, reviewed, moment, reason=reason, told=told)
        _end(book, held, moment, reason, outcome)
        after_a_move(book, held.run.run_id, moment)
        return outcome
    return _rejected(book, held, moment, reason=_reason(decision, findings), told=told)


def _rejected(book: WorkBook, held: Holding, moment: Moment, *, reason: str, told: Outcome) -> Outcome:
    """
    The run fails, and every claim in it ends.
    """
    outcome = {
        "status": "failed",
        "job_id": held.job.job_id,
        "job_state": JobState.FAILED.value,
        "run_state": "failed",
        **told,
        "next_action": "end this agent; the run has ended",
    }
    state = JOB_LIFE.after(held.job.state, JobInputs.fail)
    failed = replace(held.job, state=state, reason=reason, changed_at_us=moment.now_us)
    book.replace(held.job, failed)
    book.add(moment.event(held.run, WorkEventKind.JOB_FAILED, job_id=held.job.job_id))
    _end(book, held, moment, reason, outcome)
    stop_run(book, held.run, RunInputs.fail, moment, f"{held.job.name} rejected the work: {reason}")
    return outcome


def _end(book: WorkBook, held: Holding, moment: Moment, reason: str, outcome: Outcome) -> None:
    end_lease(book, held.lease, LeaseInputs.complete, moment, reason=reason, outcome=outcome)
    heard_of(book, held.session, moment.now_us)


def _findings(book: WorkBook, held: Holding, decision: Decision) -> Artifact | None:
    if decision.findings_artifact_id is None:
        return None
    found = [one for one in of_claim(book, held) if one.artifact_id == decision.findings_artifact_id]
    if not found:
        raise Refusal(
            RefusalCode.ARTIFACT_ERROR,
            f"{decision.findings_artifact_id} was not published in this attempt of the review. "
            "Nothing was decided.",
            "Call artifact.publish with kind review, and give its artifact_id; review.submit does both.",
        )
    return found[0]


def _refuse_stale(book: WorkBook, held: Holding, findings: Artifact | None) -> None:
    """
    A second look at a revised job that says the same to the byte is no second look.
    """
    if findings is None:
        return
    for earlier in book.reviews(job_id=held.job.job_id, limit=REVIEWS_LOOKED_AT):
        if earlier.findings_artifact_id is None or earlier.attempt == held.job.attempt:
            continue
        published = book.artifact(earlier.findings_artifact_id)
        if published is not None and published.sha256 == findings.sha256:
            raise Refusal(
                RefusalCode.FRESH_REVIEW_BYTE_IDENTICAL,
                f"the findings are those of attempt {earlier.attempt}, to the byte. Nothing was decided.",
                "Look at the revised work, write what you see now, and submit that.",
            )


def _refuse_work(job: Job) -> None:
    if job.type is not JobType.REVIEW:
        raise Refusal(
            RefusalCode.INVALID_TRANSITION,
            f"{job.name} is no review; nothing was decided",
            "Call work.complete with the verdict_ids of what you verified.",
        )


def _refuse_moved(reviewed: Job) -> None:
    if reviewed.state is not JobState.COMPLETED:
        raise Refusal(
            RefusalCode.INVALID_TRANSITION,
            f"{reviewed.name} is {reviewed.state.value}, so that there is nothing to decide about",
            "Call work.release; the review comes again when that job is done.",
        )


def _reason(decision: Decision, findings: Artifact | None) -> str:
    if decision.rationale.strip():
        return decision.rationale
    return "" if findings is None else f"see the review {findings.artifact_id} at {findings.path}"
