"""
One request made the same query again and again from the same line: a query per row.

Claim: the request is sound. Counter-evidence: at least ``STATEMENT_REPEATS`` reads of one shape from one
line. A doubt, because it is slow before it is wrong. Not where the claim counts what the database does.
"""

from __future__ import annotations

from collections import defaultdict

from reticle.domain.facts import list_of, text_of
from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Sql
from reticle.domain.served import own_served, place_of
from reticle.domain.statements import shape_of
from reticle.model.server_facts import FactKind, ServerFact
from reticle.model.server_limits import STATEMENT_REPEATS
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "query-per-row"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per line and shape.
    """
    if any(isinstance(leaf, Sql) and leaf.count is not None for leaf in asserted(predicate)):
        return ()
    found: list[Finding] = []
    for one in own_served(window):
        alike: dict[tuple[str, str | None], list[ServerFact]] = defaultdict(list)
        for fact in one.of(FactKind.SQL):
            if text_of(fact.data, "verb") == "SELECT":
                alike[shape_of(text_of(fact.data, "statement") or ""), place_of(fact)].append(fact)
        for (_, place), facts in alike.items():
            if place is None or len(facts) < STATEMENT_REPEATS:
                continue
            tables = ", ".join(map(str, list_of(facts[0].data, "tables"))) or "a table"
            counter = f"the same query of {tables} was made {len(facts)} times from one line"
            detail = {"request": str(one), "times": len(facts), "tables": list_of(facts[0].data, "tables")}
            found.append(Finding(KIND, FindingTier.ABSENCE, f"{one} is sound", counter, detail, place))
    return tuple(found)
