"""
A write was answered with success, and the transaction in which it wrote was rolled back.

Claim: the write succeeded. Counter-evidence: statements that write, and the end of their transaction.
Observed. Not where the same statement was made again in a transaction that was committed, as a retry does,
and not where the claim names the rollback.
"""

from __future__ import annotations

from reticle.domain.facts import list_of, text_of
from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Sql
from reticle.domain.requests import MUTATING
from reticle.domain.served import Served, own_served, place_of
from reticle.domain.statements import shape_of
from reticle.model.server_facts import FactKind, ServerFact, TransactionOutcome
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "transaction-rolled-back"

_WRITES = frozenset({"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE"})


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per transaction.
    """
    if any(isinstance(leaf, Sql) and leaf.verb == "ROLLBACK" for leaf in asserted(predicate)):
        return ()
    return tuple(
        _finding(one, fact, lost)
        for one in own_served(window)
        if one.succeeded and one.method in MUTATING
        for fact in one.of(FactKind.TRANSACTION)
        if fact.data.get("outcome") == TransactionOutcome.ROLLED_BACK and (lost := _lost(one, fact))
    )


def _lost(one: Served, rolled_back: ServerFact) -> list[ServerFact]:
    """
    What the transaction wrote and no other one wrote again.
    """
    statements = [fact for fact in one.of(FactKind.SQL) if text_of(fact.data, "verb") in _WRITES]
    undone = {
        (fact.process, fact.data.get("tx"))
        for fact in one.of(FactKind.TRANSACTION)
        if fact.data.get("outcome") == TransactionOutcome.ROLLED_BACK
    }
    kept = {
        shape_of(text_of(fact.data, "statement") or "")
        for fact in statements
        if (fact.process, fact.data.get("tx")) not in undone
    }
    return [
        fact
        for fact in statements
        if fact.data.get("tx") == rolled_back.data.get("tx")
        and fact.data.get("tx") is not None
        and shape_of(text_of(fact.data, "statement") or "") not in kept
    ]


def _finding(one: Served, rolled_back: ServerFact, lost: list[ServerFact]) -> Finding:
    tables = sorted({str(name) for fact in lost for name in list_of(fact.data, "tables")})
    counter = (
        f"its transaction was rolled back, with {len(lost)} writes to {', '.join(tables) or 'the database'}"
    )
    detail = {"request": str(one), "tables": tables, "writes": len(lost)}
    place = place_of(lost[0]) or place_of(rolled_back) or one.view
    return Finding(KIND, FindingTier.OBSERVED, f"{one} succeeded", counter, detail, place)
