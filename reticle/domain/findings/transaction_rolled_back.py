"""
A write was answered with success, and the transaction in which it wrote was rolled back, or was still open
when the request was over and nobody has committed it since.

Claim: the write succeeded. Counter-evidence: statements that write, and the end of their transaction.
Observed. Not where the same statement was made again afterwards in a transaction that was committed, as a
retry does, and not where the claim names the rollback.
"""

from __future__ import annotations

from collections import Counter

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
        _finding(one, end, lost)
        for one in own_served(window)
        if one.succeeded and one.method in MUTATING
        for end in _ends(one).values()
        if end.data.get("outcome") != TransactionOutcome.COMMITTED and (lost := _lost(one, end))
    )


def _ends(one: Served) -> dict[tuple[str, object], ServerFact]:
    """
    The last word on each transaction.
    """
    return {(fact.process, fact.data.get("tx")): fact for fact in one.of(FactKind.TRANSACTION)}


def _is_write(fact: ServerFact) -> bool:
    verb = text_of(fact.data, "verb")
    into = verb == "COPY" and " FROM " in f"{text_of(fact.data, 'statement')} ".upper()
    return verb in _WRITES or into


def _lost(one: Served, end: ServerFact) -> list[ServerFact]:
    """
    What the transaction wrote and no later one wrote again for good.
    """
    statements = [
        fact for fact in one.of(FactKind.SQL) if _is_write(fact) and not text_of(fact.data, "failed")
    ]
    tx = end.data.get("tx")
    written = [fact for fact in statements if tx is not None and fact.data.get("tx") == tx]
    ends = _ends(one)
    again = Counter(
        shape_of(text_of(fact.data, "statement") or "")
        for fact in statements
        if written
        and fact.seq > written[-1].seq
        and (ending := ends.get((fact.process, fact.data.get("tx")))) is not None
        and ending.data.get("outcome") == TransactionOutcome.COMMITTED
    )
    lost: list[ServerFact] = []
    for fact in written:
        shape = shape_of(text_of(fact.data, "statement") or "")
        if again[shape]:
            again[shape] -= 1
        else:
            lost.append(fact)
    return lost


def _finding(one: Served, end: ServerFact, lost: list[ServerFact]) -> Finding:
    tables = sorted({str(name) for fact in lost for name in list_of(fact.data, "tables")})
    is_left = end.data.get("outcome") == TransactionOutcome.OPEN or end.data.get("dropped") is True
    fate = "was never committed" if is_left else "was rolled back"
    writes = "1 write" if len(lost) == 1 else f"{len(lost)} writes"
    counter = f"its transaction {fate}, with {writes} to {', '.join(tables) or 'the database'}"
    detail = {"request": str(one), "tables": tables, "writes": len(lost)}
    place = place_of(lost[0]) or place_of(end) or one.view
    return Finding(KIND, FindingTier.OBSERVED, f"{one} succeeded", counter, detail, place)
