"""
What a request carried, and what came back: JSON by path, and against a JSON Schema.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from reticle.domain.json_text import TooDeepError, read_json
from reticle.domain.predicate import body_schema
from reticle.domain.predicate.json_path import at_path
from reticle.domain.predicate.kinds import UNSET
from reticle.domain.predicate.patterns import conjunction, fits
from reticle.domain.requests import Request
from reticle.model.codes import NOT_OBSERVED
from reticle.model.verdict import Held

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
    body = json_of(one, RESPONSE)
    if body is UNSET:
        return Held.UNKNOWN if is_unread(one, RESPONSE) else Held.NO
    if has_placeholder(body):
        return Held.UNKNOWN
    return body_schema.is_valid(schema, body)


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


def json_of(one: Request, key: str) -> object:
    """
    A recorded body as JSON, or ``UNSET`` when none was recorded, or it is none or too deep.
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
    return read_json(text)


def is_unread(one: Request, key: str) -> bool:
    """
    Whether a body was not recorded whole, or is deeper than anybody looks.

    One that was sent is told as a text, whatever it was: what is no JSON there may be the beginning of some,
    or a form or file in another spelling.
    """
    body = one.answer.get(key)
    if key not in one.answer or one.answer.get("bodyTruncated"):
        return True
    if key == REQUEST and json_of(one, key) is UNSET:
        return True
    return isinstance(body, str) and (any(mark in body for mark in NOT_OBSERVED) or _is_too_deep(body))


def _is_too_deep(body: str) -> bool:
    try:
        _parsed(body)
    except TooDeepError:
        return True
    except ValueError:
        return False
    return False


def has_placeholder(value: object) -> bool:
    """
    Whether a part of a JSON value was not sent.
    """
    waiting = [value]  # no recursion: a page may send values in values without end
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            waiting += [*one, *one.values()]
        elif isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, str) and any(placeholder in one for placeholder in NOT_OBSERVED):
            return True
    return False
