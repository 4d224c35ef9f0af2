"""
A write was answered with success, and the transaction in which it wrote was rolled back, or was still open
when the request was over and nobody has committed it since.

Claim: the write succeeded. Counter-evidence: statements that write, and the end of their transaction.
Observed. Not where the same statement was made again afterwards in a transaction that was committed, as a
retry does, and not where the claim names the rollback.

Of a part of a transaction (a savepoint) that was rolled back by itself: not where the database refused a
statement in it and the rest of the transaction made up for it, as ``get_or_create`` and the like do. A doubt
where it may have been given up on purpose: the row was there already, or the same tables were written to
afterwards, but otherwise.
"""

from __future__ import annotations

from reticle.domain.facts import list_of, text_of
from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Sql
from reticle.domain.rollbacks import ends, is_committed, is_contradicted, is_doubtful, lost
from reticle.domain.served import Served, own_served, place_of
from reticle.model.server_facts import ServerFact, TransactionOutcome
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "transaction-rolled-back"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per transaction.
    """
    if any(isinstance(leaf, Sql) and leaf.verb == "ROLLBACK" for leaf in asserted(predicate)):
        return ()
    return tuple(
        _finding(one, end, gone)
        for one in own_served(window)
        if is_contradicted(one)
        for end in ends(one).values()
        if not is_committed(end) and (gone := lost(one, end))
    )


def _finding(one: Served, end: ServerFact, gone: list[ServerFact]) -> Finding:
    tables = sorted({str(name) for fact in gone for name in list_of(fact.data, "tables")})
    is_left = end.data.get("outcome") == TransactionOutcome.OPEN or end.data.get("dropped") is True
    fate = "was never committed" if is_left else "was rolled back"
    writes = "1 write" if len(gone) == 1 else f"{len(gone)} writes"
    what = "a part of its transaction" if text_of(end.data, "within") else "its transaction"
    counter = f"{what} {fate}, with {writes} to {', '.join(tables) or 'the database'}"
    detail = {"request": str(one), "tables": tables, "writes": len(gone)}
    place = place_of(gone[0]) or place_of(end) or one.view
    tier = FindingTier.ABSENCE if is_doubtful(one, end, gone) else FindingTier.OBSERVED
    return Finding(KIND, tier, f"{one} succeeded", counter, detail, place)
