"""
Whether every value that fits one pattern fits another (``patterns.fits``); False where that is not known.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from reticle.domain.predicate.kinds import UNSET
from reticle.domain.predicate.patterns import DELTA, fits
from reticle.model.verdict import Held

_EXISTS = "$exists"


def same_value(one: object, other: object) -> bool:
    """
    Whether two JSON values are written alike; 1 and true are not, which Python calls equal.
    """
    if one is UNSET or other is UNSET:
        return one is other
    return json.dumps(one, sort_keys=True, default=repr) == json.dumps(other, sort_keys=True, default=repr)


def pattern_implies(strong: object, weak: object) -> bool:
    """
    Whether a value that fits ``strong`` always fits ``weak``.
    """
    if same_value(strong, weak):
        return True
    operators = _operators(strong)
    if operators is None:
        return _of_value(strong, weak)
    if "$in" in operators:
        listed = operators["$in"]
        if isinstance(listed, list | tuple) and all(fits(weak, one) is Held.YES for one in listed):
            return True
    asked = _operators(weak)
    if asked is None:
        return weak == "*" and _is_sent(operators)
    return all(_operator_implied(operators, name, operand) for name, operand in asked.items())


def _operators(pattern: object) -> Mapping[str, object] | None:
    """
    The operators of a pattern; None for a literal and for ``"*"``.
    """
    if isinstance(pattern, Mapping) and pattern and all(str(name).startswith("$") for name in pattern):
        return {str(name): operand for name, operand in pattern.items()}
    return None


def _of_value(literal: object, weak: object) -> bool:
    """
    A literal is fitted by that one value alone; ``"*"`` by any that is there.
    """
    if literal == "*":
        asked = _operators(weak)
        return asked is not None and [*asked] == [_EXISTS] and asked[_EXISTS] is True
    return fits(weak, literal) is Held.YES


def _is_sent(operators: Mapping[str, object]) -> bool:
    """
    Whether what fits them must be a value that the page sent.
    """
    return any(name not in {_EXISTS, DELTA} for name in operators)


def _operator_implied(operators: Mapping[str, object], name: str, operand: object) -> bool:
    if name in operators and same_value(operators[name], operand):
        return True
    if name == _EXISTS:
        return operand is True and any(one != _EXISTS or asked is True for one, asked in operators.items())
    bounds = _BOUNDS.get(name, ())
    return any(
        one in operators and _bounds(operators[one], operand, upward=name.startswith("$g"), sharper=sharper)
        for one, sharper in bounds
    )


_BOUNDS: Mapping[str, tuple[tuple[str, bool], ...]] = {
    "$gte": (("$gte", False), ("$gt", False)),
    "$gt": (("$gt", False), ("$gte", True)),
    "$lte": (("$lte", False), ("$lt", False)),
    "$lt": (("$lt", False), ("$lte", True)),
}
"""By which operators each bound follows, and whether their operand has to lie beyond it."""


def _bounds(mine: object, theirs: object, *, upward: bool, sharper: bool) -> bool:
    if not isinstance(mine, int | float) or not isinstance(theirs, int | float):
        return False
    if sharper:
        return mine > theirs if upward else mine < theirs
    return mine >= theirs if upward else mine <= theirs
