"""
What a request carried, and what came back: JSON by path, and against a JSON Schema.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reticle.domain.predicate.json_path import at_path
from reticle.domain.predicate.kinds import UNSET
from reticle.domain.predicate.patterns import conjunction, fits
from reticle.domain.requests import Request
from reticle.model.codes import NOT_OBSERVED
from reticle.model.verdict import Held

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

RESPONSE, REQUEST = "responseBody", "requestBody"


def fits_body(patterns: Mapping[str, object], one: Request, key: str) -> Held:
    """
    Whether the body has all of it. One that was not recorded, or was cut, is UNKNOWN where that matters.
    """
    body = json_of(one, key)
    if body is UNSET:
        return Held.UNKNOWN if is_unread(one, key) else Held.NO
    return conjunction([fits(pattern, at_path(body, path)) for path, pattern in patterns.items()])


def is_valid(schema: Mapping[str, object], one: Request) -> Held:
    """
    Whether the response body is valid against the schema.
    """
    body: Any = json_of(one, RESPONSE)
    if body is UNSET:
        return Held.UNKNOWN if is_unread(one, RESPONSE) else Held.NO
    if has_placeholder(body):
        return Held.UNKNOWN
    return Held.YES if _validator(json.dumps(schema, sort_keys=True)).is_valid(body) else Held.NO


def misfit(patterns: Mapping[str, object], one: Request, key: str) -> str | None:
    """
    The first path that does not fit, with what stands there; None when all do or nothing was recorded.
    """
    body = json_of(one, key)
    for path, pattern in patterns.items() if body is not UNSET else ():
        value = at_path(body, path)
        if fits(pattern, value) is not Held.YES:
            return f"{path} is {'not there' if value is UNSET else repr(value)}"
    return None


def schema_fault(schema: Mapping[str, object]) -> str | None:
    """
    Why it is no JSON Schema that can be used; None when it is.
    """
    from jsonschema import Draft202012Validator, SchemaError  # noqa: PLC0415 - loaded when first used

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as fault:
        return f"is no JSON Schema: {fault.message[:200]}"
    foreign = next((ref for ref in _refs(schema) if not ref.startswith("#")), None)
    return None if foreign is None else f"refers to {foreign!r}: only parts of the same schema are read"


def json_of(one: Request, key: str) -> object:
    """
    A recorded body as JSON, or ``UNSET`` when none was recorded or it is none.
    """
    body = one.answer.get(key)
    if body is None and key not in one.answer:
        return UNSET
    if not isinstance(body, str):
        return body
    try:
        return _parsed(body)
    except ValueError:
        return UNSET


@functools.lru_cache(64)
def _parsed(text: str) -> object:
    return json.loads(text)


def is_unread(one: Request, key: str) -> bool:
    """
    Whether a body was not recorded whole.
    """
    body = one.answer.get(key)
    if key not in one.answer or one.answer.get("bodyTruncated"):
        return True
    return isinstance(body, str) and any(placeholder in body for placeholder in NOT_OBSERVED)


def has_placeholder(value: object) -> bool:
    """
    Whether a part of a JSON value was not sent.
    """
    if isinstance(value, Mapping):
        return any(has_placeholder(each) for pair in value.items() for each in pair)
    if isinstance(value, list | tuple):
        return any(map(has_placeholder, value))
    return isinstance(value, str) and any(placeholder in value for placeholder in NOT_OBSERVED)


def _refs(value: object) -> list[str]:
    if isinstance(value, Mapping):
        own = [ref for name in ("$ref", "$dynamicRef") if isinstance(ref := value.get(name), str)]
        return own + [ref for each in value.values() for ref in _refs(each)]
    return [ref for each in value for ref in _refs(each)] if isinstance(value, list | tuple) else []


@functools.lru_cache(32)
def _validator(schema: str) -> Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - loaded when first used

    read: Any = json.loads(schema)
    return Draft202012Validator(read)
