"""
Who gets which packet, and why there is none.
"""

from __future__ import annotations

import json

import pytest

from reticle.domain.work import claimed, recovery
from reticle.domain.work.claim import Idle
from reticle.domain.work.ending import cancel_run
from reticle.domain.work.sessions import close
from reticle.model.work_limits import CANDIDATES
from reticle.model.work_plan import JobPlan, RequiredVerdict, RolePlan
from reticle.model.work_words import IdleBehavior, JobState, JobType, NoWork, Severity
from tests.unit.domain.work.desk import OPERATOR, Desk

ONE = JobPlan(id="one", role="maker", title="Mend the cart", prompt="Make it count.")


def idle(desk: Desk, session: object) -> Idle:
    """
    Why there is nothing.
    """
    got = desk.asks(session)  # type: ignore[arg-type]  # a session
    assert isinstance(got, Idle)
    return got


def test_the_most_urgent_comes_first_then_the_oldest() -> None:
    """
    What was planned as more important is done before what came earlier.
    """
    desk = Desk(
        JobPlan(id="a", role="maker"),
        JobPlan(id="b", role="maker"),
        JobPlan(id="c", role="maker", priority=5),
    )
    agent = desk.agent()
    assert [desk.done(agent).job.name for _ in range(3)] == ["c", "a", "b"]


def test_a_session_that_asks_again_gets_its_packet_again() -> None:
    """
    An agent that lost the answer does not lose the packet, and nobody holds two.
    """
    desk = Desk(ONE, JobPlan(id="two", role="maker"))
    agent = desk.agent()
    first, again = desk.claim(agent), desk.claim(agent)
    assert (again.again, again.packet, again.lease) == (True, first.packet, first.lease)


def test_a_packet_tells_all_that_is_needed() -> None:
    """
    An agent knows from the packet alone what to do, within what time and where.
    """
    desk = Desk(ONE)
    got = desk.claim(desk.agent(), seconds=90)
    packet = json.loads(got.packet.document)
    assert packet["format"] == "reticle.work-packet.v1"
    assert packet["job"]["title"] == "Mend the cart"
    assert packet["task_prompt"] == "Make it count."
    assert packet["run"]["repo_root"] == "/srv/shop"
    assert (packet["lease"]["seconds"], packet["lease"]["heartbeat_after_seconds"]) == (90, 30)
    assert packet["lease"]["lease_id"] == got.lease.lease_id
    assert "previous_attempt" not in packet


@pytest.mark.parametrize("type_", JobType)
def test_a_packet_says_how_its_proof_is_made(type_: JobType) -> None:
    """
    Who must prove something is told to open the page first, whether they make the work or judge it; nobody
    else is.
    """
    asked = RequiredVerdict(claim={"kind": "text", "contains": "8"}, url="http://localhost:3000/")
    for proofs in ([], [asked]):
        desk = Desk(
            JobPlan(id="one", role="maker", requires_verdict=[] if type_ is JobType.REVIEW else proofs),
            JobPlan(
                id="look", role="judge", type=JobType.REVIEW, depends_on=["one"], requires_verdict=proofs
            ),
        )
        if type_ is JobType.REVIEW:
            desk.done(desk.agent())
        got = desk.claim(desk.agent("judge" if type_ is JobType.REVIEW else "maker"))
        steps = "; ".join(json.loads(got.packet.document)["next_steps"])
        assert ("reticle_lease" in steps, "with verdict_ids" in steps) == (bool(proofs), bool(proofs))
        assert ("review.submit" in steps) is (type_ is JobType.REVIEW)


def test_the_next_holder_reads_why_the_last_claim_ended() -> None:
    """
    Whoever takes over half-done work knows that it does.
    """
    desk = Desk(ONE)
    first = desk.claim(desk.agent())
    desk.with_packet(claimed.ack, first)
    desk.now += 61
    second = desk.claim(desk.agent())
    packet = json.loads(second.packet.document)
    assert packet["previous_attempt"] == "the time of its lease was over"
    assert packet["job"]["attempt"] == 2
    assert second.lease.fencing > first.lease.fencing


def test_nobody_reviews_its_own_work() -> None:
    """
    A review is left for another session than the one that made what it judges.
    """
    desk = Desk(
        ONE,
        JobPlan(id="judge", role="maker", type=JobType.REVIEW, depends_on=["one"]),
        roles={"maker": RolePlan(reviewer=True)},
    )
    author, other = desk.agent(), desk.agent()
    desk.done(author)
    assert idle(desk, author).reason is NoWork.OWN_WORK
    assert desk.claim(other).job.name == "judge"


