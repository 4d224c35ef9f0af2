"""
Which parts of a claim that holds rest on something not being there.
"""

from __future__ import annotations

from collections.abc import Iterator

from reticle.domain.predicate.kinds import (
    AllOf,
    AnyOf,
    Console,
    Dialog,
    Download,
    Element,
    InOrder,
    Leaf,
    Log,
    Mail,
    Net,
    Not,
    Perf,
    Predicate,
    Same,
    Server,
    Settled,
    Signal,
    Sql,
    State,
    Storage,
    Stream,
    Text,
    Within,
)
from reticle.model.verdict import Held, Outcome


def absent_leaves(predicate: Predicate, outcome: Outcome) -> tuple[Leaf, ...]:
    """
    The element and text leaves whose absence is part of why the claim holds.
    """
    return tuple(
        leaf
        for leaf, positive in _deciding(predicate, outcome)
        if not positive and isinstance(leaf, Element | Text)
    )


def only_absences(predicate: Predicate, outcome: Outcome) -> bool:
    """
    Whether all that holds, ``settled`` aside, is that something is not there or did not happen.
    """
    told = [positive for leaf, positive in _deciding(predicate, outcome) if not isinstance(leaf, Settled)]
    return bool(told) and not any(told)


def nothing_happened(predicate: Predicate, outcome: Outcome) -> bool:
    """
    Whether all that holds, ``settled`` aside, is that events did not come: a dead control meets it too.
    """
    readings = (isinstance(leaf, Element | Text | State | Same) for leaf, _ in _deciding(predicate, outcome))
    return only_absences(predicate, outcome) and not any(readings)


def _deciding(predicate: Predicate, outcome: Outcome) -> Iterator[tuple[Leaf, bool]]:
    """
    The leaves that hold, each with whether it is a claim of presence.
    """
    if outcome.held is not Held.YES:
        return
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts) | InOrder(predicates=parts):
            for part, child in zip(parts, outcome.children, strict=True):
                yield from _deciding(part, child)
        case Within(predicate=part):
            yield from _deciding(part, outcome.children[0])
        case Not(predicate=part):
            yield from _denied(part, once=True)
        case _:
            yield predicate, not claims_absence(predicate)


def _denied(predicate: Predicate, *, once: bool) -> Iterator[tuple[Leaf, bool]]:
    """
    The leaves below a ``not``, whichever of them decide: one that is denied to be absent is claimed to be
    there, but for a second ``not``, below which none is taken for a claim of presence.
    """
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts) | InOrder(predicates=parts):
            for part in parts:
                yield from _denied(part, once=once)
        case Within(predicate=part):
            yield from _denied(part, once=once)
        case Not(predicate=part):
            yield from _denied(part, once=not once)
        case _:
            yield predicate, once and claims_absence(predicate)


def claims_absence(leaf: Leaf) -> bool:
    """
    Whether a leaf says that something is not there or did not happen.
    """
    match leaf:
        case Element(absent=True) | Text(absent=True) | Console(absent=True):
            return True
        case Net(count=0) | Signal(count=0) | Storage(count=0) | Stream(count=0) | Perf(count=0):
            return True
        case Dialog(count=0) | Download(count=0) | Log(absent=True):
            return True
        case Server(count=0) | Sql(count=0) | Log(count=0) | Mail(count=0):
            return True
        case _:
            return False
