"""
A recorded window judged: when a call ends, and again at any later time.

Both go through ``judge``, so that a stored window gives the same verdict bit for bit (DESIGN §6, issue #8).
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from reticle.domain.invariants import invariant_outcomes
from reticle.domain.ladder import decide
from reticle.domain.predicate import Predicate, parse
from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.model.verdict import Decision, MinGrade, Outcome, Verdict
from reticle.model.window import Window


def judge(
    predicate: Predicate, window: Window, least: MinGrade | None = None, *, outcome: Outcome | None = None
) -> Decision:
    """
    The decision over a window, with what the call demanded of its evidence.

    Args:
        predicate: What was claimed.
        window: The recorded window.
        least: The grade that a ``yes`` needs.
        outcome: The predicate's outcome over this window, when the caller has it already.
    """
    decision = decide(predicate, window, outcome=outcome)
    return _demand_grade(attrs.evolve(decision, invariants=invariant_outcomes(window)), least)


def rejudge(verdict: Verdict, window: Window) -> Decision:
    """
    What this program decides over the window of a verdict that is stored.

    Raises:
        Refusal: ``bad_predicate`` when the claim is one that this version does not read any more.
    """
    return judge(parse(verdict.claim), window, verdict.min_grade)


def differences(one: Mapping[str, object], other: Mapping[str, object]) -> dict[str, tuple[object, object]]:
    """
    Where two values of JSON differ: path → what stands there in the one and in the other; None for nothing.
    """
    found: dict[str, tuple[object, object]] = {}
    _compare("", one, other, found)
    return found


def _compare(path: str, one: object, other: object, found: dict[str, tuple[object, object]]) -> None:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in [*one, *(key for key in other if key not in one)]:
            _compare(f"{path}.{key}" if path else str(key), one.get(key), other.get(key), found)
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for index, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            _compare(f"{path}.{index}", mine, theirs, found)
    elif one != other:
        found[path] = (one, other)


def _demand_grade(decision: Decision, least: MinGrade | None) -> Decision:
    """
    The decision with a ``yes`` below the demanded grade made ``unknown``.
    """
    if least is None or decision.verified is not Verified.YES:
        return decision
    demanded = Grade[least.upper()]
    if decision.honesty.grade >= demanded:
        return decision
    return attrs.evolve(
        decision,
        verified=Verified.UNKNOWN,
        reason=VerifiedReason.VACUOUS_GRADE,
        because=f"The claim held, but only by evidence of grade {decision.honesty.grade.name.lower()}, and "
        f"{least} was demanded: name a consequence of that grade as well.",
    )
