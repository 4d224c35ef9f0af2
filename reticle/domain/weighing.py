"""
What a declared consequence that held makes of findings that rest on something *not* seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.domain.findings import (
    action_had_no_effect,
    request_never_settled,
    response_ignored,
    route_rendered_nothing,
)
from reticle.domain.predicate.absences import nothing_happened
from reticle.domain.predicate.kinds import (
    Element,
    Leaf,
    Predicate,
    Route,
    Same,
    Signal,
    State,
    Storage,
    Text,
    leaves,
)
from reticle.domain.requests import MUTATING
from reticle.model.verdict import Finding, FindingTier, Held, Outcome


def observed(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """
    The findings that rest on what was seen: each contradicts.
    """
    return tuple(finding for finding in findings if finding.tier is FindingTier.OBSERVED)


def doubts(
    findings: Sequence[Finding], predicate: Predicate | None, outcome: Outcome, *, proved: bool
) -> tuple[Finding, ...]:
    """
    The absence-derived findings that still cast doubt.

    Args:
        findings: All findings.
        predicate: The claim.
        outcome: How it came out.
        proved: Whether a declared consequence held that was not true before.

    With a proved consequence: "nothing happened" is refuted by it, unless the claim says no more itself; an
    open read is harmless as long as no write is open; a reaction that only readings show (a field's value) is
    a reaction; and an element or text that was not there before was rendered.
    """
    absent = tuple(finding for finding in findings if finding.tier is FindingTier.ABSENCE)
    if not proved or predicate is None:
        return absent
    waived = set() if nothing_happened(predicate, outcome) else {action_had_no_effect.KIND}
    if _reaction_held(predicate, outcome):
        waived.add(response_ignored.KIND)
    if _rendering_held(predicate, outcome):
        waived.add(route_rendered_nothing.KIND)
    if not any(
        finding.kind == request_never_settled.KIND and finding.detail.get("method") in MUTATING
        for finding in absent
    ):
        waived.add(request_never_settled.KIND)
    return tuple(finding for finding in absent if finding.kind not in waived)


def _reaction_held(predicate: Predicate, outcome: Outcome) -> bool:
    return outcome.held is Held.YES and any(_shows_reaction(leaf) for leaf in leaves(predicate))


def _rendering_held(predicate: Predicate, outcome: Outcome) -> bool:
    shown = (leaf for leaf in leaves(predicate) if isinstance(leaf, Element | Text))
    return outcome.held is Held.YES and any(not leaf.absent for leaf in shown)


def _shows_reaction(leaf: Leaf) -> bool:
    if isinstance(leaf, Same):
        return any(side.channel not in ("response", "request", "literal") for side in leaf.sides)
    return isinstance(leaf, Element | Text | State | Route | Signal | Storage)
