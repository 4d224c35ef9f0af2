"""
The part of an answer's body in which the server itself reports a failure, whatever its status.

Behind any request a flag of success that is off, or an error, of the whole answer. Only behind a write, since
in what was merely read they may be history: the same in other spellings, a status of HTTP that is one of a
failure beside words for people (RFC 9457), an outcome in a word (JSend), counts of what failed, single items
of a list, the ``userErrors`` of a GraphQL mutation, and a text or a document's title that names an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reticle.domain.facts import mapping_of
from reticle.domain.json_text import read_json
from reticle.domain.predicate.network import body_text
from reticle.domain.requests import Request
from reticle.domain.words import speaks_of_failure
from reticle.model.codes import NOT_OBSERVED

_FLAGS: Final = frozenset({"ok", "success", "succeeded"})
_ERRORS: Final = frozenset({"error", "errors", "errormessage", "failurereason"})
_MORE_FLAGS: Final = _FLAGS | {"successful", "issuccess", "issuccessful"}
_MORE_ERRORS: Final = _ERRORS | {"err", "exception", "iserror", "haserror", "haserrors"}
_OFF: Final = frozenset({"false", "no", "0", "n"})
_ERROR_CODES: Final = frozenset({"errno", "errcode", "errorcode"})
_NO_ERROR: Final = frozenset({"", "0", "no", "none", "null", "false", "ok", "success"})
_CODES: Final = frozenset({"status", "statuscode", "code", "httpstatus"})
_SAYS: Final = frozenset({"message", "msg", "title", "detail", "error", "reason", "description"})
_OUTCOMES: Final = frozenset({"status", "result", "outcome", "state"})
_FAILED: Final = frozenset({"error", "fail", "failed", "failure", "ko", "nok", "unsuccessful"})
_REFUSED: Final = {"declined": "declin", "rejected": "reject", "denied": "den", "refused": "refus"}
"""What a write may have been about, and by which stem its request then says so."""

_COUNTS: Final = frozenset({"failed", "failures", "failurecount", "failedcount", "errorcount"})
_DONE: Final = frozenset(
    {"success", "succeeded", "successful", "created", "updated", "imported", "processed"}
)
"""What stands beside them in an answer that counts."""

_LISTS: Final = ("results", "items", "data", "records", "responses")
_ENVELOPES: Final = ("result", "data", "response", "payload")
_ITEMS: Final = 200
_INNER_ERRORS: Final = "userErrors"
_MAY_REPORT: Final = re.compile(
    r'(?i)(?:ok|success|err|fail|exception|status|code|result|outcome|state)\w*"\s*:'
)
"""Most bodies name none of these, and need not be read."""

_PROSE: Final = re.compile(
    r"(?i)\W{0,9}(?:(?:fatal|internal|server) )*"
    r"(?:error|exception|traceback|failed to|could(?: not|n't)|unable to)\b"
)
_TITLE: Final = re.compile(r"(?is)<title[^>]*>\s*([^<]{1,200})")
_FAILED_TITLE: Final = re.compile(r"(?i)^[45]\d\d\b|\b(?:error|exception)\b")
_HTML: Final = re.compile(r"(?is)\s*<(?:!doctype html|html)\b")
_PROSE_CHARS: Final = 2_000
"""Longer texts are documents, not a sentence that says what became of a write."""


def failure_sign(one: Request) -> str | None:
    """
    The part of its body that reports a failure, as short JSON or in the body's own words, or None.
    """
    body = one.answer.get("responseBody")
    if isinstance(body, str):
        read = _read(body)
        if read is None:
            return _text_sign(body) if one.mutating else None
        body = read
    return _failure_sign(body, one)


def _read(body: str) -> object:
    """
    What a body has, where it may report a failure: None else, and for what is no JSON.
    """
    if body[:1] not in '{[ \n\r\t"' or not _MAY_REPORT.search(body):
        return None
    try:
        return read_json(body)
    except ValueError:
        return None


def _failure_sign(body: object, one: Request) -> str | None:
    if not isinstance(body, Mapping):
        return _item_sign("", body) if one.mutating else None
    if not one.mutating:
        return _plain_sign(body)
    return next(filter(None, _signs_of_write(body, one)), None)


def _plain_sign(body: Mapping[str, object]) -> str | None:
    """
    What says so in the most usual way.
    """
    for name, value in body.items():
        plain = _plain(name)
        if (plain in _FLAGS and value is False) or (plain in _ERRORS and _tells(value)):
            return _quoted(name, value)
    return None


def _signs_of_write(body: Mapping[str, object], one: Request) -> Iterator[str | None]:
    yield _field_sign(body)
    yield _code_sign(body)
    yield _outcome_sign(body, one)
    yield _count_sign(body)
    for name in _LISTS:
        yield _item_sign(name, body.get(name))
    yield _mutation_sign(body.get("data"))
    for name in _ENVELOPES:
        inner = _field_sign(mapping_of(body.get(name)))
        yield None if inner is None else f"{name}: {inner}"


def _field_sign(body: Mapping[str, object]) -> str | None:
    counts = any(_plain(name) in _COUNTS for name in body)
    for name, value in body.items():
        plain = _plain(name)
        if plain in _MORE_FLAGS and _is_off(value) and not (counts and value is not False):
            return _quoted(name, value)
        if plain in _MORE_ERRORS and _tells(value):
            return _quoted(name, value)
        if plain in _ERROR_CODES and _is_code_of_error(value):
            return _quoted(name, value)
    return None


def _tells(value: object) -> bool:
    return bool(value) and not (isinstance(value, str) and value in NOT_OBSERVED)


def _is_off(value: object) -> bool:
    if isinstance(value, str):
        return value.lower() in _OFF
    return isinstance(value, int | float) and value == 0


def _is_code_of_error(value: object) -> bool:
    if isinstance(value, str):
        return value.lower().lstrip("0") not in _NO_ERROR and value not in NOT_OBSERVED
    return isinstance(value, int | float) and value != 0


def _code_sign(body: Mapping[str, object]) -> str | None:
    """
    A status of HTTP that is a failure's, beside what it says of it; alone a number may be anything.
    """
    if not any(_plain(name) in _SAYS and isinstance(value, str) for name, value in body.items()):
        return None
    found = (name for name, value in body.items() if _plain(name) in _CODES and _is_http_failure(value))
    name = next(found, None)
    return None if name is None else _quoted(name, body[name])


def _is_http_failure(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 400 <= value <= 599


def _outcome_sign(body: Mapping[str, object], one: Request) -> str | None:
    asked = f"{one.url} {body_text(one, 'requestBody') or ''}".lower()
    for name, value in body.items():
        if _plain(name) not in _OUTCOMES or not isinstance(value, str):
            continue
        word = value.lower()
        if word in _FAILED or (word in _REFUSED and _REFUSED[word] not in asked):
            return _quoted(name, value)
    return None


def _count_sign(body: Mapping[str, object]) -> str | None:
    """
    That some of what was sent failed, beside how many did not.
    """
    numbers = {_plain(name): value for name, value in body.items() if isinstance(value, int)}
    if _DONE.isdisjoint(numbers):
        return None
    failed = [name for name in body if _plain(name) in _COUNTS and numbers.get(_plain(name), 0) > 0]
    return _quoted(failed[0], body[failed[0]]) if failed else None


def _item_sign(name: str, members: object) -> str | None:
    if not isinstance(members, Sequence) or isinstance(members, str):
        return None
    for place, member in enumerate(members[:_ITEMS]):
        sign = _member_sign(member) if isinstance(member, Mapping) else None
        if sign is not None:
            return f"{name}[{place}]: {sign}"
    return None


def _member_sign(member: Mapping[str, object]) -> str | None:
    """
    As of a whole body; in an answer to many requests at once each has its status.
    """
    status = member.get("status", member.get("statusCode"))
    return _field_sign(member) or (_quoted("status", status) if _is_http_failure(status) else None)


def _mutation_sign(answers: object) -> str | None:
    """
    What a GraphQL mutation reports beside its answer: its ``errors`` are only for what could not run.
    """
    for name, answer in mapping_of(answers).items():
        errors = mapping_of(answer).get(_INNER_ERRORS)
        if errors:
            return f"{name}: {_quoted(_INNER_ERRORS, errors)}"
    return None


def _text_sign(body: str) -> str | None:
    """
    A sentence, or a whole document's title, that begins by naming an error.
    """
    if _HTML.match(body):
        title = _TITLE.search(body)
        told = title[1].strip() if title else ""
        return f"<title>{told}" if _FAILED_TITLE.search(told) else None
    if len(body) > _PROSE_CHARS or body.lstrip()[:1] in {"", "<", "{", "["}:
        return None
    first = body.strip().splitlines()[0][:200]
    return json.dumps(first, ensure_ascii=False) if _PROSE.match(first) and speaks_of_failure(first) else None


def _plain(name: object) -> str:
    return str(name).replace("_", "").lower()


def _quoted(name: str, value: object) -> str:
    text = json.dumps({name: value}, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else text[:199] + "…"
