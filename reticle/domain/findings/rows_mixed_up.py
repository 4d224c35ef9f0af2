"""
Rows of a list without keys changed places, and React kept for each place what was in it.

Claim: each row stays itself. Counter-evidence: React complained of that list in this document, and since the
action the element of one of its rows shows what that of another one showed.
Tier: a doubt, for what was in the rows (a field's text, the focus, the state of a component) may not matter.
Guards (the page's): rows that changed where they stand, came or went at the end, were all made anew, are
alike, or have no field or the like in them; children that were not handed over as a list.
"""

from __future__ import annotations

from typing import Final

from reticle.domain.predicate import Predicate
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "rows-mixed-up"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- as other detectors
    """
    One finding per component that draws such a list.
    """
    if window.action is None or window.pending is None:
        return ()
    return tuple(
        Finding(
            KIND,
            FindingTier.ABSENCE,
            f"each row that `{one.component}` draws stays itself",
            f"they have no keys, and {one.rows} of them got what React keeps for another row",
            {"component": one.component, "rows": one.rows},
        )
        for one in window.pending.mixed
    )
