"""
A plan as callers give it, in a call or in a file; a field that is not known is a fault and no smaller gate.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from reticle.model.work_limits import (
    JOBS_PER_RUN,
    MAX_ATTEMPTS,
    MAX_ATTEMPTS_MOST,
    NAME_CHARS,
    PROMPT_CHARS,
    SLOTS,
    SLOTS_PER_ROLE,
    TITLE_CHARS,
)
from reticle.model.work_plan import ExpectedArtifact, JobPlan, RequiredVerdict, RolePlan, RunPlan, WriteScope
from reticle.model.work_words import JobType

PlanName = Annotated[str, Meta(min_length=1, max_length=NAME_CHARS)]


class GivenScope(WriteScope, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """
    As ``WriteScope``; a name that is written wrongly is no smaller scope.
    """


class GivenArtifact(
    ExpectedArtifact, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True
):
    """
    As ``ExpectedArtifact``.
    """


class GivenVerdict(
    RequiredVerdict, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True
):
    """
    As ``RequiredVerdict``.
    """


class GivenJob(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """
    One job, as ``JobPlan`` has it.
    """

    id: PlanName
    role: PlanName
    type: JobType = JobType.WORK
    title: Annotated[str, Meta(max_length=TITLE_CHARS)] = ""
    prompt: Annotated[str, Meta(max_length=PROMPT_CHARS)] = ""
    depends_on: list[PlanName] = []
    reviews: PlanName | None = None
    write_scope: GivenScope | None = None
    expected_artifacts: list[GivenArtifact] = []
    requires_verdict: list[GivenVerdict] = []
    priority: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] = 0
    max_attempts: Annotated[int, Meta(ge=1, le=MAX_ATTEMPTS_MOST)] = MAX_ATTEMPTS


class GivenRole(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """
    One role, as ``RolePlan`` has it.
    """

    slots: Annotated[int, Meta(ge=1, le=SLOTS_PER_ROLE)] = SLOTS
    reviewer: bool = False


class GivenPlan(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """
    A plan as a file has it.
    """

    title: Annotated[str, Meta(max_length=TITLE_CHARS)] = ""
    roles: dict[str, GivenRole] = {}
    jobs: Annotated[list[GivenJob], Meta(max_length=JOBS_PER_RUN)] = []


def plan_of(given: GivenPlan) -> RunPlan:
    """
    The plan that is meant.
    """
    return RunPlan(
        title=given.title,
        roles={
            name: RolePlan(slots=role.slots, reviewer=role.reviewer) for name, role in given.roles.items()
        },
        jobs=[JobPlan(**msgspec.structs.asdict(job)) for job in given.jobs],
    )
