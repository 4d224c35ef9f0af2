"""
The gate of a job: what must be so before it is completed, or its reviewer accepts.

What is looked up outside of the transaction (files, verdicts) comes as ``Evidence``; what the work says is
read in it, so that nobody's claim can end in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from reticle.domain.work.artifact import is_report, of_claim, refuse_changed, refuse_unpublished
from reticle.domain.work.calling import Holding
from reticle.domain.work.others_work import not_others
from reticle.domain.work.verdict_gate import Standing, missing, refusal_of
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import VerdictId, WorkLeaseId
from reticle.model.provenance import Snapshot
from reticle.model.verdict import Verdict

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook

PATHS_TOLD: Final = 20
"""Files that one refusal names."""

Changes = Mapping[str, Sequence[str] | None]


class EvidenceWanted(Exception):
    """
    Undoes a completion whose job asks for what nobody has looked up yet.
    """


def bare_gate(book: WorkBook, held: Holding) -> None:
    """
    The gate of a job that asks for nothing outside of the work itself, so that nothing has to be looked up.

    Raises:
        Refusal: ``artifact_error`` as ``Evidence.gate``.
        EvidenceWanted: The job asks for more; nothing has changed.
    """
    plan = held.job.plan
    if plan.write_scope is not None or plan.requires_verdict:
        raise EvidenceWanted
    refuse_unpublished(plan, of_claim(book, held))


@attrs.frozen
class Evidence:
    """
    What was looked up for the end of one claim.

    ``now`` is the state of the files, None where the job needs none. ``changed`` has, for each earlier state,
    the files that differ from it now, None where that cannot be told. ``verdicts`` are those that were named,
    None for an id that is none. ``hidden`` are files that were seen at the claim and are there, but not seen
    any more, ``older`` published files that were there at the claim; ``warnings`` say what could not be
    looked at and stops nobody.
    """

    lease_id: WorkLeaseId
    root: str
    now: Snapshot | None = None
    changed: Changes = attrs.field(factory=dict)
    verdicts: Mapping[VerdictId, Verdict | None] = attrs.field(factory=dict)
    hidden: Sequence[str] = ()
    older: Sequence[str] = ()
    warnings: Sequence[str] = ()

    def told(self, outcome: Mapping[str, Any]) -> Mapping[str, Any]:
        """
        The answer to a completion, with what could not be looked at.
        """
        done = outcome.get("status") == "completed"
        return {**outcome, "warnings": list(self.warnings)} if done and self.warnings else outcome

    def gate(self, book: WorkBook, held: Holding) -> None:
        """
        Raises:
            Refusal: ``artifact_error`` for a required artifact that is not published in this attempt, or one
                that was edited after it was published,
                ``write_scope_drift`` for files that changed outside of the scope since the claim,
                ``verdict_missing`` with everything that is not shown.
        """
        assert held.lease.lease_id == self.lease_id
        published = [*of_claim(book, held)]
        refuse_unpublished(held.job.plan, published)
        refuse_changed(held.job.plan, published, self.changed, self.older)
        refuse_drift(book, held, self.changed, "" if self.now is None else self.now.trouble)
        required = held.job.plan.requires_verdict
        if not required:
            return
        reports = {one.path for one in published if is_report(held.job.plan, one, self.older)}
        verdicts = {name: _weighed(book, held, one, reports) for name, one in self.verdicts.items()}
        lacks = missing(required, verdicts, self._standing(book, held, reports))
        if lacks:
            raise refusal_of(lacks)

    def _standing(self, book: WorkBook, held: Holding, reports: set[str]) -> Standing:
        session, lease = held.session, held.lease
        principal = session.registered_by if session.token_id is None else f"token:{session.token_id}"
        counted = {
            tree: None if changed is None else _counted(book, held, changed, reports)
            for tree, changed in self.changed.items()
        }
        now = Snapshot(None, trouble="nobody looked") if self.now is None else self.now
        return Standing(
            principal=principal,
            repository_id=held.run.repository_id,
            root=self.root,
            claimed_at=lease.claimed_at_us / 1_000_000,
            tree=now.tree,
            changed=counted,
            tree_trouble=now.trouble,
            hidden=_counted(book, held, self.hidden, reports),
            work_lease_id="" if session.token_id is None else lease.lease_id,
        )


def refuse_drift(book: WorkBook, held: Holding, changed: Changes, trouble: str = "") -> None:
    """
    Raises:
        Refusal: ``write_scope_drift`` where files changed since the claim that are in no held job's scope, or
            where that could be told at the claim and cannot any more.
    """
    plan, since = held.job.plan, changed.get(held.lease.tree)
    if plan.write_scope is None:
        return
    if since is None and held.lease.tree:
        raise Refusal(
            RefusalCode.WRITE_SCOPE_DRIFT,
            "what changed since the claim cannot be told any more, which it could then: "
            f"{trouble or 'that state of the files is not kept'}. Nothing was completed.",
            "Mend that, then call this again; where it cannot be, work.release and claim the packet anew.",
        )
    if not since:
        return
    _, strays = not_others(book, held, since, held.lease.claimed_at_us)
    if not strays:
        return
    more = f" and {len(strays) - PATHS_TOLD} more" if len(strays) > PATHS_TOLD else ""
    raise Refusal(
        RefusalCode.WRITE_SCOPE_DRIFT,
        f"changed since the claim, outside of the job's write scope: {', '.join(strays[:PATHS_TOLD])}{more}. "
        "Nothing was completed.",
        "Undo these changes (or let git ignore what your tools write), then call this again; "
        "work.block asks a person for a wider scope.",
        {"paths": list(strays[:PATHS_TOLD]), "count": len(strays)},
    )


def _weighed(book: WorkBook, held: Holding, verdict: Verdict | None, reports: set[str]) -> Verdict | None:
    """
    A verdict with those of the files it names that this job must answer for.
    """
    if verdict is None or verdict.provenance is None:
        return verdict
    found = verdict.provenance

    def counted_of(paths: Sequence[str] | None) -> tuple[str, ...] | None:
        return None if paths is None else tuple(_counted(book, held, paths, reports))

    counted = attrs.evolve(
        found,
        edited=counted_of(found.edited),
        newer_than_page=counted_of(found.newer_than_page),
        newer_than_browser=counted_of(found.newer_than_browser),
        newer_than_server=counted_of(found.newer_than_server),
    )
    return attrs.evolve(verdict, provenance=counted)


def _counted(book: WorkBook, held: Holding, changed: Sequence[str], reports: set[str]) -> Sequence[str]:
    """
    The changed files that a verdict on this job's work depends on.
    """
    own, strays = not_others(book, held, changed, held.lease.claimed_at_us)
    return sorted(path for path in (*own, *strays) if path not in reports)
