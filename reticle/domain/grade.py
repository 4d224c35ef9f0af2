"""
How strong the evidence of a claim is: one function over the whole predicate tree (DESIGN §6).

Only parts that held count, so losing evidence can never raise a grade:

- ``allOf`` is as strong as its strongest part: all of them held, and the strongest would have done alone;
- ``anyOf`` likewise, over the branches that held. A minimum would *fall* when a weak branch holds
  too, and so rise when its evidence is lost;
- ``not`` and every other claim of absence is at most ``NET``: a quiet channel proves less than a word;
- ``same`` is as strong as its strongest channel, at most ``NET``;
- what the server did is as good as what it answered: ``NET``, where it is named;
- ``settled`` proves nothing of its own, and a ``net`` or ``signal`` that names nothing (any request at
  all) no more than presence.
"""

from __future__ import annotations

from reticle.domain.predicate.kinds import (
    AllOf,
    AnyOf,
    InOrder,
    Mail,
    Net,
    Not,
    Predicate,
    Same,
    Server,
    Settled,
    Signal,
    Sql,
    State,
    Storage,
    Stream,
    Within,
    leaves,
)
from reticle.model.codes import Grade
from reticle.model.verdict import Held, Outcome

_NAMES_OF_SERVER = ("route", "url_contains", "method", "verb", "table", "to", "subject")
"""Fields by which a claim about the server names what it means."""


def grade(predicate: Predicate, outcome: Outcome) -> Grade:
    """
    The grade of the parts of ``predicate`` that held in ``outcome``; NONE when none did.
    """
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts) | InOrder(predicates=parts):
            held = zip(parts, outcome.children, strict=True)
            return max((grade(part, child) for part, child in held), default=Grade.NONE)
        case Within(predicate=part):
            return grade(part, outcome.children[0]) if outcome.held is Held.YES else Grade.NONE
        case Not(predicate=part):
            return _refuted(part, outcome.children[0]) if outcome.held is Held.YES else Grade.NONE
        case _:
            return _leaf_grade(predicate) if outcome.held is Held.YES else Grade.NONE


def _refuted(predicate: Predicate, outcome: Outcome) -> Grade:
    """
    The grade of the parts that do *not* hold, and so make a ``not`` around them hold.
    """
    if outcome.held is not Held.NO:
        return Grade.NONE
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts) | InOrder(predicates=parts):
            failed = zip(parts, outcome.children, strict=True)
            return max((_refuted(part, child) for part, child in failed), default=Grade.NONE)
        case Within(predicate=part):
            return min(_leaf_or_join(part), Grade.NET)
        case Not(predicate=part):
            return min(grade(part, outcome.children[0]), Grade.NET)
        case _:
            return min(_leaf_grade(predicate), Grade.NET)


def _leaf_or_join(predicate: Predicate) -> Grade:
    return max(_leaf_grade(leaf) for leaf in leaves(predicate))


def _leaf_grade(leaf: Predicate) -> Grade:  # noqa: C901, PLR0911 -- one arm per kind
    match leaf:
        case Signal(count=0):
            return Grade.NET if leaf.name else Grade.PRESENCE
        case Signal():
            return Grade.SIGNAL if leaf.name else Grade.PRESENCE
        case Net():
            return Grade.NET if leaf.url_contains or leaf.method else Grade.PRESENCE
        case State():
            return Grade.STATE
        case Storage():
            return Grade.STATE if leaf.key else Grade.PRESENCE
        case Stream():
            return Grade.NET if leaf.url_contains or leaf.contains else Grade.PRESENCE
        case Server() | Sql() | Mail():
            named = any(getattr(leaf, name, None) for name in _NAMES_OF_SERVER)
            return Grade.NET if named else Grade.PRESENCE
        case Same():
            channels = {side.channel for side in leaf.sides}
            if channels & {"response", "request"}:
                return Grade.NET
            return Grade.STATE if channels & {"state", "storage"} else Grade.PRESENCE
        case Settled():
            return Grade.NONE
        case _:
            return Grade.PRESENCE
