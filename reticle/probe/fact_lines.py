"""
A fact as one line of JSON.

The kinds that every request tells are written by a form each, which costs half of what the encoder takes for
the same fields; whatever does not fit its form goes through the encoder, which takes everything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

from reticle.probe.words import FactKind

_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), default=str, check_circular=False
)
_make: Any = getattr(json.encoder, "c_make_encoder", None)
# What ``encode`` makes anew at each call; other Pythons than C's have none of it.
_parts: Final[Callable[[Any, int], Iterable[str]]] = (
    _make(None, str, json.encoder.encode_basestring, None, ":", ",", False, False, True)
    if _make
    else lambda fields, _level: (_ENCODER.encode(fields),)
)
_quoted: Final[Callable[[str], str]] = json.encoder.encode_basestring
_NULL: Final = "null"


def encoded(fields: dict[str, Any]) -> bytes:
    """
    Fields as JSON; raises where they hold a circle.
    """
    return _bytes("".join(_parts(fields, 0)))


def joined(kind: str, seq: int, mono: float, body: bytes) -> bytes:
    """
    The line of a fact whose fields are written already.
    """
    head = f'{{"kind":"{kind}","seq":{seq},"mono":{mono:.6f}'.encode()
    return head + b"," + body[1:] if len(body) > 2 else head + b"}"


def written(kind: str, seq: int, mono: float, fields: dict[str, Any]) -> bytes:
    """
    The line of a fact; raises as ``encoded``.
    """
    form = _FORMS.get(kind)
    if form is not None:
        try:
            text = form(fields, f'{{"kind":"{kind}","seq":{seq},"mono":{mono:.6f},')
        except (KeyError, TypeError):  # other fields, or other values, than its form knows
            text = None
        if text is not None:
            return _bytes(text)
    return joined(kind, seq, mono, encoded(fields))


def _bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a character, as a cut in the midst of one leaves it
        return text.encode("utf-8", "replace")


def _started(fact: dict[str, Any], head: str) -> str | None:
    if len(fact) != 5:
        return None
    return (
        f'{head}"method":{_quoted(fact["method"])},"path":{_quoted(fact["path"])},'
        f'"link":{_quoted(fact["link"])}{_whose(fact["rid"], fact["action"])}'
    )


def _handled(fact: dict[str, Any], head: str) -> str | None:
    if len(fact) != 13:
        return None
    head_at = fact["head"]
    route, view, name, status = fact["route"], fact["view"], fact["view_name"], fact["status"]
    asked, answered = fact["request_bytes"], fact["response_bytes"]
    return (
        f'{head}"method":{_quoted(fact["method"])},"path":{_quoted(fact["path"])},'
        f'"route":{_NULL if route is None else _quoted(route)},'
        f'"view":{_NULL if view is None else _quoted(view)},'
        f'"view_name":{_NULL if name is None else _quoted(name)},'
        f'"ms":{fact["ms"]:.3f},"status":{_NULL if status is None else status},'
        f'"request_bytes":{_NULL if asked is None else asked},'
        f'"response_bytes":{_NULL if answered is None else answered},'
        f'"streamed":{"true" if fact["streamed"] else "false"},'
        f'"head":{_NULL if head_at is None else head_at}{_whose(fact["rid"], fact["action"])}'
    )


def _sql(fact: dict[str, Any], head: str) -> str | None:
    if len(fact) != 11:
        return None
    tables, rows, tx = fact["tables"], fact["rows"], fact["tx"]
    via = ",".join([f"{{{_place(each['file'], each['line'])}}}" for each in fact["via"]])
    named = _quoted(tables[0]) if len(tables) == 1 else ",".join([_quoted(one) for one in tables])
    return (
        f'{head}"statement":{_quoted(fact["statement"])},"verb":{_quoted(fact["verb"])},'
        f'"tables":[{named}],'
        f'"rows":{_NULL if rows is None else rows},"ms":{fact["ms"]:.3f},'
        f'{_place(fact["file"], fact["line"])},"via":[{via}],'
        f'"tx":{_NULL if tx is None else _quoted(tx)}{_whose(fact["rid"], fact["action"])}'
    )


def _transaction(fact: dict[str, Any], head: str) -> str | None:
    if len(fact) != 6:
        return None
    return (
        f'{head}"tx":{_quoted(fact["tx"])},"outcome":{_quoted(fact["outcome"])},'
        f"{_place(fact['file'], fact['line'])}{_whose(fact['rid'], fact['action'])}"
    )


def _template(fact: dict[str, Any], head: str) -> str | None:
    if len(fact) != 5:
        return None
    return (
        f'{head}"name":{_quoted(fact["name"])},'
        f"{_place(fact['file'], fact['line'])}{_whose(fact['rid'], fact['action'])}"
    )


def _injection(fact: dict[str, Any], head: str) -> str | None:
    if len(fact) != 5:
        return None
    reason, directive = fact["reason"], fact["directive"]
    return (
        f'{head}"outcome":{_quoted(fact["outcome"])},"reason":{_NULL if reason is None else _quoted(reason)},'
        f'"directive":{_NULL if directive is None else _quoted(directive)}'
        f"{_whose(fact['rid'], fact['action'])}"
    )


@lru_cache(maxsize=1024)
def _place(file: str | None, line: int | None) -> str:
    """
    Lines of an app that run statements are few.
    """
    return f'"file":{_NULL if file is None else _quoted(file)},"line":{_NULL if line is None else line}'


@lru_cache(maxsize=64)
def _whose(rid: str | None, action: str | None) -> str:
    """
    The end of a line; the facts of a request follow each other.
    """
    return (
        f',"rid":{_NULL if rid is None else _quoted(rid)}'
        f',"action":{_NULL if action is None else _quoted(action)}}}'
    )


_FORMS: Final[dict[str, Callable[[dict[str, Any], str], str | None]]] = {
    str(FactKind.REQUEST_STARTED): _started,
    str(FactKind.REQUEST_HANDLED): _handled,
    str(FactKind.SQL): _sql,
    str(FactKind.TRANSACTION): _transaction,
    str(FactKind.TEMPLATE): _template,
    str(FactKind.INJECTION): _injection,
}
