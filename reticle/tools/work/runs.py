"""
``run.*``, ``list.runs`` and ``list.jobs``: what is to be done, and how far it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from reticle.domain.work.calling import locked_run, run_meant
from reticle.domain.work.ending import cancel_run
from reticle.domain.work.plan_gates import gate_faults
from reticle.domain.work.planning import checked, prepare, start
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import RepositoryId, RunId
from reticle.model.limits import PATH_CHARS
from reticle.model.work_limits import (
    JOBS_PER_RUN,
    LINE_CHARS,
    LISTED,
    PLAN_BYTES,
    TITLE_CHARS,
)
from reticle.model.work_words import BlockerState, JobState, RunState, WorkSessionState
from reticle.ports import CallContext, WorkBook, WorkReading
from reticle.tools.fields import told
from reticle.tools.spec import ToolAnnotations, ToolAnswer
from reticle.tools.work.calls import (
    ID,
    OF_WORK,
    READING,
    Name,
    RunArguments,
    Text,
    WorkArguments,
    caller_of,
    changed,
    moment_of_call,
    root_of,
    run_id_of,
    seen_of,
)
from reticle.tools.work.given_plan import GivenJob, GivenPlan, GivenRole, plan_of
from reticle.tools.work.list_pages import After, behind, part_of
from reticle.tools.work.plan_files import read_plan
from reticle.tools.work.shown import blocker_fields, counts, job_fields, run_fields, session_fields

_SHOWN = 50
"""Jobs and sessions of one detail; an agent reads all of it, and the lists have the rest."""

Limit = Annotated[int, Meta(ge=1, le=LISTED)]


class PrepareArguments(WorkArguments, frozen=True, kw_only=True):
    """
    A plan, or its file.
    """

    workflow: Annotated[
        Annotated[str, Meta(min_length=1, max_length=PATH_CHARS)] | None,
        Meta(description="A .toml or .json file of the repository with title, roles and jobs."),
    ] = None
    jobs: Annotated[
        Annotated[list[GivenJob], Meta(max_length=JOBS_PER_RUN)] | None,
        Meta(description="The jobs, in place of a file; each has an id, a role and a prompt."),
    ] = None
    roles: Annotated[
        dict[str, GivenRole] | None,
        Meta(description="By name, how many agents at once (slots) and who may review (reviewer)."),
    ] = None
    title: Annotated[
        Annotated[str, Meta(max_length=TITLE_CHARS)], Meta(description="What people call the run.")
    ] = ""


class CancelArguments(RunArguments, frozen=True, kw_only=True):
    """
    Which run, and why.
    """

    reason: Annotated[Text, Meta(description="Why, for people.")] = ""


class ListRunsArguments(WorkArguments, frozen=True, kw_only=True):
    """
    Which runs.
    """

    state: Annotated[RunState | None, Meta(description="Only those in this state.")] = None
    after: After = None
    limit: Annotated[Limit, Meta(description="How many at most, the newest first.")] = 50


class ListJobsArguments(RunArguments, frozen=True, kw_only=True):
    """
    Which jobs.
    """

    state: Annotated[JobState | None, Meta(description="Only those in this state.")] = None
    role: Annotated[Name | None, Meta(description="Only those of this role.")] = None
    after: Annotated[
        Annotated[int, Meta(ge=-1)], Meta(description="next_cursor of the last answer; goes on there.")
    ] = -1
    limit: Annotated[Limit, Meta(description="How many at most, in the plan's order.")] = 50


async def prepare_run(context: CallContext, arguments: PrepareArguments) -> ToolAnswer:
    """
    Write a run down; nothing of it can be claimed before it is started.

    Raises:
        Refusal: ``bad_arguments``; ``workflow_error`` with every fault of the plan, or for a file of none;
            ``conflict`` when there are too many runs.
    """
    if (arguments.workflow is None) == (arguments.jobs is None):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "one of workflow and jobs says what is to be done. Nothing ran.",
            "Pass jobs: [{id, role, prompt}], or workflow: a file of the repository.",
        )
    if arguments.workflow is None:
        given = GivenPlan(title=arguments.title, roles=arguments.roles or {}, jobs=arguments.jobs or [])
        text = msgspec.json.encode(given)
    else:
        given, text = await _from_file(context, arguments, arguments.workflow)
    plan = plan_of(given)
    plan = checked(plan, gate_faults(plan))
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> RunId:
        return prepare(
            book,
            caller,
            plan,
            moment,
            source=arguments.workflow,
            source_sha256=hashlib.sha256(text).hexdigest(),
        ).run_id

    run_id = await changed(context, rule)
    return ToolAnswer(
        {
            "run_id": run_id,
            "state": RunState.READY.value,
            "jobs": len(plan.jobs),
            "roles": {
                name: {"slots": role.slots, "reviewer": role.reviewer} for name, role in plan.roles.items()
            },
            "next_action": "run.start, then session.register for each agent",
        }
    )


async def _from_file(context: CallContext, arguments: PrepareArguments, path: str) -> tuple[GivenPlan, bytes]:
    if arguments.roles is not None:
        raise Refusal(RefusalCode.BAD_ARGUMENTS, "roles stand in the file. Nothing ran.", "Leave roles out.")
    document, text = await read_plan(context, root_of(context, arguments), path, PLAN_BYTES)
    try:
        given = msgspec.convert(document, GivenPlan)
    except msgspec.ValidationError as fault:
        raise Refusal(
            RefusalCode.WORKFLOW_ERROR, f"{path}: {fault}. Nothing was prepared.", "Mend the file."
        ) from None
    return (msgspec.structs.replace(given, title=arguments.title) if arguments.title else given), text


async def start_run(context: CallContext, arguments: RunArguments) -> ToolAnswer:
    """
    Let the jobs that wait for none be claimed; may be called twice.

    Raises:
        Refusal: ``not_found``; ``invalid_transition`` once it has ended.
    """
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> Mapping[str, object]:
        run, already = start(book, caller, run_id_of(arguments), moment)
        return {
            **run_fields(run),
            "already_started": already,
            "jobs": counts(book.job_states(run.run_id)),
        }

    return ToolAnswer({**await changed(context, rule), "next_action": "session.register for each agent"})


async def stop_run(context: CallContext, arguments: CancelArguments) -> ToolAnswer:
    """
    Give a run up: every claim ends, and its agents are sent home.

    Raises:
        Refusal: ``not_found``; ``invalid_transition`` once it has ended otherwise.
    """
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> Mapping[str, object]:
        run = locked_run(book, caller, run_id_of(arguments))
        if run.state is RunState.CANCELED:
            return {**run_fields(run), "already_canceled": True}
        return {
            **run_fields(cancel_run(book, run, moment, arguments.reason or "the operator gave it up")),
            "already_canceled": False,
        }

    return ToolAnswer({**await changed(context, rule), "next_action": "run.prepare for another one"})


async def show_run(context: CallContext, arguments: RunArguments) -> ToolAnswer:
    """
    A run with the jobs and sessions of it that go on.

    Raises:
        Refusal: ``not_found``.
    """
    caller, now_us = caller_of(context, arguments), moment_of_call(context).now_us
    seen = seen_of(context)

    def rule(book: WorkReading) -> Mapping[str, object]:
        run = run_meant(book, caller, run_id_of(arguments))
        jobs = book.jobs(run.run_id, limit=_SHOWN + 1)
        sessions = book.sessions(run.run_id, state=WorkSessionState.ACTIVE, limit=_SHOWN + 1)
        blockers = book.blockers(run_id=run.run_id, state=BlockerState.OPEN, limit=_SHOWN + 1)
        leases = {each.session_id: book.active_lease(session_id=each.session_id) for each in sessions}
        return {
            **run_fields(run),
            "jobs_by_state": counts(book.job_states(run.run_id)),
            "jobs": [job_fields(job, LINE_CHARS) for job in jobs[:_SHOWN]],
            "sessions": [
                session_fields(each, leases[each.session_id], now_us, seen(each))
                for each in sessions[:_SHOWN]
            ],
            "escalations": [blocker_fields(each, now_us, LINE_CHARS) for each in blockers[:_SHOWN]],
            **told(truncated=any(len(each) > _SHOWN for each in (jobs, sessions, blockers))),
        }

    return ToolAnswer(await context.work.read(rule))


async def list_runs(context: CallContext, arguments: ListRunsArguments) -> ToolAnswer:
    """
    The runs of a repository, the newest first.
    """
    caller = caller_of(context, arguments)

    def rule(book: WorkReading) -> Mapping[str, object]:
        repository_id = RepositoryId(arguments.repository_id)
        before = behind(book, caller, arguments.after, lambda text: book.run(RunId(text)))
        runs = book.runs(repository_id, state=arguments.state, before=before, limit=arguments.limit + 1)
        shown, going_on = part_of(runs, arguments.limit, lambda run: run.run_id)
        return {
            "runs": [
                {**run_fields(run), "jobs_by_state": counts(book.job_states(run.run_id))} for run in shown
            ],
            **going_on,
        }

    return ToolAnswer(await context.work.read(rule))


async def list_jobs(context: CallContext, arguments: ListJobsArguments) -> ToolAnswer:
    """
    The jobs of a run, in the plan's order; ``next`` goes on.

    Raises:
        Refusal: ``not_found``.
    """
    caller = caller_of(context, arguments)

    def rule(book: WorkReading) -> Mapping[str, object]:
        run = run_meant(book, caller, run_id_of(arguments))
        jobs = book.jobs(
            run.run_id,
            state=arguments.state,
            role=arguments.role,
            after=arguments.after,
            limit=arguments.limit + 1,
        )
        shown, going_on = part_of(jobs, arguments.limit, lambda job: job.place)
        following = {"after": shown[-1].place, "limit": arguments.limit} if len(jobs) > len(shown) else None
        return {
            "jobs": [job_fields(job, LINE_CHARS) for job in shown],
            "jobs_by_state": counts(book.job_states(run.run_id)),
            **told(next=following),
            **going_on,
        }

    return ToolAnswer(await context.work.read(rule))


def _example(**more: Any) -> dict[str, Any]:
    return {"repository_id": "repo_0123456789abcdef", **more}


_BY_OPERATORS = partial(OF_WORK, capability=Capability.ADMIN, mutates=True)

TOOLS = (
    _BY_OPERATORS(
        name="run.prepare",
        title="Prepare a run",
        summary="Writes down a run: jobs with roles, dependencies, write scopes, demanded verdicts.",
        arguments=PrepareArguments,
        annotations=ToolAnnotations(read_only=False),
        run=prepare_run,
        example=_example(jobs=[{"id": "fix-cart", "role": "coder", "prompt": "Make the cart count right."}]),
    ),
    _BY_OPERATORS(
        name="run.start",
        title="Start a run",
        summary="Starts a prepared run: jobs that wait for no other one can be claimed; may be called twice.",
        arguments=RunArguments,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=start_run,
        example=_example(run_id=f"run_{ID}"),
    ),
    _BY_OPERATORS(
        name="run.cancel",
        title="Cancel a run",
        summary="Gives a run up: every claim in it ends, its agents are sent home; may be called twice.",
        arguments=CancelArguments,
        annotations=ToolAnnotations(read_only=False, destructive=True, idempotent=True),
        run=stop_run,
        example=_example(run_id=f"run_{ID}", reason="planned wrongly"),
    ),
    READING(
        name="run.detail",
        title="Show a run",
        summary="Shows a run with its jobs, its live sessions and what waits for a person.",
        arguments=RunArguments,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=show_run,
        example=_example(run_id=f"run_{ID}"),
    ),
    READING(
        name="list.runs",
        title="List runs",
        summary="Lists the runs of a repository with their states and how many jobs are in which.",
        arguments=ListRunsArguments,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=list_runs,
        example=_example(),
    ),
    READING(
        name="list.jobs",
        title="List jobs",
        summary="Lists the jobs of a run in the order of its plan, a part at a time.",
        arguments=ListJobsArguments,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=list_jobs,
        example=_example(run_id=f"run_{ID}"),
    ),
)
