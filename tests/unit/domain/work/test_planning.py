"""
A plan becomes a run, or is refused with every fault of it.
"""

from __future__ import annotations

import pytest

from reticle.domain.work import planning
from reticle.domain.work.planning import checked, prepare, start
from reticle.model.codes import RefusalCode
from reticle.model.work import Run
from reticle.model.work_plan import JobPlan, RolePlan, RunPlan
from reticle.model.work_words import JobState, JobType, RunState
from tests.unit.domain.work.desk import OPERATOR, SHOP, Desk, refusal_of


def job(name: str, *needs: str, role: str = "maker", **more: object) -> JobPlan:
    """
    A job that waits for others.
    """
    return JobPlan(id=name, role=role, depends_on=needs, **more)  # type: ignore[arg-type]  # fields of a job


@pytest.mark.parametrize(
    ("jobs", "roles", "fault"),
    [
        ([], {}, "it has no jobs"),
        ([job("a"), job("a")], {}, "two jobs are named a"),
        ([job("a b")], {}, "'a b' is no id of a job"),
        ([job("a", role="x y")], {}, "a: 'x y' is no name of a role"),
        ([job("a", "b")], {}, "a waits for b, which is no job"),
        ([job("a", "a")], {}, "these jobs wait for each other: a"),
        ([job("a", "b"), job("b", "c"), job("c", "a")], {}, "these jobs wait for each other: a, b, c"),
        ([job("a"), job("b", "a", "a")], {}, "b names a job twice in depends_on"),
        ([job("a", type=JobType.REVIEW)], {}, "a is a review and waits for no job"),
        ([job("a"), job("b", "a", reviews="a")], {}, "b has reviews and is no review"),
        (
            [job("a"), job("b"), job("c", "a", "b", type=JobType.REVIEW)],
            {},
            "c is a review of several jobs; reviews must name the one that it judges",
        ),
        (
            [job("a"), job("b", "a", type=JobType.REVIEW)],
            {"maker": RolePlan()},
            "b is a review, and the role maker is not declared a reviewer",
        ),
        (
            [job("a"), job("b", "a", type=JobType.REVIEW), job("c", "b", type=JobType.REVIEW)],
            {},
            "c reviews b, which is a review",
        ),
    ],
)
def test_what_is_wrong_with_a_plan_is_said(
    jobs: list[JobPlan], roles: dict[str, RolePlan], fault: str
) -> None:
    """
    Who wrote a plan learns all that is wrong with it at once, in words.
    """
    refused = refusal_of(checked, RunPlan(jobs=jobs, roles=roles))
    assert refused.code == RefusalCode.WORKFLOW_ERROR
    assert fault in refused.details["faults"]  # type: ignore[operator]  # a list of texts


def test_roles_are_understood_from_the_jobs() -> None:
    """
    A plan without roles works: who has reviews to do may review.
    """
    plan = checked(RunPlan(jobs=[job("a"), job("b", "a", role="judge", type=JobType.REVIEW)]))
    assert {name: role.reviewer for name, role in plan.roles.items()} == {"maker": False, "judge": True}


def test_a_thousand_jobs_in_a_row_are_no_circle() -> None:
    """
    A long plan is checked in one go, however deep it is.
    """
    jobs = [job("j0"), *(job(f"j{place}", f"j{place - 1}") for place in range(1, 1_000))]
    assert len(checked(RunPlan(jobs=jobs)).jobs) == 1_000


def test_what_waits_for_nothing_is_queued_at_the_start() -> None:
    """
    Nothing can be claimed before the operator starts the run, and then what waits for no other job.
    """
    desk = Desk(job("a"), job("b", "a"), begin=False)
    assert desk.job("a").state is JobState.BLOCKED
    run, already = desk.do(start, OPERATOR, desk.run.run_id)
    assert (run.state, already) == (RunState.RUNNING, False)
    assert (desk.job("a").state, desk.job("b").state) == (JobState.QUEUED, JobState.BLOCKED)
    assert desk.do(start, OPERATOR, desk.run.run_id)[1] is True


def test_what_waited_for_several_is_queued_after_the_last() -> None:
    """
    A job begins when all that it waits for is done, and no sooner.
    """
    desk = Desk(job("a"), job("b"), job("c", "a", "b", role="tester"))
    agent = desk.agent()
    desk.done(agent)
    assert desk.job("c").state is JobState.BLOCKED
    desk.done(agent)
    assert desk.job("c").state is JobState.QUEUED


def test_the_oldest_run_that_ended_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A daemon of many months does not grow without end, and no run that goes on is ever forgotten.
    """
    monkeypatch.setattr(planning, "RUNS_KEPT", 2)
    desk = Desk(job("a"))
    plan = checked(RunPlan(jobs=[job("a")]))

    def another() -> Run:
        desk.now += 1
        return desk.do(prepare, OPERATOR, plan, source=None, source_sha256="")

    second = another()
    assert refusal_of(another).code == RefusalCode.CONFLICT
    desk.done(desk.agent())
    third = another()
    kept = desk.look(lambda book: book.runs(SHOP, limit=9))
    assert [run.run_id for run in kept] == [third.run_id, second.run_id]
    assert desk.look(lambda book: book.jobs(desk.run.run_id)) == []
    assert desk.look(lambda book: book.events(run_id=desk.run.run_id, limit=9)) == []
