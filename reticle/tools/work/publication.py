"""
The file that the holder of a claim wants to publish, looked at and read before anything is changed.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from reticle.domain.work.artifact import Publication, refuse_unfit
from reticle.domain.work.calling import WorkCaller
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode, Verified
from reticle.model.ids import WorkLeaseId
from reticle.model.work_files import PublishedFile
from reticle.model.work_limits import ARTIFACT_BYTES
from reticle.model.work_plan import JobPlan
from reticle.model.work_words import ArtifactKind, LeaseState
from reticle.ports import CallContext, WorkReading
from reticle.tools.work.calls import LeaseArguments, caller_of, lease_id_of, root_of
from reticle.tools.work.evidence import verdicts_said

Path = Annotated[str, Meta(min_length=1, max_length=1_024)]


async def publication_of(
    context: CallContext, arguments: LeaseArguments, *, logical_name: str, kind: str, path: str
) -> Publication:
    """
    The file that the holder of a claim wants to publish, read now.

    Raises:
        Refusal: ``lease_error`` where nothing is claimed with that lease any more; ``path_outside_scope``,
            ``artifact_error``, also for a verification that names no ``yes`` of this daemon.
    """
    caller = caller_of(context, arguments)
    plan = await context.work.read(lambda book: _plan_of(book, caller, lease_id_of(arguments)))
    kept = refuse_unfit(plan, logical_name, kind, path)
    file, seen = await context.worktrees.read_in_state(root_of(context, arguments), kept, ARTIFACT_BYTES)
    if kind == ArtifactKind.VERIFICATION:
        await _refuse_unverified(context, file)
    return Publication(logical_name, kind, kept, file, seen.tree or "")


def _plan_of(book: WorkReading, caller: WorkCaller, lease_id: WorkLeaseId) -> JobPlan:
    """
    What the job of a live claim was planned as; whose claim it is, the rule checks.
    """
    lease = book.lease(lease_id)
    run = None if lease is None else book.run(lease.run_id)
    job = None if lease is None else book.job(lease.job_id)
    if lease is None or run is None or job is None or run.repository_id != caller.repository_id:
        raise _no_claim("there is no such lease")
    if lease.state is not LeaseState.ACTIVE:
        raise _no_claim(f"the lease has ended ({lease.state.value})")
    return job.plan


def _no_claim(why: str) -> Refusal:
    return Refusal(
        RefusalCode.LEASE_ERROR,
        f"{why}; nothing was published",
        "Stop working on this packet, and call work.await_packet for the next one.",
    )


async def _refuse_unverified(context: CallContext, file: PublishedFile) -> None:
    """
    A verification is the daemon's word: it names verdicts, each a ``yes`` that was recorded for the caller.
    """
    names = verdicts_said(file.content)
    for name in names:
        verdict = await context.verdicts.get(name)
        if verdict is None or verdict.decision.verified is not Verified.YES:
            was = "no verdict of yours" if verdict is None else verdict.decision.verified.value
            raise artifact_error(
                f"the verification names {name}, which is {was}",
                "Name verdict_ids of your own calls that were verified: yes.",
            )
    if not names:
        raise artifact_error(
            "the verification names no verdict",
            "Write the verdict_id of each yes into it; kind report is for anything else.",
        )


def artifact_error(message: str, recovery: str) -> Refusal:
    """
    Why something is no artifact; a retry makes sense once that was mended.
    """
    return Refusal(RefusalCode.ARTIFACT_ERROR, f"{message}. Nothing was changed.", recovery)
