"""
The status says that it went well; the body says that it did not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from reticle.domain.facts import mapping_of
from reticle.domain.findings.acknowledgement import acknowledged
from reticle.domain.findings.judged import asserted, contradiction
from reticle.domain.json_text import read_json
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Net
from reticle.domain.predicate.network import fits_request
from reticle.domain.requests import Request
from reticle.model.codes import NOT_OBSERVED
from reticle.model.verdict import Finding
from reticle.model.window import Window

KIND = "partial-failure-in-ok-response"

_FLAGS = ("ok", "success", "succeeded")
_ERRORS = ("error", "errors", "errorMessage", "failureReason")
_LISTS = ("results", "items", "data", "records", "responses")
_DECLARE = 'if the failure is meant, join {"kind": "net", "bodyContains": …} to the claim'
_ITEMS = 200
_FAILED = frozenset({"error", "fail", "failed", "failure"})
_INNER_ERRORS = "userErrors"
_MAY_REPORT = re.compile(rf'"(?:{"|".join((*_FLAGS, *_ERRORS, "status", _INNER_ERRORS))})"')
"""Most bodies name none of these, and need not be read."""


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per 2xx answer whose JSON object reports a failure that nobody declared or owned up to.

    Single items of a list, a ``status`` in words (JSend) and the ``userErrors`` of a GraphQL mutation are
    judged only for a write: in what was merely read they may be history.
    """
    found: list[Finding] = []
    for one in own_requests(window):
        if not _succeeded(one) or one.answer.get("bodyTruncated"):
            continue
        sign = _failure_sign(_body(one), write=one.mutating)
        if sign is None or _declared(one, predicate):
            continue
        detail = {"method": one.method, "url": one.url, "status": one.status, "body": sign}
        owned_up = acknowledged(one, window)
        found += contradiction(KIND, str(one), f"its body says {sign}", detail, owned_up, way_out=_DECLARE)
    return tuple(found)


def _succeeded(one: Request) -> bool:
    return one.status is not None and 200 <= one.status < 300


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
    """
    The part of the body that reports a failure, as short JSON, or None.
    """
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


def _declared(one: Request, predicate: Predicate | None) -> bool:
    return any(
        isinstance(leaf, Net) and leaf.body_contains is not None and fits_request(leaf, one)
        for leaf in asserted(predicate)
    )
