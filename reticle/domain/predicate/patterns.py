"""
Patterns: a literal, ``"*"``, or an object of operators, compared with a value the page sent.

Comparison is structural and strict: 1 is not "1" nor true, lists keep their order, objects do not
(field report VD-10). A placeholder (``codes.NOT_OBSERVED``) is a value that was not sent: a comparison
that depends on one is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.domain.predicate.grammar import KINDS, OPERATORS
from reticle.domain.predicate.kinds import UNSET
from reticle.domain.predicate.refusals import bad_predicate
from reticle.domain.predicate.text_pattern import PatternFault, compile_pattern
from reticle.domain.predicate.whole_messages import is_whole_in_message
from reticle.model.codes import NOT_OBSERVED
from reticle.model.limits import PATTERN_SUBJECT_CHARS
from reticle.model.verdict import Held

_NUMERIC = ("$gte", "$lte", "$gt", "$lt")


DELTA = "$delta"


def check_pattern(pattern: object, where: str, example: Mapping[str, object], *, delta: bool = False) -> None:
    """
    Refuse a pattern whose operators are unknown, mixed with literals, or wrongly filled.

    Args:
        pattern: The pattern.
        where: Its place, for the refusal.
        example: A valid predicate, for the refusal.
        delta: Whether it may compare with the value before the action.

    Raises:
        Refusal: ``bad_predicate``.
    """
    if isinstance(pattern, Mapping) and _is_operators(pattern):
        for name, operand in pattern.items():
            _check_operator(name, operand, where, example)
            if name == DELTA and len(pattern) > 1:
                raise bad_predicate(
                    where, "has $delta beside other operators; it stands alone", example=example
                )
            if name == DELTA and not delta:
                wrong = "has $delta, which compares with before the action: only `equals` of `state` can"
                raise bad_predicate(where, wrong, example=KINDS["state"].example)
    else:
        _refuse_hidden_operators(pattern, where, example)


def has_delta(pattern: object) -> bool:
    """
    Whether a pattern compares with the value before the action.
    """
    return isinstance(pattern, Mapping) and DELTA in pattern


def after_delta(pattern: object, before: object) -> object:
    """
    The pattern with ``$delta`` made the number that it asks for; as it is where there was no number before.
    """
    if not has_delta(pattern) or not isinstance(before, int | float) or isinstance(before, bool):
        return pattern
    assert isinstance(pattern, Mapping)
    wanted = before + pattern[DELTA]
    # sums of fractions are off by a hair: 0.1 + 0.2
    slack = 0 if isinstance(wanted, int) else max(abs(wanted), 1) * 1e-9
    return {"$gte": wanted - slack, "$lte": wanted + slack}


def fits(pattern: object, value: object) -> Held:
    """
    Whether ``value`` (``UNSET`` for "there is none") fits ``pattern``.
    """
    if isinstance(pattern, Mapping) and _is_operators(pattern):
        return conjunction([_operator(name, operand, value) for name, operand in pattern.items()])
    if value is UNSET:
        return Held.NO
    if pattern == "*":
        return Held.UNKNOWN if _unsent(value) else Held.YES
    return equal(pattern, value)


def equal(expected: object, value: object) -> Held:
    """
    Structural equality of JSON values; UNKNOWN when only placeholders stand between them.
    """
    if _unsent(value):
        return Held.UNKNOWN
    if isinstance(expected, Mapping):
        return _equal_objects(expected, value)
    if isinstance(expected, list | tuple):
        return _equal_lists(expected, value)
    if isinstance(expected, bool) or isinstance(value, bool) or expected is None or value is None:
        return _held(expected is value)
    if _number(expected) and _number(value):
        return _held(expected == value)
    return _held(type(expected) is type(value) and expected == value)


def conjunction(parts: list[Held]) -> Held:
    """
    All of them: a NO decides, then an UNKNOWN.
    """
    if Held.NO in parts:
        return Held.NO
    return Held.UNKNOWN if Held.UNKNOWN in parts else Held.YES


def _equal_objects(expected: Mapping[object, object], value: object) -> Held:
    if not isinstance(value, Mapping):
        return Held.NO
    if expected.keys() != value.keys():
        return Held.UNKNOWN if any(_unsent(name) for name in value) else Held.NO
    return conjunction([equal(part, value[name]) for name, part in expected.items()])


def _equal_lists(expected: list[object] | tuple[object, ...], value: object) -> Held:
    if not isinstance(value, list | tuple):
        return Held.NO
    if len(expected) != len(value):
        return Held.UNKNOWN if any(_unsent(member) for member in value) else Held.NO
    return conjunction([equal(part, member) for part, member in zip(expected, value, strict=True)])


def _operator(name: str, operand: object, value: object) -> Held:  # noqa: PLR0911 -- one per operator
    if name == "$exists":
        return _held((value is not UNSET) == operand)
    if name == DELTA:
        return Held.UNKNOWN  # nothing to compare with: ``after_delta`` has not replaced it
    if value is UNSET:
        return Held.NO
    if _unsent(value):
        return Held.UNKNOWN
    if name in _NUMERIC:
        return _compared(name, operand, value)
    match name:
        case "$contains":
            return _contains(operand, value)
        case "$length":
            return _length(operand, value)
        case "$ne":
            return invert(equal(operand, value))
        case "$in":
            members = list(operand) if isinstance(operand, list | tuple) else []
            return invert(conjunction([invert(equal(member, value)) for member in members]))
        case _:
            return _matches(operand, value)


def invert(held: Held) -> Held:
    """
    The opposite; what is unknown stays unknown.
    """
    if held is Held.UNKNOWN:
        return held
    return Held.NO if held is Held.YES else Held.YES


def _compared(name: str, operand: object, value: object) -> Held:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return Held.NO
    bound = operand if isinstance(operand, int | float) else 0
    outcomes = {"$gte": value >= bound, "$lte": value <= bound, "$gt": value > bound, "$lt": value < bound}
    return _held(outcomes[name])


def _contains(operand: object, value: object) -> Held:
    if isinstance(value, str):
        if not isinstance(operand, str) or operand not in value:
            return _no_unless_cut(value)
        return Held.YES if not operand or is_whole_in_message(operand, value) else Held.UNKNOWN
    if isinstance(value, list | tuple):
        return invert(conjunction([invert(equal(operand, member)) for member in value]))
    return Held.NO


def _length(operand: object, value: object) -> Held:
    if isinstance(value, str):
        return Held.UNKNOWN if _has_placeholder(value) else _held(len(value) == operand)
    if isinstance(value, list | tuple):
        return Held.UNKNOWN if any(_unsent(member) for member in value) else _held(len(value) == operand)
    return Held.NO


def _matches(operand: object, value: object) -> Held:
    if not isinstance(value, str):
        return Held.NO
    if len(value) > PATTERN_SUBJECT_CHARS:
        return Held.UNKNOWN
    return Held.YES if compile_pattern(str(operand)).found_in(value) else _no_unless_cut(value)


def _no_unless_cut(value: str) -> Held:
    return Held.UNKNOWN if _has_placeholder(value) else Held.NO


def _has_placeholder(value: str) -> bool:
    return any(placeholder in value for placeholder in NOT_OBSERVED)


def _unsent(value: object) -> bool:
    return isinstance(value, str) and value in NOT_OBSERVED


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _held(truth: bool) -> Held:  # noqa: FBT001 -- the one thing it is about
    return Held.YES if truth else Held.NO


def _is_operators(pattern: Mapping[object, object]) -> bool:
    return bool(pattern) and all(str(name).startswith("$") for name in pattern)


def _check_operator(name: object, operand: object, where: str, example: Mapping[str, object]) -> None:
    names = [known for known in OPERATORS if known != "*"]
    if name not in names:
        wrong = f"unknown operator {name!r}"
        raise bad_predicate(where, wrong, accepted=names, got=str(name), example=example)
    fault = _operand_fault(str(name), operand)
    if fault:
        raise bad_predicate(f"{where}.{name}", fault, example=example)


def _operand_fault(name: str, operand: object) -> str | None:  # noqa: PLR0911 -- one per operator
    if name in _NUMERIC and not _number(operand):
        return "must be a number"
    if name == DELTA and (not _number(operand) or operand == 0):
        return "must be a number other than 0; that a value stays is claimed by the value"
    if name == "$length" and not (
        isinstance(operand, int) and not isinstance(operand, bool) and operand >= 0
    ):
        return "must be a whole number from 0"
    if name == "$in" and not (isinstance(operand, list | tuple) and operand):
        return "must be a list of values, not empty"
    if name == "$exists" and not isinstance(operand, bool):
        return "must be true or false"
    if name == "$matches":
        if not isinstance(operand, str) or not operand:
            return "must be a pattern, as a string"
        try:
            compile_pattern(operand)
        except PatternFault as fault:
            return str(fault)
    return None


def _refuse_hidden_operators(value: object, where: str, example: Mapping[str, object]) -> None:
    """
    An operator inside a literal would be compared as text and silently never match.
    """
    if isinstance(value, Mapping):
        for name, part in value.items():
            if str(name).startswith("$"):
                wrong = f"has the operator {name!r} beside or inside a literal; operators stand alone"
                raise bad_predicate(where, wrong, accepted=OPERATORS, example=example)
            _refuse_hidden_operators(part, f"{where}.{name}", example)
    elif isinstance(value, list | tuple):
        for place, part in enumerate(value):
            _refuse_hidden_operators(part, f"{where}[{place}]", example)
