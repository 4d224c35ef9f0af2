"""
From JSON to a relation, strictly: which sides there are and what stands beside each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from reticle.domain.predicate.fields import checked, checked_query
from reticle.domain.predicate.grammar import KINDS, STORAGE_AREAS
from reticle.domain.predicate.kinds import Same, Side
from reticle.domain.predicate.refusals import bad_predicate
from reticle.domain.predicate.relation_grammar import SIDE_FIELDS, SIDES, SideRule
from reticle.errors import Refusal
from reticle.model.limits import RELATION_SIDES

_RULE: Final = KINDS["same"]
_KEPT_AREAS: Final = tuple(area for area in STORAGE_AREAS if area != "indexeddb")
"""Those that hold texts under keys."""

_MARKS: Final = (".", ",")
_OURS: Final = {"urlContains": "url_contains"}
_ALIASES: Final = {"url": "urlContains"}


def read_relation(fields: Mapping[str, object], where: str) -> Same:
    """
    The relation of a ``same``, whose fields bear their canonical names.

    Raises:
        Refusal: ``bad_predicate``.
    """
    given = fields["sides"]
    if not isinstance(given, list | tuple) or not 1 < len(given) <= RELATION_SIDES:
        raise _bad(f"{where}.sides", f"must be a list of 2 to {RELATION_SIDES} sides")
    sides = tuple(_side(side, f"{where}.sides[{place}]") for place, side in enumerate(given))
    if all(side.channel == "literal" for side in sides):
        raise _bad(f"{where}.sides", "has literals alone: one side at least must be read")
    if len(set(map(repr, sides))) < len(sides):
        raise _bad(f"{where}.sides", "has the same side twice, which is always the same as itself")
    operator: Any = checked(_RULE, "operator", fields.get("operator", "equals"), f"{where}.operator")
    tolerance = fields.get("tolerance")
    if tolerance is not None and (not _is_number(tolerance) or tolerance < 0):  # type: ignore[operator]  # a number
        raise _bad(f"{where}.tolerance", "must be a number from 0")
    if operator == "contains" and (len(sides) > 2 or tolerance is not None):
        raise _bad(where, "with operator contains takes two sides and no tolerance")
    return Same(sides, operator, None if tolerance is None else float(tolerance))  # type: ignore[arg-type]  # a number


def _side(given: object, where: str) -> Side:
    if not isinstance(given, Mapping):
        raise _bad(where, "must be an object with one channel", accepted=SIDES)
    channels = [name for name in given if name in SIDES]
    if len(channels) != 1:
        wrong = "names no channel" if not channels else f"names several channels: {', '.join(channels)}"
        unknown = next((str(name) for name in given if name not in SIDE_FIELDS), None)
        raise _bad(where, wrong, accepted=SIDES, got=unknown)
    (channel,) = channels
    rule = SIDES[channel]
    beside = {str(name): value for name, value in given.items() if name != channel}
    if "url" in beside and "urlContains" in beside:
        raise _bad(where, "'urlContains' is given twice, once as 'url'")
    beside = {_ALIASES.get(name, name): value for name, value in beside.items()}
    for name, value in beside.items():
        if name not in rule.beside:
            wrong = f"unknown field {name!r} beside {channel!r}"
            raise _bad(where, wrong, accepted=[channel, *rule.beside], got=name)
        _check_beside(name, value, f"{where}.{name}")
    for name in rule.required:
        if name not in beside:
            raise _bad(where, f"{channel!r} needs {name!r} ({SIDE_FIELDS[name]})", accepted=rule.beside)
    named: dict[str, Any] = {_OURS.get(name, name): value for name, value in beside.items()}
    return Side(channel, _address(rule, given[channel], f"{where}.{channel}"), **named)


def _address(rule: SideRule, value: object, where: str) -> object:
    if rule.shape == "query":
        return checked_query(value, where, _RULE.example)
    if rule.shape == "literal":
        if isinstance(value, Mapping | list | tuple) or (
            isinstance(value, float) and not math.isfinite(value)
        ):
            raise _bad(where, "must be a text, a number, true, false or null")
        return value
    if not isinstance(value, str) or not value.strip():
        raise _bad(where, "must be a string that is not empty")
    return value


def _check_beside(name: str, value: object, where: str) -> None:
    if name == "scale":
        if not _is_number(value) or value == 0:
            raise _bad(where, "must be a number other than 0")
    elif name == "decimal":
        if value not in _MARKS:
            raise _bad(where, 'must be "." or ","')
    elif name == "area" and value not in _KEPT_AREAS:
        got = value if isinstance(value, str) else None
        raise _bad(where, f"{value!r} is not an area", accepted=_KEPT_AREAS, got=got)
    elif not isinstance(value, str) or not value.strip():
        raise _bad(where, "must be a string that is not empty")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _bad(where: str, wrong: str, *, accepted: Any = (), got: str | None = None) -> Refusal:
    return bad_predicate(where, wrong, accepted=accepted, got=got, example=_RULE.example)
