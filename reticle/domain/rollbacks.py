"""
What became of the rows that the statements of a request wrote.

One reading of its transactions, shared by the claim that a statement was made and by the finding that it was
made for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from reticle.domain.facts import text_of
from reticle.domain.memo import once_per_window
from reticle.domain.requests import MUTATING
from reticle.domain.served import Served, served
from reticle.domain.statements import shape_of
from reticle.model.server_facts import FactKind, ServerFact, TransactionOutcome
from reticle.model.window import Window

_WRITES = frozenset({"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE"})

Transaction = tuple[str, object]
"""The process, and its name for the transaction."""

Statement = tuple[str, int]
"""The process, and its number of the fact."""


def is_write(fact: ServerFact) -> bool:
    """
    Whether a statement changes rows.
    """
    verb = (text_of(fact.data, "verb") or "").upper()
    into = verb == "COPY" and " FROM " in f"{text_of(fact.data, 'statement')} ".upper()
    return verb in _WRITES or into


def ends(one: Served) -> Mapping[Transaction, ServerFact]:
    """
    The last word on each transaction of a request.
    """
    return {(fact.process, fact.data.get("tx")): fact for fact in one.of(FactKind.TRANSACTION)}


def lost(one: Served, end: ServerFact) -> list[ServerFact]:
    """
    What a transaction that was not committed wrote, and no later one wrote again for good.
    """
    statements = [
        fact for fact in one.of(FactKind.SQL) if is_write(fact) and not text_of(fact.data, "failed")
    ]
    tx = end.data.get("tx")
    written = [fact for fact in statements if tx is not None and fact.data.get("tx") == tx]
    known = ends(one)
    again = Counter(
        _shape(fact)
        for fact in statements
        if written
        and fact.seq > written[-1].seq
        and (ending := known.get((fact.process, fact.data.get("tx")))) is not None
        and is_committed(ending)
    )
    gone: list[ServerFact] = []
    for fact in written:
        shape = _shape(fact)
        if again[shape]:
            again[shape] -= 1
        else:
            gone.append(fact)
    return gone


def is_committed(end: ServerFact) -> bool:
    """
    Whether this word on a transaction says that it lasts.
    """
    return end.data.get("outcome") == TransactionOutcome.COMMITTED


def is_contradicted(one: Served) -> bool:
    """
    Whether a loss speaks against the request itself: it was to change something, and said that it had.
    """
    return one.succeeded and one.method in MUTATING


@once_per_window
def undone(window: Window) -> frozenset[Statement]:
    """
    The statements that changed nothing in the end: rolled back, and made again in a retry, or of a request
    that owned up to its failure. Where the request calls it a success it is a finding's matter, and was made.
    """
    found: set[Statement] = set()
    for one in served(window):
        gone = {name: end for name, end in ends(one).items() if _is_rolled_back(end)}
        kept = {id(fact) for end in gone.values() for fact in lost(one, end)} if is_contradicted(one) else ()
        found.update(
            (fact.process, fact.seq)
            for fact in one.of(FactKind.SQL)
            if fact.data.get("tx") is not None
            and (fact.process, fact.data.get("tx")) in gone
            and is_write(fact)
            and id(fact) not in kept
        )
    return frozenset(found)


@once_per_window
def unended(window: Window) -> frozenset[Statement]:
    """
    The statements that may still be rolled back: neither their transaction nor their request has ended, or
    the request failed and left the transaction open, which another may commit.
    """
    found: set[Statement] = set()
    for one in served(window):
        known = ends(one)
        found.update(
            (fact.process, fact.seq)
            for fact in one.of(FactKind.SQL)
            if (tx := fact.data.get("tx")) is not None
            and is_write(fact)
            and _is_unended(one, known.get((fact.process, tx)))
        )
    return frozenset(found)


def _is_rolled_back(end: ServerFact) -> bool:
    return end.data.get("outcome") == TransactionOutcome.ROLLED_BACK


def _is_unended(one: Served, end: ServerFact | None) -> bool:
    if end is None:
        return not one.ended
    return not (is_committed(end) or _is_rolled_back(end) or is_contradicted(one))


def _shape(fact: ServerFact) -> str:
    return shape_of(text_of(fact.data, "statement") or "")
