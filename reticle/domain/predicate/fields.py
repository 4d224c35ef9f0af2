"""
Whether the value of a predicate's field has the shape that the grammar gives it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from reticle.domain.predicate.body_schema import schema_fault
from reticle.domain.predicate.grammar import (
    FINDERS,
    LOCATORS,
    PLACE_FIELDS,
    QUERY_FIELDS,
    SHAPE_NAMES,
    KindRule,
    Shape,
)
from reticle.domain.predicate.patterns import check_pattern
from reticle.domain.predicate.refusals import bad_predicate

_HTTP_STATUS = range(100, 600)

_FLAGS = ("self",)
_OBJECTS = ("attrs",)


def checked(  # noqa: PLR0911 -- one arm per shape
    rule: KindRule, name: str, value: object, where: str
) -> object:
    """
    The value as a predicate keeps it.

    Raises:
        Refusal: ``bad_predicate`` when it does not have the field's shape.
    """
    field = rule.fields[name]
    match field.shape:
        case "query":
            return checked_query(value, where, rule.example)
        case "pattern":
            check_pattern(value, where, rule.example, delta=name == "equals" and "path" in rule.fields)
            return value
        case "patterns":
            return _patterns(value, where, rule.example)
        case "styles":
            return _styles(value, where, rule.example)
        case "schema":
            fault = schema_fault(value) if isinstance(value, Mapping) else f"must be {SHAPE_NAMES['schema']}"
            if fault is not None:
                raise bad_predicate(where, fault, example=rule.example)
            return value
        case "word":
            if value not in field.words:
                raise bad_predicate(
                    where,
                    f"{value!r} is not a value of {name!r}",
                    accepted=field.words,
                    got=value if isinstance(value, str) else None,
                    example=rule.example,
                )
            return value
    if not _fits(field.shape, value):
        wrong = f"must be {SHAPE_NAMES[field.shape]}, not {_shown(value)}"
        raise bad_predicate(where, wrong, example=rule.example)
    return int(value) if isinstance(value, float) else value


def _fits(shape: Shape, value: object) -> bool:
    if shape == "text":
        return isinstance(value, str) and value.strip() != ""
    if shape == "flag":
        return isinstance(value, bool)
    number = _whole(value)
    if number is None:
        return False
    if shape == "status":
        return number in _HTTP_STATUS
    return number > 0 if shape == "milliseconds" else number >= 0


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None


def checked_query(value: object, where: str, example: Mapping[str, object]) -> Mapping[str, object]:
    """
    An element query that finds something in particular.

    Raises:
        Refusal: ``bad_predicate``.
    """
    if not isinstance(value, Mapping):
        raise bad_predicate(where, "must be an element query object", accepted=QUERY_FIELDS, example=example)
    for name, field in value.items():
        if name not in QUERY_FIELDS:
            wrong = f"unknown query field {name!r}"
            raise bad_predicate(where, wrong, accepted=QUERY_FIELDS, got=str(name), example=example)
        _query_field(str(name), field, f"{where}.{name}", example)
    _locator(value, where, example)
    return dict(value)


def _query_field(name: str, value: object, where: str, example: Mapping[str, object]) -> None:
    if name == "by" and value not in LOCATORS:
        got = value if isinstance(value, str) else None
        raise bad_predicate(
            where, f"{value!r} is not a way to find", accepted=LOCATORS, got=got, example=example
        )
    if name == "source":
        _place(value, where, example)
        return
    if name in _FLAGS:
        fits = isinstance(value, bool)
    elif name in _OBJECTS:
        fits = isinstance(value, Mapping)
    else:
        fits = isinstance(value, str) and (value.strip() != "" or name == "value")
    if not fits:
        raise bad_predicate(where, f"has a value that cannot be looked for: {_shown(value)}", example=example)


def _place(value: object, where: str, example: Mapping[str, object]) -> None:
    """
    Refuse what names no line of a file, such as a place in one text as answers show it.
    """
    shown = 'such as {"file": "src/Cart.tsx", "line": 12}'
    if not isinstance(value, Mapping):
        raise bad_predicate(where, f"must be a place in the code, {shown}", example=example)
    for name in value:
        if name not in PLACE_FIELDS:
            wrong = f"unknown field {name!r} of a place"
            raise bad_predicate(where, wrong, accepted=PLACE_FIELDS, got=str(name), example=example)
    file, line, column = (value.get(name) for name in PLACE_FIELDS)
    numbers = [line] if column is None else [line, column]
    if (
        not isinstance(file, str)
        or not file.strip(" ./\\")
        or not all(_fits("count", each) for each in numbers)
    ):
        raise bad_predicate(where, f"needs a file and a line, {shown}", example=example)


def _locator(query: Mapping[str, object], where: str, example: Mapping[str, object]) -> None:
    """
    Refuse a query that finds nothing in particular, such as a value without ``by``.
    """
    if "by" in query and "value" not in query:
        raise bad_predicate(where, "has 'by' without the 'value' to look for", example=example)
    if "by" not in query and not any(name in query for name in FINDERS):
        wrong = "has no locator: give by with value, or one of the accepted fields"
        raise bad_predicate(where, wrong, accepted=FINDERS, example=example)


def _patterns(value: object, where: str, example: Mapping[str, object]) -> Mapping[str, object]:
    if not isinstance(value, Mapping) or not value:
        raise bad_predicate(where, "must be an object with a pattern per key, not empty", example=example)
    for name, pattern in value.items():
        if str(name).startswith("$"):
            wrong = f"has the operator {name!r} where a key of the data belongs"
            raise bad_predicate(where, wrong, example=example)
        check_pattern(pattern, f"{where}.{name}", example)
    return dict(value)


def _styles(value: object, where: str, example: Mapping[str, object]) -> Mapping[str, object]:
    """
    Style patterns under the names that CSS gives the properties.
    """
    patterns = _patterns(value, where, example)
    for name in patterns:
        if not re.fullmatch(r"--[\w-]+|-?[a-z]+(-[a-z]+)*", name):
            spelled = re.sub(r"[A-Z]", lambda letter: f"-{letter[0].lower()}", name)
            wrong = f"{name!r} is not how CSS spells a property; did you mean {spelled!r}?"
            raise bad_predicate(where, wrong, example=example)
    return patterns


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
