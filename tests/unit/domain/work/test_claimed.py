"""
What the holder of a packet may do with it, and that nobody else may.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.work import claimed
from reticle.domain.work.calling import Holding, WorkCaller
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.work_plan import JobPlan, RolePlan
from reticle.model.work_words import JobState, JobType, RunState, Severity, WorkSessionState
from reticle.ports.work import WorkBook
from tests.unit.domain.work.desk import OPERATOR, SHOP, Desk, open_gate, refusal_of

ONE = JobPlan(id="one", role="maker")
ENDS: list[tuple[Any, dict[str, Any]]] = [
    (claimed.ack, {}),
    (claimed.heartbeat, {}),
    (claimed.release, {"reason": ""}),
    (claimed.block, {"job_id": None, "kind": "x", "severity": Severity.BLOCKED, "description": "d"}),
    (claimed.complete, {"job_id": None, "summary": "", "gate": open_gate}),
]
each_call = pytest.mark.parametrize(("rule", "more"), ENDS, ids=lambda each: getattr(each, "__name__", ""))


@each_call
def test_a_late_call_changes_nothing(rule: Any, more: dict[str, Any]) -> None:
    """
    An agent whose time was over can do nothing with its packet, whoever holds it now.
    """
    desk = Desk(ONE)
    late = desk.claim(desk.agent())
    desk.with_packet(claimed.ack, late)
    desk.now += 61
    assert refusal_of(desk.with_packet, rule, late, **more).code == RefusalCode.LEASE_ERROR
    holder = desk.claim(desk.agent())
    assert refusal_of(desk.with_packet, rule, late, **more).code == RefusalCode.LEASE_ERROR
    assert desk.claim(desk.agent_of(holder)).lease == holder.lease


@each_call
def test_another_session_cannot_touch_a_packet(rule: Any, more: dict[str, Any]) -> None:
    """
    Whoever knows a lease's id has nothing of it without its session.
    """
    desk = Desk(ONE)
    got, other = desk.claim(desk.agent()), desk.agent()
    refused = refusal_of(desk.do, rule, OPERATOR, other.session_id, got.lease.lease_id, **more)
    assert refused.code == RefusalCode.LEASE_ERROR


@each_call
def test_a_sessions_token_acts_as_no_other_session(rule: Any, more: dict[str, Any]) -> None:
    """
    An agent cannot act as another one, even with that one's ids; the token of an ended session is told so by
    its successor's name.
    """
    desk = Desk(ONE, roles={"maker": RolePlan(slots=2)})
    mine, other = desk.agent(), desk.agent()
    got = desk.claim(mine)
    caller = WorkCaller("token:x", SHOP, other.token_id, bound=True)
    refused = refusal_of(desk.do, rule, caller, mine.session_id, got.lease.lease_id, **more)
    assert refused.code == RefusalCode.CAPABILITY_DENIED
    heir = desk.agent(slot=other.slot, replace=True, force_live=True, reason="test")
    refused = refusal_of(desk.do, rule, caller, heir.session_id, got.lease.lease_id, **more)
    assert refused.code == RefusalCode.SESSION_TOKEN_STALE


@each_call
def test_another_repositorys_run_is_not_there(rule: Any, more: dict[str, Any]) -> None:
    """
    Nobody learns of runs of a repository that the call does not name.
    """
    desk = Desk(ONE)
    got = desk.claim(desk.agent())
    elsewhere = WorkCaller("local", SHOP.__class__("another"))
    refused = refusal_of(desk.do, rule, elsewhere, got.lease.session_id, got.lease.lease_id, **more)
    assert refused.code == RefusalCode.NOT_FOUND


@pytest.mark.parametrize(("rule", "more"), ENDS[2:], ids=["release", "block", "complete"])
def test_an_end_that_comes_twice_is_answered_the_same(rule: Any, more: dict[str, Any]) -> None:
    """
    An agent that lost the answer may call again, also once the run is over, and is told what was done.
    """
    desk = Desk(ONE)
    got = desk.claim(desk.agent())
    desk.with_packet(claimed.ack, got)
    first = dict(desk.with_packet(rule, got, **more))
    again = dict(desk.with_packet(rule, got, **more))
    assert again.pop("status") == f"already_{first.pop('status')}"
    assert again == first


def test_acknowledging_twice_is_one_acknowledgement() -> None:
    """
    The second acknowledgement is answered as the first and begins nothing anew.
    """
    desk = Desk(ONE)
    got = desk.claim(desk.agent())
    assert desk.with_packet(claimed.ack, got) == desk.with_packet(claimed.ack, got)
    assert desk.job("one").state is JobState.RUNNING


def test_a_heartbeat_extends_by_the_leases_own_length_and_never_shortens() -> None:
    """
    An hour's claim stays an hour's, and a small extension takes nothing away.
    """
    desk = Desk(ONE)
    got = desk.claim(desk.agent(), seconds=3_600)
    before = got.lease.until_us
    desk.with_packet(claimed.heartbeat, got, extend_seconds=5)
    assert lease_until(desk, got) == before
    desk.now += 100
    desk.with_packet(claimed.heartbeat, got)
    assert lease_until(desk, got) == before + 100_000_000


def lease_until(desk: Desk, got: Any) -> int:
    """
    When a lease ends now.
    """
    lease = desk.look(lambda book: book.lease(got.lease.lease_id))
    assert lease is not None
    return lease.until_us


def test_nothing_is_completed_before_it_was_acknowledged() -> None:
    """
    Who never said that it has the packet has not done it.
    """
    desk = Desk(ONE)
    got = desk.claim(desk.agent())
    refused = refusal_of(desk.with_packet, claimed.complete, got, job_id=None, summary="", gate=open_gate)
    assert refused.code == RefusalCode.INVALID_TRANSITION


def test_a_closed_gate_leaves_the_packet_with_its_holder() -> None:
    """
    A refused completion costs neither claim nor attempt: the agent mends it and completes again.
    """
    desk = Desk(ONE)
    got = desk.claim(desk.agent())
    desk.with_packet(claimed.ack, got)

    def closed(_: WorkBook, held: Holding) -> None:
        raise Refusal(RefusalCode.VERDICT_MISSING, held.job.name)

    refused = refusal_of(desk.with_packet, claimed.complete, got, job_id=None, summary="", gate=closed)
    assert (refused.code, refused.message) == (RefusalCode.VERDICT_MISSING, "one")
    assert desk.job("one").state is JobState.RUNNING
    done = desk.with_packet(claimed.complete, got, job_id=None, summary="", gate=open_gate)
    assert done["status"] == "completed"


def test_a_review_is_not_completed_as_work() -> None:
    """
    A review ends by its decision and by nothing else.
    """
    desk = Desk(ONE, JobPlan(id="judge", role="judge", type=JobType.REVIEW, depends_on=["one"]))
    desk.done(desk.agent())
    got = desk.claim(desk.agent("judge"))
    desk.with_packet(claimed.ack, got)
    refused = refusal_of(desk.with_packet, claimed.complete, got, job_id=None, summary="", gate=open_gate)
    assert refused.code == RefusalCode.INVALID_TRANSITION


def test_the_last_job_ends_the_run_and_its_sessions() -> None:
    """
    When all is done nobody waits any more.
    """
    desk = Desk(ONE, JobPlan(id="two", role="maker", depends_on=["one"]))
    agent, idler = desk.agent(), desk.agent()
    desk.done(agent)
    assert desk.run_now().state is RunState.RUNNING
    desk.done(agent)
    run = desk.run_now()
    assert (run.state, run.ended_at_us) == (RunState.COMPLETED, round(desk.now * 1_000_000))
    assert desk.session_now(idler).state is WorkSessionState.ENDED


def test_a_released_packet_is_the_next_ones() -> None:
    """
    What one gives back another one gets, with the reason, as a new attempt once it was begun.
    """
    desk = Desk(ONE)
    got = desk.claim(desk.agent())
    assert desk.with_packet(claimed.release, got, reason="not mine")["attempt_preserved"] is True
    second = desk.claim(desk.agent())
    desk.with_packet(claimed.ack, second)
    told = desk.with_packet(claimed.release, second, reason="too hard")
    assert (told["attempt"], told["job_state"]) == (2, "queued")
    assert desk.job("one").reason == "its holder gave it back: too hard"
