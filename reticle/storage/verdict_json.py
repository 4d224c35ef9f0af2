"""
A verdict as the JSON text that is stored, and back.

Structural: the fields of ``reticle.model.verdict`` are the schema, so a new optional field needs no
migration. Sequences come back as tuples; what the page sent (evidence, observed, claim) stays JSON.
"""

from __future__ import annotations

import attrs
import msgspec

from reticle.model.verdict import Outcome, Verdict
from reticle.storage.surrogates import without_surrogates


def verdict_to_json(verdict: Verdict) -> str:
    """
    The text to store. Half surrogate pairs, which a page's text may hold and UTF-8 cannot, become ``?``.
    """
    try:
        return msgspec.json.encode(verdict).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(without_surrogates(msgspec.to_builtins(verdict))).decode()


def verdict_from_json(text: str) -> Verdict:
    """
    The verdict that was stored.

    Raises:
        msgspec.ValidationError: The text is not a verdict of this program.
    """
    verdict = msgspec.json.decode(text, type=Verdict)
    decision = verdict.decision
    return attrs.evolve(
        verdict,
        decision=attrs.evolve(
            decision,
            outcome=_with_tuples(decision.outcome),
            findings=tuple(decision.findings),
            places=tuple(decision.places),
            invariants=tuple(decision.invariants),
            honesty=attrs.evolve(
                decision.honesty,
                issues=tuple(decision.honesty.issues),
                notes=tuple(decision.honesty.notes),
                ambient=tuple(decision.honesty.ambient),
            ),
        ),
    )


def _with_tuples(outcome: Outcome) -> Outcome:
    return attrs.evolve(
        outcome,
        evidence=tuple(outcome.evidence),
        children=tuple(_with_tuples(child) for child in outcome.children),
    )
