"""
What became of the rows that the statements of a request wrote.

One reading of its transactions, shared by the claim that a statement was made and by the finding that it was
made for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from reticle.domain.facts import list_of, text_of
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
    What a transaction that was not committed wrote, and no later one wrote again for good; nothing where the
    app gave the part up by design (``_has_fallback``).
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
    return [] if gone and _has_fallback(one, end, gone) else gone


def is_doubtful(one: Served, end: ServerFact, gone: Sequence[ServerFact]) -> bool:
    """
    Whether what was lost may have been given up on purpose: a part of a transaction was rolled back by
    itself, and either the row was there already, or the rest went on and wrote to the same tables.
    """
    if not _is_part(end):
        return False
    return end.data.get("conflict") is True or _targets(gone) <= _written_after(one, end)


def _has_fallback(one: Served, end: ServerFact, gone: Sequence[ServerFact]) -> bool:
    """
    Whether the database refused a statement of a part that was rolled back by itself, and the rest of the
    same transaction made up for it: it wrote to all tables of the part, for good; or the row was there
    already, and it went to that one, and to all else that the part had written.

    An app that swallows an error does neither. One that gives a part up without the database's asking for it
    may do so by a fault too: that is a doubt.
    """
    refused = set(list_of(end.data, "refused"))
    if not (refused and _is_part(end)):
        return False
    if _targets(gone) <= _written_after(one, end):
        return True
    return end.data.get("conflict") is True and _targets(gone) | refused <= _touched_after(one, end)


def _is_part(end: ServerFact) -> bool:
    """
    Whether it is of a part that was rolled back while its transaction went on.
    """
    return bool(text_of(end.data, "within")) and _is_rolled_back(end) and end.data.get("dropped") is not True


def _written_after(one: Served, end: ServerFact) -> set[object]:
    """
    Tables that the rest of the same transaction wrote to afterwards, as far as it was committed.
    """
    known, whole = ends(one), end.data.get("within")

    def lasts(fact: ServerFact) -> bool:
        ending = known.get((fact.process, fact.data.get("tx")))
        if ending is None or not is_committed(ending) or fact.process != end.process:
            return False
        return whole in {fact.data.get("tx"), ending.data.get("within")}

    return _targets([fact for fact in _after(one, end) if is_write(fact) and _rows(fact) and lasts(fact)])


def _touched_after(one: Served, end: ServerFact) -> set[object]:
    """
    Tables that the request read afterwards, or wrote to for good.
    """
    read = {
        name
        for fact in _after(one, end)
        if fact.process == end.process and not is_write(fact)
        for name in list_of(fact.data, "tables")
    }
    return read | _written_after(one, end)


def _after(one: Served, end: ServerFact) -> list[ServerFact]:
    return [fact for fact in one.of(FactKind.SQL) if fact.seq > end.seq and not text_of(fact.data, "failed")]


def _targets(writes: Sequence[ServerFact]) -> set[object]:
    """
    The table that each writes to, which its statement names first.
    """
    return {name for fact in writes for name in list_of(fact.data, "tables")[:1]}


def _rows(fact: ServerFact) -> bool:
    return fact.data.get("rows") != 0


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
