"""
Was the claim true before the action already: then the action proves nothing.

Only what the live page answers can have been true before; a request, a signal, a console entry of the
window is new by itself, unless it comes without any action (``domain.control``) or is known to be another's
doing (``domain.attribution``).
What claims no change (``settled``, an absence over the window) is neutral.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.domain.attribution import Initiator, attributed
from reticle.domain.control import comes_by_itself
from reticle.domain.predicate.absences import claims_absence
from reticle.domain.predicate.evaluate import evaluate_with
from reticle.domain.predicate.event_leaves import fits_place_of
from reticle.domain.predicate.kinds import (
    AllOf,
    AnyOf,
    Element,
    InOrder,
    Not,
    Predicate,
    Route,
    Same,
    Settled,
    State,
    Text,
    Within,
)
from reticle.domain.predicate.patterns import has_delta, invert
from reticle.domain.predicate.reading_leaves import answer_or_unknown
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window


def already_true(predicate: Predicate, outcome: Outcome, window: Window) -> Held:
    """
    Whether every part that decides a claim that holds was true before the action.

    YES: all of them were. UNKNOWN: one was not read beforehand, and no other part is known to be new.
    NO: something is new, or there was no action, or nothing was read beforehand.
    """
    if window.action is None:
        return Held.NO
    return _before(predicate, outcome, window) or Held.NO


def _before(  # noqa: C901, PLR0911 -- one arm per kind
    predicate: Predicate, outcome: Outcome, window: Window
) -> Held | None:
    """
    Whether a part that holds now was true before; None for one that claims no change.
    """
    match predicate:
        case AllOf(predicates=parts):
            pairs = zip(parts, outcome.children, strict=True)
            return _together([_before(part, child, window) for part, child in pairs])
        case AnyOf(predicates=parts):
            pairs = zip(parts, outcome.children, strict=True)
            held = [_before(part, child, window) for part, child in pairs if child.held is Held.YES]
            return _one_of(held)
        case Not(predicate=part):
            return _absence_before(part, window)
        case State() if has_delta(predicate.equals):
            return Held.NO
        case Element() | Text() | State() | Same() | Route() if not window.before:
            return Held.NO
        case Element() | Text() | State():
            return evaluate_with(predicate, window, window.before).held
        case Same():
            return _relation_before(predicate, outcome, window)
        case Route():
            return _route_before(predicate, window)
        case Settled():
            return None
        case InOrder() | Within():
            return Held.YES if _is_anothers(outcome, window) else Held.NO
        case _ if claims_absence(predicate):
            return None
        case _:
            anothers = _is_anothers(outcome, window)
            return Held.YES if anothers or comes_by_itself(predicate, window) else Held.NO


def _is_anothers(outcome: Outcome, window: Window) -> bool:
    """
    Whether all that shows what was claimed is known to be something else's doing.
    """
    return attributed(outcome, window) is Initiator.OTHER


def _absence_before(part: Predicate, window: Window) -> Held | None:
    match part:
        case Element() | Text() | State() | Same() | Route() if not window.before:
            return Held.NO
        case Element() | Text() | State():
            return invert(evaluate_with(part, window, window.before).held)
        case Same():
            return invert(_same_before(part, window).held) if part.is_read_from_page else Held.NO
        case Route(pathname=None, contains=None):
            return None
        case Route():
            return invert(_route_before(part, window))
        case _:
            return None


def _relation_before(relation: Same, outcome: Outcome, window: Window) -> Held | None:
    """
    A relation that held before, of the same values, was true. One that was kept while the values changed
    claims no change of itself; one with an answer of the window is new as that is.
    """
    if not relation.is_read_from_page:
        return Held.NO
    before = _same_before(relation, window)
    if before.held is not Held.YES:
        return before.held
    return Held.YES if before.observed == outcome.observed else None


def _same_before(relation: Same, window: Window) -> Outcome:
    return evaluate_with(relation, window, window.before)


def _route_before(leaf: Route, window: Window) -> Held:
    if leaf.pathname is None and leaf.contains is None:
        return Held.NO
    answer = answer_or_unknown(leaf, window.before, "route.pathname")
    if isinstance(answer, Outcome):
        return Held.UNKNOWN
    return Held.YES if fits_place_of(leaf, answer) else Held.NO


def _together(parts: Sequence[Held | None]) -> Held | None:
    """
    Something new in one part is enough for the whole.
    """
    told = [part for part in parts if part is not None]
    if not told:
        return None
    if Held.NO in told:
        return Held.NO
    return Held.UNKNOWN if Held.UNKNOWN in told else Held.YES


def _one_of(parts: Sequence[Held | None]) -> Held | None:
    """
    A branch that was true before, and still is, made the whole true before.
    """
    told = [part for part in parts if part is not None]
    if not told:
        return None
    if Held.YES in told:
        return Held.YES
    return Held.UNKNOWN if Held.UNKNOWN in told else Held.NO
