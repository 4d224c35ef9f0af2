"""
The JSON Schemas that a claim may hold a body against (draft 2020-12), and whether a body is valid.

An agent's schema must not hold up the reactor: its patterns are those of ``$matches``, matched in bounded
time, references lead to parts of the same schema, and so many of them are followed and no more.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import attrs

from reticle.domain.predicate.text_pattern import PatternFault, compile_pattern
from reticle.model.limits import PATTERN_SUBJECT_CHARS
from reticle.model.verdict import Held

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_ONE: Final = (
    "additionalProperties", "unevaluatedProperties", "propertyNames", "items", "unevaluatedItems", "contains",
    "not", "if", "then", "else",
)  # fmt: skip
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_MAPS: Final = ("properties", "$defs", "definitions", "dependentSchemas")
"""Keywords that hold a schema, a list of them, or some by name."""

_LEFT_OUT: Final = {
    "$dynamicRef": "$ref",
    "patternProperties": "propertyNames, or additionalProperties",
}
"""What is not read, and what does instead."""

REFERENCES: Final = 10_000
"""Followed for one body; each takes some 20 microseconds, and a few can refer to each other without end."""


class _SpentError(Exception):
    pass


def schema_fault(schema: Mapping[str, object]) -> str | None:
    """
    Why it is no JSON Schema that can be used; None when it is.
    """
    from jsonschema import Draft202012Validator, SchemaError  # noqa: PLC0415 - loaded when first used

    try:
        Draft202012Validator.check_schema(schema)
        parts = dict(_parts(schema, ""))
    except SchemaError as fault:
        return f"is no JSON Schema: {fault.message[:200]}"
    except RecursionError:
        return "has too many levels"
    return next(filter(None, (_fault_of(part, parts) for part in parts.values())), None)


def is_valid(schema: Mapping[str, object], body: object) -> Held:
    """
    Whether a body, no deeper than ``json_text.LEVELS``, is valid; UNKNOWN where it takes too long to tell.
    """
    return _checker(json.dumps(schema, sort_keys=True)).check(body)


def _parts(schema: object, pointer: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """
    The schema and every schema in it, by its JSON pointer (RFC 6901).
    """
    if not isinstance(schema, Mapping):
        return
    yield pointer, schema
    for name in _ONE:
        yield from _parts(schema.get(name), f"{pointer}/{name}")
    for name in _LISTS:
        inner = schema.get(name)
        for number, part in enumerate(inner if isinstance(inner, list | tuple) else ()):
            yield from _parts(part, f"{pointer}/{name}/{number}")
    for name in _MAPS:
        named = schema.get(name)
        for key, part in named.items() if isinstance(named, Mapping) else ():
            step = str(key).replace("~", "~0").replace("/", "~1")
            yield from _parts(part, f"{pointer}/{name}/{step}")


def _fault_of(part: Mapping[str, object], parts: Mapping[str, object]) -> str | None:
    for name, instead in _LEFT_OUT.items():
        if name in part:
            return f"has {name}, which is not read here: use {instead}"
    reference = part.get("$ref")
    if isinstance(reference, str) and not reference.startswith("#"):
        return f"refers to {reference!r}: only parts of the same schema are read"
    if isinstance(reference, str) and unquote(reference[1:]) not in parts:
        return f"refers to {reference!r}, which is no part of it: a pointer such as '#/$defs/order'"
    try:
        compile_pattern(str(part.get("pattern", "")))
    except PatternFault as fault:
        return f"has a pattern that is none of $matches: {fault}"
    return None


@attrs.frozen
class _Checker:
    validator: Validator
    left: list[int]

    def check(self, body: object) -> Held:
        self.left[0] = REFERENCES
        instance: Any = body
        try:
            return Held.YES if self.validator.is_valid(instance) else Held.NO
        except (RecursionError, _SpentError):
            return Held.UNKNOWN


@functools.lru_cache(32)
def _checker(schema: str) -> _Checker:
    from jsonschema import Draft202012Validator, ValidationError, validators  # noqa: PLC0415 - as above

    left = [0]
    follow = Draft202012Validator.VALIDATORS["$ref"]

    def refer(validator: Any, reference: str, body: object, part: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise _SpentError
        return follow(validator, reference, body, part)

    def match(_validator: Any, pattern: str, body: object, _part: Any) -> Iterator[ValidationError]:
        if not isinstance(body, str):
            return
        if len(body) > PATTERN_SUBJECT_CHARS:
            raise _SpentError
        if not compile_pattern(pattern).found_in(body):
            yield ValidationError("it does not match the pattern")

    read: Any = json.loads(schema)
    extend: Any = validators.extend  # untyped there
    kind = extend(Draft202012Validator, {"$ref": refer, "pattern": match})
    return _Checker(kind(read), left)
