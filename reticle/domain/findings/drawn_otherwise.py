"""
What was claimed of a drawing or a meter is what it says, and what is drawn is another thing.

Claim: the element is there, with its name or its value. Counter-evidence: the page says of that very element
that its bar has another length than its value, or that coordinates in it are no numbers.
Tier: a doubt, for what is drawn otherwise may be a look.
Guards: only elements that the claim names, as they were at the end, and visible; other faults of charts, as
labels on top of each other, are for whoever looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from reticle.domain.facts import brief, list_of, mapping_of, quoted, text_of
from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Element
from reticle.domain.predicate.questions import reading_of
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "drawn-otherwise"

_TELLING: Final = frozenset({"value-mismatch", "non-finite-coordinates"})


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per element.
    """
    found: dict[object, Finding] = {}
    for leaf in asserted(predicate):
        if not isinstance(leaf, Element) or leaf.absent:
            continue
        reading = reading_of(leaf, window.after)
        answer = mapping_of(None if reading is None else reading.answer)
        for element in map(mapping_of, list_of(answer, "elements")):
            for fault in _faults(element):
                found.setdefault(element.get("ref"), _finding(element, fault))
    return tuple(found.values())


def _faults(element: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    if "visible" in list_of(element, "states"):
        yield from (
            fault for fault in map(mapping_of, list_of(element, "chart")) if fault.get("kind") in _TELLING
        )


def _finding(element: Mapping[str, object], fault: Mapping[str, object]) -> Finding:
    kind, sample = text_of(fault, "kind") or "", brief(text_of(fault, "sample") or "", 80)
    claim = f"{element.get('role')} {quoted(str(element.get('name', '')))} is as it says"
    detail = {"ref": element.get("ref"), "fault": kind, "sample": sample}
    return Finding(KIND, FindingTier.ABSENCE, claim, f"it is drawn otherwise ({kind}: {sample})", detail)
