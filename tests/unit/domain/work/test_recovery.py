"""
What is taken back from those who are gone, and what a person decides.
"""

from __future__ import annotations

import pytest

from reticle.domain.work import claimed, recovery
from reticle.domain.work.ending import cancel_run
from reticle.model.codes import RefusalCode
from reticle.model.ids import JobId
from reticle.model.work_plan import JobPlan
from reticle.model.work_words import BlockerState, EscalationAction, JobState, RunState, Severity
from tests.unit.domain.work.desk import OPERATOR, Desk, refusal_of

ONE, TWO = JobPlan(id="one", role="maker"), JobPlan(id="two", role="maker", depends_on=["one"])


def test_the_sweep_takes_back_what_lapsed_and_nothing_else() -> None:
    """
    A dead agent's work is queued again by the daemon itself; a living one's is left alone.
    """
    desk = Desk(ONE, JobPlan(id="other", role="maker"))
    dead, alive = desk.claim(desk.agent(), seconds=60), desk.claim(desk.agent(), seconds=600)
    assert desk.look(lambda book: recovery.lapsed_runs(book, desk.moment().now_us)) == []
    desk.now += 61
    assert desk.look(lambda book: recovery.lapsed_runs(book, desk.moment().now_us)) == [desk.run.run_id]
    swept = desk.do(recovery.sweep_run, desk.run.run_id)
    assert [lease.lease_id for lease in swept] == [dead.lease.lease_id]
    assert desk.job(dead.job.name).state is JobState.QUEUED
    assert desk.job(alive.job.name).state is JobState.CLAIMED


def test_a_peer_that_was_gone_gives_its_packet_back_at_once() -> None:
    """
    A packet that was claimed for nobody waits for no lease, and costs no attempt; one that was acknowledged
    stays with its holder.
    """
    desk = Desk(ONE)
    gone = desk.claim(desk.agent(), seconds=3_600)
    assert desk.do(recovery.give_back_unheard, gone.lease.lease_id) is True
    assert desk.do(recovery.give_back_unheard, gone.lease.lease_id) is False
    heard = desk.claim(desk.agent())
    assert (heard.job.attempt, heard.lease.fencing > gone.lease.fencing) == (1, True)
    desk.with_packet(claimed.ack, heard)
    assert desk.do(recovery.give_back_unheard, heard.lease.lease_id) is False


def test_an_operator_takes_a_packet_back_on_purpose_only() -> None:
    """
    A claim that has time left is taken with a justification, and its holder is told.
    """
    desk = Desk(ONE)
    got = desk.claim(desk.agent(), seconds=3_600)
    take = (OPERATOR, desk.run.run_id, got.job.job_id)
    refused = refusal_of(desk.do, recovery.requeue_stale, *take, force="")
    assert (refused.code, refused.details["lease_id"]) == (RefusalCode.CONFLICT, got.lease.lease_id)
    (job,) = desk.do(recovery.requeue_stale, *take, force="it hangs")
    assert job.state is JobState.QUEUED
    assert refusal_of(desk.with_packet, claimed.ack, got).code == RefusalCode.LEASE_ERROR
    nobody = (OPERATOR, desk.run.run_id, JobId("job_x"))
    assert refusal_of(desk.do, recovery.requeue_stale, *nobody, force="").code == RefusalCode.NOT_FOUND


@pytest.mark.parametrize(
    ("action", "one", "two", "run"),
    [
        (EscalationAction.RETRY, JobState.QUEUED, JobState.BLOCKED, RunState.RUNNING),
        (EscalationAction.CANCEL_JOB, JobState.CANCELED, JobState.CANCELED, RunState.COMPLETED),
        (EscalationAction.CANCEL_RUN, JobState.CANCELED, JobState.CANCELED, RunState.CANCELED),
    ],
)
def test_what_a_person_decides_is_done(
    action: EscalationAction, one: JobState, two: JobState, run: RunState
) -> None:
    """
    While a person is asked the run says that it waits for them; their decision moves it on.
    """
    desk = Desk(ONE, TWO)
    got = desk.claim(desk.agent())
    stuck = {"job_id": None, "kind": "x", "severity": Severity.HUMAN_CHECKPOINT, "description": "which?"}
    desk.with_packet(claimed.block, got, **stuck)
    assert desk.run_now().state is RunState.NEEDS_OPERATOR
    (blocker,) = desk.open_blockers()
    decide = (recovery.resolve, OPERATOR, blocker.blocker_id)
    resolved, already = desk.do(*decide, action=action, resolution="the first")
    assert (resolved.state, resolved.resolved_by, already) == (
        BlockerState.RESOLVED,
        "token:operator",
        False,
    )
    assert (desk.job("one").state, desk.job("two").state, desk.run_now().state) == (one, two, run)
    assert desk.do(*decide, action=action, resolution="the second") == (resolved, True)


def test_a_canceled_run_lets_go_of_everything() -> None:
    """
    Once a run is given up no claim of it counts, nothing of it can be claimed, and its agents are free.
    """
    desk = Desk(ONE, TWO)
    got = desk.claim(desk.agent())
    desk.with_packet(claimed.ack, got)
    desk.do(cancel_run, desk.run_now(), reason="no")
    assert {desk.job("one").state, desk.job("two").state} == {JobState.CANCELED}
    assert desk.look(lambda book: book.active_lease(job_id=got.job.job_id)) is None
    assert desk.look(lambda book: book.live_message(got.job.job_id)) is None
    assert refusal_of(desk.with_packet, claimed.ack, got).code == RefusalCode.SESSION_INACTIVE
    assert refusal_of(desk.do, cancel_run, desk.run_now(), reason="no").code == RefusalCode.INVALID_TRANSITION
