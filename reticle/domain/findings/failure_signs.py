"""
The part of an answer's body in which the server itself reports a failure, whatever its status.

Single items of a list, a ``status`` in words (JSend) and the ``userErrors`` of a GraphQL mutation are read
only behind a write: in what was merely read they may be history.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from reticle.domain.facts import mapping_of
from reticle.domain.json_text import read_json
from reticle.domain.requests import Request
from reticle.model.codes import NOT_OBSERVED

_FLAGS = ("ok", "success", "succeeded")
_ERRORS = ("error", "errors", "errorMessage", "failureReason")
_LISTS = ("results", "items", "data", "records", "responses")
_ITEMS = 200
_FAILED = frozenset({"error", "fail", "failed", "failure"})
_INNER_ERRORS = "userErrors"
_MAY_REPORT = re.compile(rf'"(?:{"|".join((*_FLAGS, *_ERRORS, "status", _INNER_ERRORS))})"')
"""Most bodies name none of these, and need not be read."""


def failure_sign(one: Request) -> str | None:
    """
    The part of its body that reports a failure, as short JSON, or None.
    """
    return _failure_sign(_body(one), write=one.mutating)


def _body(one: Request) -> object:
    body = one.answer.get("responseBody")
    if isinstance(body, str):
        if not _MAY_REPORT.search(body):
            return None
        try:
            body = read_json(body)
        except ValueError:
            return None
    return body


def _failure_sign(body: object, *, write: bool) -> str | None:
    if not isinstance(body, Mapping):
        return _item_sign("", body) if write else None
    sign = _field_sign(body)
    if sign is not None or not write:
        return sign
    status = body.get("status")
    if isinstance(status, str) and status.lower() in _FAILED:
        return _quoted("status", status)
    listed = (_item_sign(name, body.get(name)) for name in _LISTS)
    return next(filter(None, listed), None) or _mutation_sign(body.get("data"))


def _field_sign(body: Mapping[str, object]) -> str | None:
    for name in _FLAGS:
        if body.get(name) is False:
            return _quoted(name, False)
    for name in _ERRORS:
        value = body.get(name)
        if value and not (isinstance(value, str) and value in NOT_OBSERVED):
            return _quoted(name, value)
    return None


def _item_sign(name: str, members: object) -> str | None:
    if not isinstance(members, Sequence) or isinstance(members, str):
        return None
    for place, member in enumerate(members[:_ITEMS]):
        sign = _field_sign(member) if isinstance(member, Mapping) else None
        if sign is not None:
            return f"{name}[{place}]: {sign}"
    return None


def _mutation_sign(answers: object) -> str | None:
    """
    What a GraphQL mutation reports beside its answer: its ``errors`` are only for what could not run.
    """
    for name, answer in mapping_of(answers).items():
        errors = mapping_of(answer).get(_INNER_ERRORS)
        if errors:
            return f"{name}: {_quoted(_INNER_ERRORS, errors)}"
    return None


def _quoted(name: str, value: object) -> str:
    text = json.dumps({name: value}, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else text[:199] + "…"
