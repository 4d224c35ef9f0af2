"""
``recovery.requeue_stale`` and ``escalation.*``: what is taken back, and what a person decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from reticle.domain.tokens import without_tokens
from reticle.domain.work.calling import run_meant
from reticle.domain.work.recovery import requeue_stale, resolve
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import BlockerId, RepositoryId, RunId
from reticle.model.work_limits import LISTED
from reticle.model.work_words import BlockerState, EscalationAction
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
    job_id_of,
    moment_of_call,
    run_id_of,
)
from reticle.tools.work.list_pages import After, behind, part_of
from reticle.tools.work.shown import blocker_fields, job_fields


class RequeueArguments(RunArguments, frozen=True, kw_only=True):
    """
    Whose claims.
    """

    job_id: Annotated[Name | None, Meta(description="This job's alone.")] = None
    force: Annotated[bool, Meta(description="Also a claim that has time left; needs justification.")] = False
    justification: Annotated[Text, Meta(description="Why a claim is taken that has time left.")] = ""


class ListArguments(WorkArguments, frozen=True, kw_only=True):
    """
    Which of them.
    """

    run_id: Annotated[Name | None, Meta(description="Those of one run.")] = None
    state: Annotated[BlockerState, Meta(description="open or resolved.")] = BlockerState.OPEN
    after: After = None
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=LISTED)], Meta(description="How many at most, the newest first.")
    ] = 50


class ResolveArguments(WorkArguments, frozen=True, kw_only=True):
    """
    What was decided.
    """

    escalation_id: Annotated[Name, Meta(description="Which one; escalation.list shows them.")]
    action: Annotated[
        EscalationAction,
        Meta(description="retry: the job once more. cancel_job: with what waits for it. cancel_run: all."),
    ] = EscalationAction.RETRY
    resolution: Annotated[Text, Meta(description="What was decided; the next agent reads it.")] = ""


async def requeue(context: CallContext, arguments: RequeueArguments) -> ToolAnswer:
    """
    Take back what lapsed, or what an operator takes; late calls of the old holder get ``lease_error``.

    Raises:
        Refusal: ``bad_arguments``, ``not_found``, ``conflict``.
    """
    forced = without_tokens(arguments.justification) if arguments.force else ""
    if arguments.force and (not forced or arguments.job_id is None):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "force needs a job_id and a justification. Nothing ran.",
            "Name the job, and say why its holder loses a claim that has time left.",
        )
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> Mapping[str, object]:
        jobs = requeue_stale(
            book, caller, run_id_of(arguments), job_id_of(arguments.job_id), moment, force=forced
        )
        return {
            "requeued": len(jobs),
            "jobs": [job_fields(job) for job in jobs],
            "next_action": "status shows who claims them, and what waits for a person",
        }

    return ToolAnswer(await changed(context, rule))


async def show(context: CallContext, arguments: ListArguments) -> ToolAnswer:
    """
    What waits for somebody's decision, or was decided.

    Raises:
        Refusal: ``not_found`` for a run that is not there.
    """
    caller, now_us = caller_of(context, arguments), moment_of_call(context).now_us

    def rule(book: WorkReading) -> Mapping[str, object]:
        run_id = None if arguments.run_id is None else RunId(arguments.run_id)
        if run_id is not None:
            run_meant(book, caller, run_id)
        last = behind(book, caller, arguments.after, lambda text: book.blocker(BlockerId(text)))
        found = book.blockers(
            run_id=run_id,
            repository_id=RepositoryId(arguments.repository_id),
            state=arguments.state,
            before=None if last is None else last.seq,
            limit=arguments.limit + 1,
        )
        shown, going_on = part_of(found, arguments.limit, lambda blocker: blocker.blocker_id)
        return {
            "escalations": [blocker_fields(each, now_us) for each in shown],
            **going_on,
        }

    return ToolAnswer(await context.work.read(rule))


async def decide(context: CallContext, arguments: ResolveArguments) -> ToolAnswer:
    """
    Do what a person decided; may be called twice.

    Raises:
        Refusal: ``not_found``.
    """
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> Mapping[str, object]:
        blocker, already = resolve(
            book,
            caller,
            BlockerId(arguments.escalation_id),
            moment,
            action=arguments.action,
            resolution=without_tokens(arguments.resolution),
        )
        job = None if blocker.job_id is None else book.job(blocker.job_id)
        return {
            **blocker_fields(blocker, moment.now_us),
            "already_resolved": already,
            **told(job_state=None if job is None else job.state.value),
            "next_action": "escalation.list shows what else waits for a person",
        }

    return ToolAnswer(await changed(context, rule))


_REPOSITORY = {"repository_id": "repo_0123456789abcdef"}

TOOLS = (
    OF_WORK(
        name="recovery.requeue_stale",
        title="Take lapsed packets back",
        summary="Queues again what lapsed in a run, or, forced, what the holder of one job has time for.",
        arguments=RequeueArguments,
        capability=Capability.RECOVERY,
        annotations=ToolAnnotations(read_only=False, destructive=True, idempotent=True),
        run=requeue,
        example={**_REPOSITORY, "run_id": f"run_{ID}"},
        mutates=True,
    ),
    READING(
        name="escalation.list",
        title="List what waits for people",
        summary="Lists what waits for a person's decision, with its age, or what was decided.",
        arguments=ListArguments,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=show,
        example=_REPOSITORY,
    ),
    OF_WORK(
        name="escalation.resolve",
        title="Decide an escalation",
        summary="Does what a person decided: try again, give the job up, or the run; may be called twice.",
        arguments=ResolveArguments,
        capability=Capability.ADMIN,
        annotations=ToolAnnotations(read_only=False, destructive=True, idempotent=True),
        run=decide,
        example={**_REPOSITORY, "escalation_id": f"blk_{ID}", "resolution": "Take the lower price."},
        mutates=True,
    ),
)
