"""
What the gate of a job is told: the verdicts that were named, the repository's files now, and what changed
since.

All of it is looked up before the transaction that ends the claim: git and files are read in no transaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.work.completion import Evidence
from reticle.model.ids import ArtifactId, VerdictId, WorkLeaseId
from reticle.model.provenance import Snapshot
from reticle.model.verdict import Verdict
from reticle.model.work import WorkLease
from reticle.model.work_limits import ARTIFACTS_READ, VERDICTS_PER_COMPLETION
from reticle.model.work_plan import JobPlan
from reticle.model.work_words import ArtifactKind, LeaseState
from reticle.ports import CallContext, WorkReading
from reticle.tools.work.calls import LeaseArguments, lease_id_of, root_of

_VERDICT_ID: Final = re.compile(r"\bverdict_[A-Za-z0-9_-]{1,64}")


@attrs.frozen
class _Claim:
    """
    A live claim as far as its gate asks for it: ``said`` are the verdicts that its verifications name,
    ``states`` the states of the files that its artifacts were published with, and ``paths`` where those are.
    """

    lease: WorkLease
    plan: JobPlan
    said: Sequence[VerdictId]
    states: Sequence[str]
    paths: Sequence[str]


async def gathered(
    context: CallContext, arguments: LeaseArguments, verdict_ids: Iterable[VerdictId]
) -> Evidence:
    """
    Look up what the end of a claim is judged by; nothing where there is no such live claim, which the rule
    says.

    Raises:
        Refusal: ``storage_failed``.
    """
    lease_id, root = lease_id_of(arguments), root_of(context, arguments)
    claim = await context.work.read(lambda book: _claim_of(book, lease_id))
    if claim is None or (claim.plan.write_scope is None and not claim.plan.requires_verdict):
        return Evidence(lease_id, root)
    verdicts: dict[VerdictId, Verdict | None] = {}
    if claim.plan.requires_verdict:
        for name in [*dict.fromkeys([*verdict_ids, *claim.said])][:VERDICTS_PER_COMPLETION]:
            verdicts[name] = await context.verdicts.get(name)
    now = await context.worktrees.snapshot(root)
    states = {claim.lease.tree, *claim.states, *(_tree(verdict) for verdict in verdicts.values())} - {""}
    changed: dict[str, Sequence[str] | None] = {}
    for state in sorted(states):
        changed[state] = None if now.tree is None else await context.worktrees.changed(state, now.tree)
    since = changed.get(claim.lease.tree) or ()
    hidden = await context.worktrees.hidden(root, since) if since else ()
    had = await context.worktrees.had(claim.lease.tree, claim.paths) if claim.paths else ()
    older = claim.paths if had is None else had
    return Evidence(lease_id, root, now, changed, verdicts, hidden, older, _warnings(claim, now, changed))


def verdicts_said(content: bytes) -> Sequence[VerdictId]:
    """
    The verdicts that a file names, each once.
    """
    found = _VERDICT_ID.findall(content.decode("utf-8", "replace"))
    return [VerdictId(name) for name in dict.fromkeys(found)][:VERDICTS_PER_COMPLETION]


def _warnings(claim: _Claim, now: Snapshot, changed: Mapping[str, Sequence[str] | None]) -> Sequence[str]:
    """
    Why the write scope was not checked, where it was not.
    """
    if claim.plan.write_scope is None or changed.get(claim.lease.tree) is not None:
        return ()
    why = now.trouble or "the state of the files at the claim is not known"
    return (f"write_scope was not checked: {why}",)


def _tree(verdict: Verdict | None) -> str:
    if verdict is None or verdict.provenance is None:
        return ""
    return verdict.provenance.tree or ""


def _claim_of(book: WorkReading, lease_id: WorkLeaseId) -> _Claim | None:
    lease = book.lease(lease_id)
    job = None if lease is None else book.job(lease.job_id)
    if lease is None or job is None or lease.state is not LeaseState.ACTIVE:
        return None
    published = [
        one
        for one in book.artifacts(job_id=job.job_id, attempt=lease.attempt, limit=ARTIFACTS_READ)
        if one.fencing == lease.fencing
    ]
    proofs = [one for one in published if one.kind == ArtifactKind.VERIFICATION]
    said = [name for one in proofs for name in verdicts_said(_content(book, one.artifact_id))]
    states, paths = [one.version for one in published], [one.path for one in published]
    return _Claim(lease, job.plan, said, states, paths)


def _content(book: WorkReading, artifact_id: ArtifactId) -> bytes:
    found = book.artifact(artifact_id)
    return b"" if found is None or found.content is None else found.content
