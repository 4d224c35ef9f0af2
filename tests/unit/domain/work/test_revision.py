"""
Work that is sent back comes again, and no review of it counts that was of the attempt before.
"""

from __future__ import annotations

import pytest

from reticle.domain.work import claimed, review
from reticle.domain.work.claim import Claimed, Idle
from reticle.domain.work.review_words import Decision
from reticle.model.codes import RefusalCode
from reticle.model.work import WorkSession
from reticle.model.work_plan import JobPlan, RolePlan
from reticle.model.work_words import JobState, JobType, NoWork, ReviewOutcome
from tests.unit.domain.work.desk import Desk, open_gate, refusal_of

ACCEPT, REVISE = ReviewOutcome.ACCEPT, ReviewOutcome.NEEDS_REVISION
ROLES = {"maker": RolePlan(), "judge": RolePlan(slots=3, reviewer=True)}


def a_review(name: str, of: str = "make") -> JobPlan:
    """
    One of several reviews.
    """
    return JobPlan(id=name, role="judge", type=JobType.REVIEW, depends_on=[of])


def desk_with(*jobs: JobPlan, max_attempts: int = 3) -> Desk:
    """
    Work that was made once, and what waits for it.
    """
    desk = Desk(JobPlan(id="make", role="maker", max_attempts=max_attempts), *jobs, roles=ROLES)
    desk.done(desk.agent())
    return desk


def looking(desk: Desk, judge: WorkSession) -> Claimed:
    """
    A reviewer with an acknowledged packet.
    """
    got = desk.claim(judge)
    desk.with_packet(claimed.ack, got)
    return got


def decides(desk: Desk, got: Claimed, outcome: ReviewOutcome) -> claimed.Outcome:
    """
    What a reviewer is told.
    """
    return desk.with_packet(review.decide, got, decision=Decision(outcome, "because"), gate=open_gate)


@pytest.mark.parametrize("state", [JobState.QUEUED, JobState.CLAIMED, JobState.RUNNING, JobState.COMPLETED])
def test_every_review_looks_at_the_next_attempt(state: JobState) -> None:
    """
    Two reviewers: what one of them is at, or said already, when the other sends the work back, lets nothing
    through, and that reviewer looks again at what was made anew.
    """
    desk = desk_with(
        a_review("r1"), a_review("r2"), JobPlan(id="ship", role="maker", depends_on=["r1", "r2"])
    )
    one, other = desk.agent("judge"), desk.agent("judge")
    sends_back = looking(desk, one)
    late = None if state is JobState.QUEUED else desk.claim(other)
    if late is not None and state is not JobState.CLAIMED:
        desk.with_packet(claimed.ack, late)
    if late is not None and state is JobState.COMPLETED:
        decides(desk, late, ACCEPT)
    assert desk.job("r2").state is state

    decides(desk, sends_back, REVISE)

    assert [desk.job(name).state for name in ("make", "r1", "r2", "ship")] == [
        JobState.QUEUED,
        *[JobState.BLOCKED] * 3,
    ]
    if late is not None and state is not JobState.COMPLETED:
        refusal = refusal_of(decides, desk, late, ACCEPT)
        assert (refusal.code, "sent make back" in refusal.message) == (RefusalCode.LEASE_ERROR, True)
    desk.done(desk.agent())
    decides(desk, looking(desk, one), ACCEPT)
    assert desk.job("ship").state is JobState.BLOCKED, "let through by a look at the attempt before"
    decides(desk, looking(desk, other), ACCEPT)
    assert desk.job("ship").state is JobState.QUEUED


def test_what_has_begun_is_not_undone() -> None:
    """
    An acceptance that let somebody begin stays; the reviews of other jobs are not touched.
    """
    desk = desk_with(
        a_review("r1"),
        a_review("r2"),
        JobPlan(id="ship", role="maker", depends_on=["r1"]),
        JobPlan(id="other", role="maker"),
        a_review("r3", of="other"),
    )
    desk.done(desk.agent())
    one, two = desk.agent("judge"), desk.agent("judge")
    first, second = looking(desk, one), looking(desk, two)
    decides(desk, first, ACCEPT)
    decides(desk, second, REVISE)
    assert desk.job("r1").state is JobState.COMPLETED
    assert desk.job("ship").state is JobState.QUEUED
    assert desk.job("r3").state is JobState.QUEUED


def test_after_the_last_attempt_nobody_looks_on() -> None:
    """
    After the last attempt no review can be claimed any more: a person has the job.
    """
    desk = desk_with(a_review("r1"), a_review("r2"), max_attempts=1)
    one, other = desk.agent("judge"), desk.agent("judge")
    told = decides(desk, looking(desk, one), REVISE)
    assert told["status"] == "waiting_human"
    assert desk.job("r2").state is JobState.BLOCKED
    idle = desk.asks(other)
    assert isinstance(idle, Idle)
    assert idle.reason is NoWork.RUN_NEEDS_OPERATOR
