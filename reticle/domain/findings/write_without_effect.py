"""
A write was answered with success, and every statement of it that writes touched no row.

Claim: the write succeeded. Counter-evidence: ``UPDATE`` and ``DELETE`` with 0 rows, and no other write. A
doubt: there may have been nothing to change. Not where the claim says what the database has to do.
"""

from __future__ import annotations

from reticle.domain.facts import list_of, text_of, whole_of
from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Sql
from reticle.domain.requests import MUTATING
from reticle.domain.served import own_served, place_of
from reticle.model.server_facts import FactKind
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "write-without-effect"

_WRITES = frozenset({"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE"})
_MAY_MISS = frozenset({"UPDATE", "DELETE"})


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per request.
    """
    if any(isinstance(leaf, Sql) for leaf in asserted(predicate)):
        return ()
    found: list[Finding] = []
    for one in own_served(window):
        writes = [fact for fact in one.of(FactKind.SQL) if text_of(fact.data, "verb") in _WRITES]
        missed = [
            fact
            for fact in writes
            if text_of(fact.data, "verb") in _MAY_MISS and whole_of(fact.data, "rows") == 0
        ]
        if not one.succeeded or one.method not in MUTATING or not missed or len(missed) < len(writes):
            continue
        verb, tables = text_of(missed[0].data, "verb"), list_of(missed[0].data, "tables")
        counter = f"its {verb} of {', '.join(map(str, tables)) or 'a table'} touched no row"
        detail = {"request": str(one), "verb": verb, "tables": tables}
        place = place_of(missed[0]) or one.view
        found.append(Finding(KIND, FindingTier.ABSENCE, f"{one} succeeded", counter, detail, place))
    return tuple(found)
