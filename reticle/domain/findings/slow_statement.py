"""
A statement of a request of the action took very long.

Claim: the request is sound. Counter-evidence: a statement of at least ``SLOW_STATEMENT_MS``. A doubt,
because it is slow before it is wrong. Not where the claim says what the database has to do.
"""

from __future__ import annotations

from reticle.domain.facts import list_of, text_of
from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Sql
from reticle.domain.served import own_served, place_of
from reticle.model.server_facts import FactKind, ServerFact
from reticle.model.server_limits import SLOW_STATEMENT_MS
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "slow-statement"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per request, about its slowest statement.
    """
    if any(isinstance(leaf, Sql) for leaf in asserted(predicate)):
        return ()
    found: list[Finding] = []
    for one in own_served(window):
        slow = [fact for fact in one.of(FactKind.SQL) if _took_ms(fact) >= SLOW_STATEMENT_MS]
        if slow:
            worst = max(slow, key=_took_ms)
            tables = ", ".join(map(str, list_of(worst.data, "tables"))) or "the database"
            counter = (
                f"its {text_of(worst.data, 'verb') or 'statement'} of {tables} took {_took_ms(worst):.0f} ms"
            )
            detail = {"request": str(one), "ms": _took_ms(worst), "statements": len(slow)}
            place = place_of(worst) or one.view
            found.append(Finding(KIND, FindingTier.ABSENCE, f"{one} is sound", counter, detail, place))
    return tuple(found)


def _took_ms(fact: ServerFact) -> float:
    took = fact.data.get("ms")
    return float(took) if isinstance(took, int | float) and not isinstance(took, bool) else 0.0
