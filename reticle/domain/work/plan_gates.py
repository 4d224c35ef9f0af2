"""
What is wrong with the gates of a plan: scopes, expected artifacts and required verdicts that nobody could
meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from reticle.domain.work.artifact import expected_faults
from reticle.domain.work.required_verdicts import check_required
from reticle.domain.work.write_scope import check_scope, refuse_outside
from reticle.errors import Refusal
from reticle.model.work_limits import CLAIMS_PER_JOB
from reticle.model.work_plan import JobPlan, RunPlan


def gate_faults(plan: RunPlan) -> Iterator[str]:
    """
    Every fault, each named by its job.
    """
    for job in plan.jobs:
        yield from _faults(job)


def _faults(job: JobPlan) -> Iterator[str]:
    scope = job.write_scope
    if scope is not None:
        yield from _said(partial(check_scope, scope, f"{job.id}.write_scope"))
    yield from expected_faults(job.expected_artifacts, f"{job.id}.expected_artifacts")
    for one in job.expected_artifacts:
        if one.path is not None:
            yield from _said(partial(refuse_outside, scope, one.path), f"{job.id}: ")
    if len(job.requires_verdict) > CLAIMS_PER_JOB:
        yield f"{job.id}.requires_verdict has more than {CLAIMS_PER_JOB} claims"
    yield from _said(partial(check_required, job.requires_verdict, f"{job.id}.requires_verdict"))


def _said(check: Callable[[], object], before: str = "") -> Iterator[str]:
    """
    What a check raises, as a fault among others.
    """
    try:
        check()
    except Refusal as refused:
        said = refused.message.removesuffix(" Nothing was prepared.").removesuffix(" Nothing was published.")
        yield before + said.rstrip(".")