def test_work_behind_many_reviews_of_ones_own_is_found() -> None:
    """
    An agent that made much gets what else waits, however many reviews of its own work come before it.
    """
    many = range(CANDIDATES + 1)
    made = [JobPlan(id=f"m{number}", role="maker", priority=1) for number in many]
    judged = [
        JobPlan(id=f"r{number}", role="maker", type=JobType.REVIEW, depends_on=[f"m{number}"], priority=1)
        for number in many
    ]
    desk = Desk(*made, *judged, JobPlan(id="last", role="maker"), roles={"maker": RolePlan(reviewer=True)})
    agent = desk.agent()
    for _ in many:
        desk.done(agent)
    assert desk.claim(agent).job.name == "last"


def test_each_want_of_work_has_its_reason() -> None:
    """
    An agent without work learns whether to wait or to end, and what it waits for.
    """
    desk = Desk(ONE, JobPlan(id="two", role="tester", depends_on=["one"]), begin=False)
    maker, tester = desk.agent(), desk.agent("tester")
    assert idle(desk, maker).reason is NoWork.RUN_NOT_STARTED
    from reticle.domain.work.planning import start

    desk.do(start, OPERATOR, desk.run.run_id)
    assert idle(desk, tester).reason is NoWork.WAITING_FOR_JOBS
    desk.claim(maker)
    other = desk.agent()
    waiting = idle(desk, other)
    assert (waiting.reason, waiting.behavior) == (NoWork.ALL_CLAIMED, IdleBehavior.KEEP_WAITING)
    assert waiting.next_lapse_us == round((desk.now + 60) * 1_000_000)
    desk.now += 61
    desk.done(other)
    assert idle(desk, other).reason is NoWork.NOTHING_FOR_ROLE
    desk.do(close, OPERATOR, other.session_id, reason="done")
    ended = idle(desk, other)
    assert (ended.reason, ended.behavior) == (NoWork.SESSION_CLOSED, IdleBehavior.EXIT_SESSION)


@pytest.mark.parametrize("end", ["completed", "canceled", "needs_operator"])
def test_a_run_that_is_over_sends_its_agents_home(end: str) -> None:
    """
    When nothing will come any more an agent is told to end; while a person is asked it waits.
    """
    desk = Desk(ONE)
    agent = desk.agent()
    if end == "completed":
        desk.done(agent)
    elif end == "canceled":
        desk.do(cancel_run, desk.run_now(), reason="no")
    else:
        got = desk.claim(agent)
        more = {"job_id": None, "kind": "x", "severity": Severity.HUMAN_CHECKPOINT, "description": "?"}
        desk.with_packet(claimed.block, got, **more)
    told = idle(desk, agent)
    assert told.reason.value == f"run_{end}"
    stays = end == "needs_operator"
    assert told.behavior is (IdleBehavior.KEEP_WAITING if stays else IdleBehavior.EXIT_SESSION)


def test_attempts_that_are_used_up_are_a_persons_to_decide() -> None:
    """
    Work that nobody can do does not go round for ever: it waits for a person, who may give it more tries.
    """
    desk = Desk(JobPlan(id="one", role="maker", max_attempts=2))
    agent = desk.agent()
    for _ in range(2):
        desk.with_packet(claimed.ack, desk.claim(agent))
        desk.now += 61
    assert idle(desk, agent).reason is NoWork.RUN_NEEDS_OPERATOR
    (blocker,) = desk.open_blockers()
    assert (blocker.kind, blocker.severity) == ("recovery_exhausted", Severity.HUMAN_CHECKPOINT)
    from reticle.model.work_words import EscalationAction

    desk.do(recovery.resolve, OPERATOR, blocker.blocker_id, action=EscalationAction.RETRY, resolution="again")
    assert desk.job("one").state is JobState.QUEUED
    assert desk.claim(agent).job.attempt == 3


def test_a_claim_that_nobody_acknowledged_costs_no_attempt_but_not_for_ever() -> None:
    """
    Peers that were gone before they had their packet do not use up its attempts; twenty of them are a fault
    for a person.
    """
    desk = Desk(ONE)
    agent = desk.agent()
    for _ in range(20):
        assert desk.claim(agent).job.attempt == 1
        desk.now += 61
    assert idle(desk, agent).reason is NoWork.RUN_NEEDS_OPERATOR
