"""
Whether a predicate holds over a recorded window: pure, so the same window always gives the same answer.

Which documents count. A window may hold events of documents that ended in it. What *happened* (requests,
console entries, errors, signals, route changes) counts whoever reported it: it came after the window's
start, so it is what the action did; a form post that leads to a new page would else be unprovable.
What *is* (elements, text, state, the current address) is only taken from readings, which the newest
document gives. What an ended document had not yet told is UNKNOWN, not "no" (``domain.requests``).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import attrs

from reticle.domain.predicate.animation import evaluate_animation
from reticle.domain.predicate.element_leaf import evaluate_element
from reticle.domain.predicate.event_leaves import (
    evaluate_console,
    evaluate_route,
    evaluate_settled,
    evaluate_signal,
)
from reticle.domain.predicate.happenings import evaluate_happening
from reticle.domain.predicate.kinds import (
    AllOf,
    Animation,
    AnyOf,
    Console,
    Dialog,
    Download,
    Element,
    InOrder,
    Log,
    Mail,
    Net,
    Not,
    Perf,
    Predicate,
    Route,
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
    leaves,
)
from reticle.domain.predicate.network import evaluate_net
from reticle.domain.predicate.passing import came_and_went
from reticle.domain.predicate.patterns import after_delta, has_delta, invert
from reticle.domain.predicate.questions import reading_of
from reticle.domain.predicate.reading_leaves import evaluate_state, evaluate_text
from reticle.domain.predicate.relation import MISSING, evaluate_relation
from reticle.domain.predicate.server_leaves import evaluate_server_fact
from reticle.domain.predicate.timing import (
    came_up,
    evaluate_sequence,
    evaluate_within,
    is_happening,
    may_have_come_up,
    watched_too_briefly,
)
from reticle.domain.predicate.watching import watch_fact
from reticle.model.limits import COUNT_HOLD_MS
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Reading, Window


def evaluate(predicate: Predicate, window: Window) -> Outcome:  # noqa: PLR0911 -- one arm per kind
    """
    The outcome of the whole tree; ``children`` mirror it.

    A text that is claimed (and not below ``not``) also holds where it came up and went by itself.
    """
    match predicate:
        case AllOf(predicates=parts):
            return _all_of([evaluate(part, window) for part in parts])
        case AnyOf(predicates=parts):
            return _any_of([evaluate(part, window) for part in parts])
        case Not(hold_ms=int()):
            return _never(predicate, window)
        case Not(predicate=part):
            return _not(part, evaluate_with(_with_numbers(part, window), window, window.after))
        case State() if has_delta(predicate.equals):
            return _changed_by(predicate, window)
        case Text():
            now = evaluate_text(predicate, window.after)
            gone = came_and_went(predicate, window) if now.held is Held.NO else None
            return now if gone is None else gone
        case _:
            return evaluate_with(predicate, window, window.after)


def evaluate_with(  # noqa: C901, PLR0911, PLR0912 -- one arm per kind, each a single call
    predicate: Predicate, window: Window, readings: Sequence[Reading]
) -> Outcome:
    """
    The outcome of what is so now, by the given readings.
    """
    match predicate:
        case AllOf(predicates=parts):
            return _all_of([evaluate_with(part, window, readings) for part in parts])
        case AnyOf(predicates=parts):
            return _any_of([evaluate_with(part, window, readings) for part in parts])
        case Not(predicate=part):
            return _watched(_not(part, evaluate_with(part, window, readings)), part, window)
        case InOrder():
            return evaluate_sequence(predicate, window, evaluate)
        case Within():
            return evaluate_within(predicate, window, evaluate)
        case Element():
            return evaluate_element(predicate, readings)
        case Text():
            return evaluate_text(predicate, readings)
        case State():
            return evaluate_state(predicate, readings)
        case Same():
            return evaluate_relation(predicate, window, readings)
        case Route():
            return evaluate_route(predicate, window, readings)
        case Net():
            return evaluate_net(predicate, window)
        case Console():
            return evaluate_console(predicate, window)
        case Animation():
            return evaluate_animation(predicate, window)
        case Signal():
            return evaluate_signal(predicate, window)
        case Settled():
            return evaluate_settled(predicate, window)
        case Storage() | Stream() | Perf() | Dialog() | Download():
            return evaluate_happening(predicate, window)
        case Server() | Sql() | Log() | Mail():
            return evaluate_server_fact(predicate, window)


def _with_numbers(predicate: Predicate, window: Window) -> Predicate:
    """
    The tree with each ``$delta`` made the number that it asks for.
    """
    match predicate:
        case AllOf(predicates=parts):
            return AllOf(tuple(_with_numbers(part, window) for part in parts))
        case AnyOf(predicates=parts):
            return AnyOf(tuple(_with_numbers(part, window) for part in parts))
        case Not(predicate=part):
            return attrs.evolve(predicate, predicate=_with_numbers(part, window))
        case State() if has_delta(predicate.equals):
            return _from_before(predicate, window)
        case _:
            return predicate


def _changed_by(leaf: State, window: Window) -> Outcome:
    """
    Whether a number changed by so much; where it did not, with the number that it was to become.
    """
    asked = _from_before(leaf, window)
    outcome = evaluate_state(asked, window.after)
    if outcome.held is not Held.NO or has_delta(asked.equals):
        return outcome
    assert isinstance(asked.equals, Mapping)
    due = (asked.equals["$gte"] + asked.equals["$lte"]) / 2
    return attrs.evolve(outcome, failure=f"{outcome.failure}, and was to become {due:.12g}")


def _from_before(leaf: State, window: Window) -> State:
    """
    The leaf with the number that its ``$delta`` asks for, by the value that was read before the action.
    """
    before = reading_of(leaf, window.before)
    answer = None if before is None else before.answer
    value = answer.get("value") if answer is not None and answer.get("found") is True else None
    return attrs.evolve(leaf, equals=after_delta(leaf.equals, value))


def _never(predicate: Not, window: Window) -> Outcome:
    """
    As ``not``, but a text that only came up counts as well, and the whole time must have been watched.
    """
    up = next(filter(None, (came_up(leaf, window) for leaf in leaves(predicate.predicate))), None)
    outcome = _not(predicate.predicate, evaluate_with(predicate.predicate, window, window.after))
    if up is not None:
        return attrs.evolve(outcome, held=Held.NO, failure=up, final=True, retry_after_ms=None)
    unseen = next(
        filter(None, (may_have_come_up(leaf, window) for leaf in leaves(predicate.predicate))), None
    )
    if unseen is not None and outcome.held is Held.YES:
        return attrs.evolve(outcome, held=Held.UNKNOWN, failure=unseen, final=False)
    left = watched_too_briefly(predicate, window)
    if outcome.held is not Held.YES or left is None:
        return _watched(outcome, predicate.predicate, window)
    why = f"watched for less than {predicate.hold_ms} ms, so it may still come"
    return attrs.evolve(outcome, held=Held.UNKNOWN, failure=why, final=False, retry_after_ms=left)


def _all_of(children: Sequence[Outcome]) -> Outcome:
    """
    A part that does not hold decides, before one that cannot be told.
    """
    failed = [child for child in children if child.held is Held.NO]
    unknown = [child for child in children if child.held is Held.UNKNOWN]
    if failed:
        first = next((child for child in failed if child.final), failed[0])
        final = first.final
        return _led_by(first, Held.NO, children, final=final, wait_ms=_until_certain(failed))
    if unknown:
        return _led_by(unknown[0], Held.UNKNOWN, children, final=False, wait_ms=_soonest(children))
    return _joined(children, children, final=all(child.final for child in children))


def _any_of(children: Sequence[Outcome]) -> Outcome:
    """
    One part that holds is enough; else one that cannot be told keeps it open.
    """
    held = [child for child in children if child.held is Held.YES]
    if held:
        return _joined(held, children, final=any(child.final for child in held))
    unknown = [child for child in children if child.held is Held.UNKNOWN]
    if unknown:
        return _led_by(unknown[0], Held.UNKNOWN, children, final=False, wait_ms=_soonest(children))
    failures = "; ".join(dict.fromkeys(child.failure or child.assertion for child in children))
    return Outcome(
        Held.NO,
        children[0].assertion,
        failure=f"none of {len(children)} holds: {failures}",
        observed=[child.observed for child in children],
        expected=[child.expected for child in children],
        final=all(child.final for child in children),
        retry_after_ms=_soonest(children),
        children=children,
    )


def _not(part: Predicate, child: Outcome) -> Outcome:
    """
    The opposite. A "no" that is merely fresh is not yet a "never": it is UNKNOWN until it has held.
    """
    held = invert(child.held)
    if child.held is Held.NO and _compared_nothing(part, child):
        why = f"{child.failure}, so that there was nothing to compare"
        return attrs.evolve(
            child, held=Held.UNKNOWN, failure=why, expected=f"not: {child.expected}", children=(child,)
        )
    if child.held is Held.NO and child.retry_after_ms is not None and not child.final:
        why = f"watched for less than {COUNT_HOLD_MS} ms, so it may still come"
        return attrs.evolve(
            child, held=Held.UNKNOWN, failure=why, expected=f"not: {child.expected}", children=(child,)
        )
    failure = None
    if held is Held.NO:
        failure = f"it does hold: {child.expected or child.assertion}"
    elif held is Held.UNKNOWN:
        failure = child.failure
    return Outcome(
        held,
        child.assertion,
        child.evidence,
        failure,
        child.observed,
        f"not: {child.expected}",
        child.final,
        child.retry_after_ms if held is Held.UNKNOWN else None,
        (child,),
    )


def _watched(outcome: Outcome, part: Predicate, window: Window) -> Outcome:
    """
    With how long it was watched that something did not happen.
    """
    if outcome.held is not Held.YES or outcome.evidence or not is_happening(part):
        return outcome
    watched = watch_fact(window, None, f"no {outcome.children[0].expected or part}")
    return attrs.evolve(outcome, evidence=(watched,))


def _compared_nothing(part: Predicate, outcome: Outcome) -> bool:
    """
    Whether something does not hold because one side of a relation is not there: that is no difference.

    Of several that were all to hold one other that does not is enough, whatever the relation says.
    """
    match part:
        case AllOf(predicates=parts):
            told = zip(parts, outcome.children, strict=True)
            return all(_compared_nothing(one, child) for one, child in told if child.held is Held.NO)
        case AnyOf(predicates=parts):
            return any(itertools.starmap(_compared_nothing, zip(parts, outcome.children, strict=True)))
        case Not():
            return False
        case _:
            return outcome.assertion == MISSING


def _led_by(
    first: Outcome, held: Held, children: Sequence[Outcome], *, final: bool, wait_ms: int | None
) -> Outcome:
    return attrs.evolve(first, held=held, final=final, retry_after_ms=wait_ms, children=tuple(children))


def _until_certain(failed: Sequence[Outcome]) -> int | None:
    """
    How long until one of several fresh failures is certain; None when one is already.
    """
    if any(child.final or child.retry_after_ms is None for child in failed):
        return None
    return _soonest(failed)


def _joined(deciding: Sequence[Outcome], children: Sequence[Outcome], *, final: bool) -> Outcome:
    return Outcome(
        Held.YES,
        deciding[0].assertion,
        tuple(fact for child in deciding for fact in child.evidence)[:12],
        None,
        [child.observed for child in deciding],
        [child.expected for child in deciding],
        final,
        None,
        tuple(children),
    )


def _soonest(children: Sequence[Outcome]) -> int | None:
    waits = [child.retry_after_ms for child in children if child.retry_after_ms is not None]
    return min(waits, default=None)
