"""
A verdict: what was claimed, what was seen, and what follows.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Literal

import attrs

from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.model.ids import VerdictId
from reticle.model.page import Attestation
from reticle.model.provenance import Provenance
from reticle.model.runs import Place

MinGrade = Literal["presence", "state", "net", "signal"]
"""How strong the evidence of a call's claim must be, at least."""


class Held(enum.Enum):
    """Whether a predicate holds over a window. ``UNKNOWN`` is not ``NO``."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@attrs.frozen
class Outcome:
    """
    One predicate evaluated over one window.

    ``final`` is set when no later event can change the answer (an exact count already exceeded).
    ``assertion`` is a stable id such as ``net.count``; ``failure``, ``observed`` and ``expected`` are for
    people; ``evidence`` is a short list of what decided. ``children`` mirror the predicate tree.
    """

    held: Held
    assertion: str
    evidence: Sequence[Mapping[str, object]] = ()
    failure: str | None = None
    observed: object = None
    expected: object = None
    final: bool = False
    retry_after_ms: int | None = None
    children: Sequence[Outcome] = ()


class FindingTier(enum.Enum):
    """How a finding weighs: an observed one makes ``no``, an absence-derived one ``unknown``."""

    OBSERVED = "observed"
    ABSENCE = "absence-derived"


@attrs.frozen
class Finding:
    """
    Two channels that disagree. ``claim`` and ``counter`` are one clause each; ``detail`` gives the facts.
    """

    kind: str
    tier: FindingTier
    claim: str
    counter: str
    detail: Mapping[str, object] = attrs.field(factory=dict)
    source: str | None = None


@attrs.frozen
class Honesty:
    """
    How much a verdict can be relied on.

    ``partial`` coverage means that something in the page could not be watched (``blind_spots`` names it).
    ``issues`` is empty when the capture is clean. ``notes`` say what else limits it, such as a hidden page.
    ``pending`` counts what the app had scheduled and not done at the end; empty where nothing is known of it.
    ``attributed`` says how the events that show the claim are tied to the action: ``action`` (followed to
    it), ``time`` (they came after it) or ``other`` (followed to something else); None where there are none,
    or where the page tells no causes.
    ``ambient`` names what goes on in the page by itself and was let be: polls, and what was followed to
    something else.
    """

    grade: Grade
    settled: bool
    partial: bool
    blind_spots: Mapping[str, int]
    clean: bool
    issues: Sequence[str] = ()
    notes: Sequence[str] = ()
    pending: Mapping[str, int] = attrs.field(factory=dict)
    attributed: str | None = None
    ambient: Sequence[str] = ()


@attrs.frozen
class InvariantOutcome:
    """
    How something that must always hold came out: ``declared`` says where it was declared (``project``,
    ``settings``, ``app``), ``before`` whether it held before the action.
    """

    name: str
    declared: str
    before: Held
    now: Held


@attrs.frozen
class Decision:
    """
    The ladder's answer over one window; pure, without identity or time.

    ``places`` are where to look first, at most three, each with the reason; ``source`` is the first.
    """

    verified: Verified
    reason: VerifiedReason
    because: str
    outcome: Outcome
    findings: Sequence[Finding]
    honesty: Honesty
    source: str | None = None
    places: Sequence[Place] = ()
    invariants: Sequence[InvariantOutcome] = ()


@attrs.frozen
class Verdict:
    """
    A decision with an identity, as stored. ``at`` is seconds since the epoch.

    ``attested`` is set when the page was one that the daemon itself had opened (DESIGN §9).
    ``min_grade`` is what the call demanded of the evidence, which is part of what was judged.
    ``provenance`` tells of the files and the server behind the page; None where nobody asked for it.
    """

    verdict_id: VerdictId
    at: float
    tool: str
    principal: str
    page_id: str
    url: str
    claim: Mapping[str, object]
    decision: Decision
    versions: Mapping[str, str] = attrs.field(factory=dict)
    attested: Attestation | None = None
    min_grade: MinGrade | None = None
    provenance: Provenance | None = None
