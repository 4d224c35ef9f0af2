"""
What a run is made of, as it was planned: roles and jobs, from the call or from a file of the repository.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from reticle.model.work_limits import MAX_ATTEMPTS, SLOTS
from reticle.model.work_words import JobType


class WriteScope(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    Which files of the repository a job may change: patterns, the forbidden ones stronger.
    """

    allowed_paths: Sequence[str] = ()
    forbidden_paths: Sequence[str] = ()


class ExpectedArtifact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    A file that a job publishes: ``required`` before it can be completed. ``path`` None: anywhere in
    the scope.
    """

    logical_name: str
    kind: str
    path: str | None = None
    required: bool = True


class RequiredVerdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    What a verdict of this daemon must have shown: ``claim`` in the predicate grammar, on a page at ``url``.
    ``accept_unattested`` lets a page count that the daemon did not open itself, ``accept_unknown_server`` one
    of which nothing tells from which folder its app is served. ``server_reloads`` says that the app's server
    reads its code anew in one and the same process, so that one that is older than the last edit counts.
    """

    claim: Mapping[str, Any]
    url: str
    accept_unattested: bool = False
    accept_unknown_server: bool = False
    server_reloads: bool = False


class JobPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    One job. ``reviews`` names the job that a review judges; ``depends_on`` what must be done before.
    """

    id: str
    role: str
    type: JobType = JobType.WORK
    title: str = ""
    prompt: str = ""
    depends_on: Sequence[str] = ()
    reviews: str | None = None
    write_scope: WriteScope | None = None
    expected_artifacts: Sequence[ExpectedArtifact] = ()
    requires_verdict: Sequence[RequiredVerdict] = ()
    priority: int = 0
    max_attempts: int = MAX_ATTEMPTS


class RolePlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    How many agents of a role may work at once, and whether they may review.
    """

    slots: int = SLOTS
    reviewer: bool = False


class RunPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    A whole run.
    """

    title: str = ""
    roles: Mapping[str, RolePlan] = {}
    jobs: Sequence[JobPlan] = ()
