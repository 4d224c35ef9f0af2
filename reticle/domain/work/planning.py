"""
A plan becomes a run: what is wrong with it is told whole, and what is right is written down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from reticle.domain.work.calling import WorkCaller, locked_run
from reticle.domain.work.ending import after_a_move
from reticle.domain.work.lives import RUN_LIFE, JobInputs, RunInputs
from reticle.domain.work.queue import Moment, make_claimable
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import JobId, RunId
from reticle.model.work import Dependency, Job, Run
from reticle.model.work_limits import DEPENDENCIES_PER_JOB, JOBS_PER_RUN, RUNS_KEPT
from reticle.model.work_plan import JobPlan, RolePlan, RunPlan
from reticle.model.work_words import JobState, JobType, RunState, WorkEventKind

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
"""Ids of jobs and names of roles."""


def checked(plan: RunPlan, more: Iterable[str] = ()) -> RunPlan:
    """
    A plan that can be run, with the roles that it leaves to be understood; ``more`` are faults that others
    found in it.

    Raises:
        Refusal: ``workflow_error``, with every fault; the same plan again will be refused again.
    """
    faults = [*_faults(plan), *more]
    if faults:
        raise Refusal(
            RefusalCode.WORKFLOW_ERROR,
            f"the plan has {len(faults)} fault(s), the first: {faults[0]}. Nothing was prepared.",
            "Mend what faults names, then call run.prepare again.",
            {"faults": faults[:50]},
        )
    reviewing = {job.role for job in plan.jobs if job.type is JobType.REVIEW}
    roles: dict[str, RolePlan] = dict(plan.roles)
    for job in plan.jobs:
        roles.setdefault(job.role, RolePlan(reviewer=job.role in reviewing))
    return replace(plan, roles=roles)


def prepare(
    book: WorkBook,
    caller: WorkCaller,
    plan: RunPlan,
    moment: Moment,
    *,
    source: str | None,
    source_sha256: str,
) -> Run:
    """
    Write down a run of a checked plan; nothing of it can be claimed before it is started.

    Raises:
        Refusal: ``conflict`` when there are too many runs and none of them has ended.
    """
    _make_room(book, caller)
    run = Run(
        run_id=RunId(moment.mint("run_")),
        repository_id=caller.repository_id,
        title=plan.title,
        state=RunState.READY,
        roles=plan.roles,
        source=source,
        source_sha256=source_sha256,
        prepared_by=moment.principal,
        reason="",
        prepared_at_us=moment.now_us,
    )
    ids = {job.id: JobId(moment.mint("job_")) for job in plan.jobs}
    book.add(run, *(_job(run, ids, job, place, moment) for place, job in enumerate(plan.jobs)))
    book.add(
        *(
            Dependency(job_id=ids[job.id], needs_job_id=ids[needed], run_id=run.run_id)
            for job in plan.jobs
            for needed in job.depends_on
        )
    )
    book.add(moment.event(run, WorkEventKind.RUN_PREPARED, subject=run.run_id, jobs=len(plan.jobs)))
    return run


def start(book: WorkBook, caller: WorkCaller, run_id: RunId, moment: Moment) -> tuple[Run, bool]:
    """
    Let the jobs that wait for none be claimed; gives the run, and whether it had been started before.

    Raises:
        Refusal: ``not_found``; ``invalid_transition`` once it has ended.
    """
    run = locked_run(book, caller, run_id)
    if run.state in (RunState.RUNNING, RunState.NEEDS_OPERATOR):
        return run, True
    state = RUN_LIFE.after(run.state, RunInputs.start)
    started = book.replace(run, replace(run, state=state, started_at_us=moment.now_us))
    book.add(moment.event(run, WorkEventKind.RUN_STARTED, subject=run_id))
    waiting = {job.job_id for job in book.jobs(run_id, state=JobState.BLOCKED) if job.plan.depends_on}
    for job in book.jobs(run_id, state=JobState.BLOCKED):
        if job.job_id not in waiting:
            make_claimable(book, started, job, JobInputs.ready, moment)
    after_a_move(book, run_id, moment)
    return started, False


def _job(run: Run, ids: Mapping[str, JobId], plan: JobPlan, place: int, moment: Moment) -> Job:
    return Job(
        job_id=ids[plan.id],
        run_id=run.run_id,
        name=plan.id,
        place=place,
        type=plan.type,
        role=plan.role,
        state=JobState.BLOCKED,
        priority=plan.priority,
        attempt=1,
        max_attempts=plan.max_attempts,
        fencing=0,
        claims=0,
        plan=plan,
        author_session_id=None,
        reason="",
        revision="",
        changed_at_us=moment.now_us,
    )


def _make_room(book: WorkBook, caller: WorkCaller) -> None:
    known = book.runs(caller.repository_id, limit=RUNS_KEPT)
    if len(known) < RUNS_KEPT:
        return
    over = [run for run in known if run.ended_at_us is not None]
    if not over:
        raise Refusal(
            RefusalCode.CONFLICT, f"{RUNS_KEPT} runs are the most, and none has ended", "Cancel some."
        )
    book.forget_run(over[-1].run_id)


def _faults(plan: RunPlan) -> Iterator[str]:
    if not plan.jobs:
        yield "it has no jobs"
    if len(plan.jobs) > JOBS_PER_RUN:
        yield f"it has {len(plan.jobs)} jobs; {JOBS_PER_RUN} are the most"
    names: set[str] = set()
    for job in plan.jobs:
        if job.id in names:
            yield f"two jobs are named {job.id}"
        names.add(job.id)
    for role in plan.roles:
        if not NAME.fullmatch(role):
            yield f"{role!r} is no name of a role"
    by_name = {job.id: job for job in plan.jobs}
    for job in plan.jobs:
        yield from _faults_of(job, by_name, plan.roles)
    circle = _circle(by_name)
    if circle:
        yield f"these jobs wait for each other: {', '.join(circle[:10])}"


def _faults_of(job: JobPlan, jobs: Mapping[str, JobPlan], roles: Mapping[str, RolePlan]) -> Iterator[str]:
    if not NAME.fullmatch(job.id):
        yield f"{job.id!r} is no id of a job"
    if not NAME.fullmatch(job.role):
        yield f"{job.id}: {job.role!r} is no name of a role"
    if len(job.depends_on) > DEPENDENCIES_PER_JOB:
        yield f"{job.id} waits for more than {DEPENDENCIES_PER_JOB} jobs"
    if len(set(job.depends_on)) < len(job.depends_on):
        yield f"{job.id} names a job twice in depends_on"
    yield from (f"{job.id} waits for {name}, which is no job" for name in job.depends_on if name not in jobs)
    if job.type is JobType.REVIEW:
        role = roles.get(job.role)
        if role is not None and not role.reviewer:
            yield f"{job.id} is a review, and the role {job.role} is not declared a reviewer"
        yield from _faults_of_review(job, jobs)
    elif job.reviews is not None:
        yield f"{job.id} has reviews and is no review"


def _faults_of_review(job: JobPlan, jobs: Mapping[str, JobPlan]) -> Iterator[str]:
    if not job.depends_on:
        yield f"{job.id} is a review and waits for no job"
    elif job.reviews is None and len(job.depends_on) > 1:
        yield f"{job.id} is a review of several jobs; reviews must name the one that it judges"
    elif job.reviews is not None and job.reviews not in job.depends_on:
        yield f"{job.id} reviews {job.reviews}, which is not in its depends_on"
    else:
        judged = jobs.get(job.reviews or job.depends_on[0])
        if judged is not None and judged.type is JobType.REVIEW:
            yield f"{job.id} reviews {judged.id}, which is a review"


def _circle(jobs: Mapping[str, JobPlan]) -> Sequence[str]:
    """
    Jobs that can never begin, because they wait for each other; empty when there are none.
    """
    left = {name: {each for each in job.depends_on if each in jobs} for name, job in jobs.items()}
    waiting_for: dict[str, list[str]] = {}
    for name, needs in left.items():
        for needed in needs:
            waiting_for.setdefault(needed, []).append(name)
    free = [name for name, needs in left.items() if not needs]
    while free:
        done = free.pop()
        del left[done]
        for name in waiting_for.get(done, ()):
            left[name].discard(done)
            if not left[name]:
                free.append(name)
    return sorted(left)
