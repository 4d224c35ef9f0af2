"""
Combinators about time: one after the other (``sequence``), soon (``within``), and not in so long (``never``).
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from reticle.domain.capture import describe, lost
from reticle.domain.channels import of_types
from reticle.domain.facts import quoted, spoken_text
from reticle.domain.predicate.glimpses import unseen_glimpse
from reticle.domain.predicate.kinds import (
    Element,
    InOrder,
    Leaf,
    Log,
    Mail,
    Not,
    Predicate,
    Route,
    Same,
    Server,
    Settled,
    Sql,
    State,
    Text,
    Within,
)
from reticle.domain.predicate.server_leaves import evaluate_server_fact, moments
from reticle.domain.predicate.server_order import UNTOLD_ORDER, Place, behind
from reticle.domain.predicate.true_order import as_it_happened, with_numbers
from reticle.domain.voices import SHOWING
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

Evaluate = Callable[[Predicate, Window], Outcome]
"""How a part is evaluated; ``evaluate`` hands itself in."""


def evaluate_sequence(predicate: InOrder, window: Window, evaluate: Evaluate) -> Outcome:
    """
    Whether the parts happened in their order; each is looked for behind what the part before it found.
    """
    window, told_as = as_it_happened(window)
    children: list[Outcome] = []
    place = Place()
    for number, part in enumerate(predicate.predicates, 1):
        if children and children[-1].held is not Held.YES:
            children.append(
                Outcome(Held.UNKNOWN, "sequence.order", failure="the part before it did not come")
            )
            continue
        if isinstance(part, Server | Sql | Log | Mail):
            child = evaluate_server_fact(part, window, place)
            certain, possible = behind(place, moments(part, window))
            following = Place(certain, possible, number)
        else:
            child, following = _told_by_page(part, window, evaluate, place, number)
        if child.held is Held.NO and number > 1 and evaluate(part, window).held is Held.YES:
            child = attrs.evolve(child, failure=f"it came, but not after part {number - 1}")
        children.append(child)
        place = following
    return with_numbers(_joined(children), told_as)


def _told_by_page(
    part: Leaf, window: Window, evaluate: Evaluate, place: Place, number: int
) -> tuple[Outcome, Place]:
    """
    How a part comes out of which the page tells, and how far the sequence is with it.

    Behind a part that only the server knows, what came while the server was at it may have been before it.
    """
    start = int(window.since)
    sure, possible = place.certain_cursor(start), place.possible_cursor(start)
    loose = evaluate(_after(part, possible), window)
    if sure is None or sure > possible:
        child = loose if sure is None else evaluate(_after(part, sure), window)
        if (sure is None or child.held is not Held.YES) and loose.held is Held.YES:
            why = UNTOLD_ORDER.format(words="it", number=number - 1)
            return attrs.evolve(loose, held=Held.UNKNOWN, failure=why, final=False), place
    else:
        child = loose
    found, before = _moments(child), _moments(loose)
    if child.held is Held.YES and not found:
        why = "when it happened is not known"
        return attrs.evolve(child, held=Held.UNKNOWN, failure=why, final=False), place
    return child, Place.of_events(min(found, default=possible), min(before, default=possible), number)


def _moments(outcome: Outcome) -> list[int]:
    return [seq for fact in outcome.evidence if isinstance(seq := fact.get("seq"), int)]


def evaluate_within(predicate: Within, window: Window, evaluate: Evaluate) -> Outcome:
    """
    Whether the part holds over the window's first ``ms`` alone.
    """
    end = window.opened_t_ms + predicate.ms
    early = tuple(event for event in window.events if event.t_ms <= end)
    watched = window.closed_t_ms >= end
    first = attrs.evolve(window, events=early, closed_t_ms=min(window.closed_t_ms, end), after=())
    child = evaluate(predicate.predicate, first if watched else attrs.evolve(window, events=early, after=()))
    expected = f"within {predicate.ms} ms: {child.expected or child.assertion}"
    if child.held is Held.YES:
        return attrs.evolve(child, expected=expected, children=(child,))
    if not watched:
        left = end - window.closed_t_ms
        why = f"watched for {predicate.ms - left} ms of {predicate.ms}"
        return Outcome(
            Held.UNKNOWN,
            "within.ms",
            (),
            why,
            child.observed,
            expected,
            retry_after_ms=left,
            children=(child,),
        )
    late = evaluate(predicate.predicate, attrs.evolve(window, after=()))
    why = child.failure or "it did not come"
    if late.held is Held.YES:
        why = f"it came, but later than {predicate.ms} ms after the start"
    held = Held.UNKNOWN if child.held is Held.UNKNOWN and late.held is not Held.YES else Held.NO
    return Outcome(
        held, "within.ms", (), why, child.observed, expected, final=held is Held.NO, children=(child,)
    )


def came_up(part: Predicate, window: Window) -> str | None:
    """
    For ``never`` over a text: how it came up in the window, however briefly; None when no event tells of it.
    """
    if not isinstance(part, Text) or part.absent:
        return None
    wanted = " ".join(part.contains.split())
    for event in of_types(window, *SHOWING):
        if wanted in " ".join(spoken_text(event).split()):
            return f"{quoted(spoken_text(event), 80)} came up at cursor {event.seq}"
    return None


def may_have_come_up(part: Predicate, window: Window) -> str | None:
    """
    For ``never`` over a text: why it may have come up all the same, where what would tell of it was lost.
    """
    if not isinstance(part, Text) or part.absent:
        return None
    gone = lost(window, ("dom", "visible"))
    return f"not all that came up was seen: {describe(gone)}" if gone else unseen_glimpse(part, window)


def watched_too_briefly(predicate: Not, window: Window) -> int | None:
    """
    How many milliseconds a ``never`` has still to be watched; None when it was for long enough.
    """
    if predicate.hold_ms is None:
        return None
    left = predicate.hold_ms - (window.closed_t_ms - window.opened_t_ms)
    return left if left > 0 else None


def is_happening(part: Predicate, *, texts: bool = False) -> bool:
    """
    Whether a part is about what happens, at a moment that is known; with ``texts`` a text counts too.
    """
    match part:
        case Element() | State() | Same() | Settled() | Not():
            return False
        case Text():
            return texts
        case Route(pathname=None, contains=None):
            return False
        case Within() | InOrder():
            return not texts
        case _ if getattr(part, "absent", False) or getattr(part, "count", None) == 0:
            return False
        case _:
            parts = getattr(part, "predicates", ())
            return all(is_happening(each, texts=texts) for each in parts)


def _after(part: Leaf, seq: int) -> Leaf:
    since = getattr(part, "since", None)
    return attrs.evolve(part, since=max(seq, since or 0))  # type: ignore[arg-type]  # leaves that happen have it


def _joined(children: list[Outcome]) -> Outcome:
    """
    As ``allOf``, but the first part that does not hold tells.
    """
    wrong = next((child for child in children if child.held is not Held.YES), None)
    parts = tuple(children)
    expected = [child.expected for child in children]
    if wrong is None:
        evidence = tuple(fact for child in children for fact in child.evidence[:1])
        return Outcome(Held.YES, "sequence.order", evidence, None, None, expected, final=True, children=parts)
    return Outcome(
        wrong.held,
        "sequence.order",
        (),
        f"part {children.index(wrong) + 1}: {wrong.failure}",
        wrong.observed,
        expected,
        final=wrong.final and wrong.held is Held.NO,
        retry_after_ms=wrong.retry_after_ms,
        children=parts,
    )
