"""
Something that must hold of the app whatever is done on it held before the action, and does not hold after it.

Claim: the invariant, as a person, a project or the app declared it. Counter-evidence: how it came out over
the action's window. Observed where it was seen to hold before; where that is not known it is a doubt. One
that was broken before already is no finding, and stands in the notes (``domain.invariants``).
"""

from __future__ import annotations

from reticle.domain.facts import brief
from reticle.domain.invariants import judged_invariants
from reticle.domain.predicate import Predicate
from reticle.model.verdict import Finding, FindingTier, Held
from reticle.model.window import Window

KIND = "invariant-broken"

_WHERE = {
    "project": "in .reticle/invariants.json",
    "settings": "in reticle.toml",
    "app": "by the app",
}


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per invariant that the action broke.
    """
    del predicate  # what must always hold is no matter of a claim
    return tuple(
        Finding(
            KIND,
            FindingTier.OBSERVED if one.before is Held.YES else FindingTier.ABSENCE,
            f"invariant {one.invariant.name!r} ({_WHERE[one.invariant.source]})",
            brief(one.now.failure or "it does not hold", 160),
            {"invariant": one.invariant.name, "declared": one.invariant.source, "before": one.before.value},
        )
        for one in judged_invariants(window)
        if one.now.held is Held.NO and one.before is not Held.NO
    )
