"""
The ladder: from one recorded window to one of three values, the first rung that fits decides.

The rungs stand in ``RUNGS`` in their order (DESIGN §6, issue #2); ``docs/explanation/verdict.md`` lists them.

A lost page comes first, even over a "no": an app is never blamed for a page that went away (VD-01).
A "no" while a request of this window is still open is "not yet" (VD-11), unless no later event can
change it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from reticle.domain import because
from reticle.domain.already_true import already_true
from reticle.domain.answers_unread import pending_outcomes, unread_outcomes
from reticle.domain.attribution import attributed, initiators_named
from reticle.domain.beside import beside
from reticle.domain.capture import (
    DOM_BLIND_SPOTS,
    EVERY,
    HIDES_FINDINGS,
    TEXT_BLIND_SPOTS,
    blind,
    describe,
    hiding,
    is_scarce,
    lost,
)
from reticle.domain.changes import moved
from reticle.domain.control import ambient_leaf, control_stretch_ms
from reticle.domain.findings import blinded, find_all
from reticle.domain.findings.judged import side_failures, undeclared_failures
from reticle.domain.foreseen import nothing_comes_in
from reticle.domain.grade import grade
from reticle.domain.invariants import invariant_notes
from reticle.domain.places import places_of
from reticle.domain.predicate import Predicate, declared, evaluate
from reticle.domain.predicate.absences import absent_leaves, only_absences
from reticle.domain.predicate.kinds import Settled, Text
from reticle.domain.project_detectors import unlooked
from reticle.domain.requests import Request
from reticle.domain.scheduled import quiet_ahead_ms, still_scheduled, undone
from reticle.domain.server_words import server_notes
from reticle.domain.settle import Settle, settle
from reticle.domain.throttling import silent, throttled
from reticle.domain.weighing import doubts, observed
from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.model.runs import Place
from reticle.model.verdict import Decision, Finding, Held, Honesty, Outcome
from reticle.model.window import Window

_LET_BE = 3
"""So many failed calls that decide nothing are named in the notes."""


@attrs.frozen
class _Case:
    """
    All that the rungs look at.
    """

    predicate: Predicate
    declared: bool
    window: Window
    outcome: Outcome
    findings: tuple[Finding, ...]
    settle: Settle
    grade: Grade


_Judgement = tuple[Verified, VerifiedReason, str]


def decide(predicate: Predicate | None, window: Window, *, outcome: Outcome | None = None) -> Decision:
    """
    The decision over one window: pure, the same window always gives the same one.

    Args:
        predicate: The declared consequence; None when nothing was declared (as a bare ``settled``).
        window: The recorded window.
        outcome: The predicate's outcome over this window, when the caller has it already.
    """
    claim = Settled() if predicate is None else predicate
    found = evaluate(claim, window) if outcome is None else outcome
    case = _case(claim, window, found)
    verified, reason, why = next(judged for rung in RUNGS if (judged := rung.judge(case)) is not None)
    places = places_of(verified, reason, case.findings, window, found)
    return Decision(verified, reason, why, found, case.findings, _honesty(case), _first(places), places)


def climbed(predicate: Predicate, window: Window) -> Sequence[tuple[Rung, str | None]]:
    """
    The rungs up to the one that decided, each with what it said; None for those that did not fit.
    """
    case = _case(predicate, window, evaluate(predicate, window))
    steps: list[tuple[Rung, str | None]] = []
    for rung in RUNGS:
        judged = rung.judge(case)
        steps.append((rung, None if judged is None else judged[2]))
        if judged is not None:
            break
    return steps


def _case(claim: Predicate, window: Window, outcome: Outcome) -> _Case:
    findings = find_all(window, claim)
    return _Case(claim, declared(claim), window, outcome, findings, settle(window), grade(claim, outcome))


def _observation_lost(case: _Case) -> _Judgement | None:
    if not case.window.connection_lost:
        return None
    return Verified.UNKNOWN, VerifiedReason.OBSERVATION_LOST, because.LOST


def _inconclusive(case: _Case) -> _Judgement | None:
    if case.outcome.held is not Held.UNKNOWN or not case.declared:
        return None
    return Verified.UNKNOWN, VerifiedReason.INCONCLUSIVE, because.cannot_tell(case.outcome)


def _assertion_failed(case: _Case) -> _Judgement | None:
    if case.outcome.held is not Held.NO:
        return None
    unanswered = case.settle.unanswered
    if unanswered and not case.outcome.final:
        return Verified.UNKNOWN, VerifiedReason.INCONCLUSIVE, because.not_yet(case.outcome, unanswered)
    failures = undeclared_failures(case.window, case.predicate)
    slowed = _held_back(case)
    if slowed is not None and not failures and not observed(case.findings):
        return Verified.UNKNOWN, VerifiedReason.INCONCLUSIVE, because.held_back(case.outcome, slowed)
    beside = (*failures, *side_failures(case.window, case.predicate))
    why = because.failed(case.outcome, observed(case.findings), beside)
    return Verified.NO, VerifiedReason.ASSERTION_FAILED, why


def _held_back(case: _Case) -> str | None:
    """
    What may be why a claim does not hold *yet*: a slowed page that said nothing, or showed no reaction.
    """
    may_come = not case.outcome.final and (silent(case.window) or not moved(case.window))
    return throttled(case.window) if may_come else None


def _contradicted(case: _Case) -> _Judgement | None:
    seen = observed(case.findings)
    if not seen:
        return None
    return Verified.NO, VerifiedReason.CONTRADICTED, because.contradicted(seen)


def _evidence_incomplete(case: _Case) -> _Judgement | None:
    proved = case.declared and case.outcome.held is Held.YES and _was_true(case) is Held.NO
    missing = doubts(case.findings, case.predicate, case.outcome, proved=proved)
    if not missing:
        return None
    return Verified.UNKNOWN, VerifiedReason.EVIDENCE_INCOMPLETE, because.doubtful(missing)


def _absence_blind_spot(case: _Case) -> _Judgement | None:
    absent = absent_leaves(case.predicate, case.outcome)
    texts = any(isinstance(leaf, Text) for leaf in absent)
    spots = blind(case.window, TEXT_BLIND_SPOTS if texts else DOM_BLIND_SPOTS)
    if not spots or not absent:
        return None
    return Verified.UNKNOWN, VerifiedReason.ABSENCE_BLIND_SPOT, because.cannot_look(spots)


def _already_true(case: _Case) -> _Judgement | None:
    was = _was_true(case)
    if was is Held.NO:
        return None
    initiators = initiators_named(case.outcome, case.window)
    if was is Held.YES and initiators:
        return Verified.UNKNOWN, VerifiedReason.ALREADY_TRUE, because.anothers(initiators)
    if was is Held.YES and ambient_leaf(case.predicate, case.outcome, case.window):
        why = because.by_itself(control_stretch_ms(case.window))
        return Verified.UNKNOWN, VerifiedReason.ALREADY_TRUE, why
    return Verified.UNKNOWN, VerifiedReason.ALREADY_TRUE, because.already(known=was is Held.YES)


def _unclean_capture(case: _Case) -> _Judgement | None:
    gone = lost(case.window, HIDES_FINDINGS)
    if not gone and case.window.losses:
        gone = lost(case.window, blinded(case.window, case.predicate))
    sampled = blind(case.window, hiding(EVERY)).get("rate-limited")
    if not gone and not sampled:
        return None
    told = describe(gone) if gone else "the page's events were sampled"
    return Verified.UNKNOWN, VerifiedReason.UNCLEAN_CAPTURE, because.unclean(told)


def _nothing_declared(case: _Case) -> _Judgement | None:
    if case.declared:
        return None
    if not case.settle.settled or case.outcome.held is not Held.YES:
        return Verified.UNKNOWN, VerifiedReason.UNSETTLED, because.unsettled(case.settle)
    return Verified.UNKNOWN, VerifiedReason.NOTHING_DECLARED, because.NOTHING_DECLARED


def _vacuous_grade(case: _Case) -> _Judgement | None:
    if case.grade is not Grade.NONE:
        return None
    return Verified.UNKNOWN, VerifiedReason.VACUOUS_GRADE, because.VACUOUS


def _outcome_pending(case: _Case) -> _Judgement | None:
    accepted = pending_outcomes(case.window, case.predicate)
    if not accepted:
        return None
    return Verified.UNKNOWN, VerifiedReason.OUTCOME_PENDING, because.accepted_only(accepted)


def _outcome_unread(case: _Case) -> _Judgement | None:
    unread = unread_outcomes(case.window, case.predicate)
    if not unread:
        return None
    return Verified.UNKNOWN, VerifiedReason.OUTCOME_UNREAD, because.unread(unread)


def _unsettled(case: _Case) -> _Judgement | None:
    if not only_absences(case.predicate, case.outcome):
        return None
    slowed = throttled(case.window)
    if slowed is not None:
        return Verified.UNKNOWN, VerifiedReason.UNSETTLED, because.too_slow(slowed)
    if not case.settle.open_requests:
        return None
    return Verified.UNKNOWN, VerifiedReason.UNSETTLED, because.unsettled(case.settle)


def _proved(case: _Case) -> _Judgement:
    window = case.window
    why = because.proved(
        case.outcome,
        case.grade,
        case.settle,
        partial=_partial(window),
        expired=window.expired,
        foreseen=not case.settle.settled and nothing_comes_in(case.predicate, window) == 0,
        ahead_ms=quiet_ahead_ms(window),
        scheduled=[*still_scheduled(window), *unlooked(window.scrutiny)],
    )
    return Verified.YES, VerifiedReason.PROVED, why


@attrs.frozen
class Rung:
    """
    A step of the ladder: when it decides, in words, and what it then decides.
    """

    when: str
    decides: str
    judge: Callable[[_Case], _Judgement | None]


RUNGS: tuple[Rung, ...] = (
    Rung("the page went away in the window", "unknown: observation_lost", _observation_lost),
    Rung("a part of the claim cannot be told", "unknown: inconclusive", _inconclusive),
    Rung(
        "the claim does not hold, and nothing that is under way can change that",
        "no: assertion_failed",
        _assertion_failed,
    ),
    Rung("two channels contradict each other", "no: contradicted", _contradicted),
    Rung(
        "something that should have been seen was not", "unknown: evidence_incomplete", _evidence_incomplete
    ),
    Rung(
        "something is claimed to be absent where the page cannot be looked into",
        "unknown: absence_blind_spot",
        _absence_blind_spot,
    ),
    Rung(
        "it was true before the action already, or comes without it just as well",
        "unknown: already_true",
        _already_true,
    ),
    Rung("evidence was lost that could contradict", "unknown: unclean_capture", _unclean_capture),
    Rung(
        "nothing was declared",
        "unknown: nothing_declared, or unsettled while the page is busy",
        _nothing_declared,
    ),
    Rung("of what was declared only `settled` held", "unknown: vacuous_grade", _vacuous_grade),
    Rung("a request answered 202, or has not answered yet", "unknown: outcome_pending", _outcome_pending),
    Rung("a write's answer was not read", "unknown: outcome_unread", _outcome_unread),
    Rung(
        "something is claimed to be absent while the page is busy or slow", "unknown: unsettled", _unsettled
    ),
    Rung("otherwise", "yes: proved", _proved),
)
"""The ladder, in order: the first rung that fits decides."""


def _was_true(case: _Case) -> Held:
    return already_true(case.predicate, case.outcome, case.window)


def _let_be(case: _Case) -> tuple[Request, ...]:
    return side_failures(case.window, case.predicate)[:_LET_BE]


def _partial(window: Window) -> bool:
    return any(count > 0 for count in window.blind_spots.values())


def _honesty(case: _Case) -> Honesty:
    window = case.window
    issues = [describe([loss]) for loss in window.losses if is_scarce(loss)]
    notes = [describe([loss]) for loss in window.losses if not is_scarce(loss)]
    slowed = throttled(window)
    if slowed is not None:
        notes.append(slowed)
    notes += [f"let be: {one}, which the claim does not hang on" for one in _let_be(case)]
    notes += beside(case.predicate, window)
    notes += invariant_notes(window)
    notes += unlooked(window.scrutiny)
    notes += server_notes(window)
    if window.blind_spots.get("rate-limited"):
        issues.append("events were sampled")
    if window.connection_lost:
        issues.append("the page's connection was lost")
    told = attributed(case.outcome, window)
    spots = {kind: count for kind, count in window.blind_spots.items() if count > 0}
    return Honesty(
        grade=case.grade,
        settled=case.settle.settled,
        partial=bool(spots),
        blind_spots=spots,
        clean=not issues,
        issues=tuple(dict.fromkeys(issues)),
        notes=tuple(dict.fromkeys(notes)),
        pending=undone(window),
        attributed=None if told is None else told.value,
        ambient=case.settle.ambient,
    )


def _first(places: Sequence[Place]) -> str | None:
    return places[0].where if places else None
