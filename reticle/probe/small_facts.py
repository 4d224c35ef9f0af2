"""
The facts that every request tells, as short tuples: in the midst of a request they are only noted, and the
sender writes them down later, many at once.

The first of each is its ``Form``, the second when it happened in monotonic seconds. A form knows the fields
of a fact as the contract of the lines names them, and writes the same as a line of JSON. Times are written as
whole microseconds (``1500000e-6``), which costs a fifth of a number with a point.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from reticle.probe.statements import Statement
from reticle.probe.words import FactKind

Raw = tuple[Any, ...]
Fields = dict[str, Any]
Places = tuple[tuple["str | None", "int | None"], ...]

_quoted: Final[Callable[[str], str]] = json.encoder.encode_basestring
_WORKING: Final = '"working":true,'
_DROPPED: Final = '"dropped":true,'
_NOBODYS: Final = ',"rid":null,"action":null}'


class Form:
    """
    One kind of such facts.

    Args:
        kind: A ``FactKind``.
        fields: The fields of a fact.
        write: Its line, for its number and itself.
    """

    __slots__ = ("fields", "kind", "write")

    def __init__(self, kind: str, fields: Callable[[Raw], Fields], write: Callable[[int, Raw], str]) -> None:
        self.kind: Final = str(kind)
        self.fields: Final = fields
        self.write: Final = write


def whose(request: Any) -> str:
    """
    The end of a line: the request's id and its action, which are plain letters, digits and signs.
    """
    if request is None:
        return _NOBODYS
    known: str | None = request.whose
    if known is None:
        action = "null" if request.action is None else f'"{request.action}"'
        known = request.whose = f',"rid":"{request.rid}","action":{action}}}'
    return known


def _who(request: Any) -> Fields:
    if request is None:
        return {"rid": None, "action": None}
    return {"rid": request.rid, "action": request.action}


def _null(value: str | None) -> str:
    return "null" if value is None else _quoted(value)


def _started(fact: Raw) -> Fields:
    request = fact[2]
    return {"method": request.method, "path": request.path, "link": request.link, **_who(request)}


def _write_started(seq: int, fact: Raw) -> str:
    _, mono, request = fact
    asked = _asked(request.method, request.path)
    return (
        f'{{"kind":"request.started","seq":{seq},"mono":{int(mono * 1e6)}e-6,{asked}'
        f',"link":"{request.link}"{request.whose or whose(request)}'
    )


@lru_cache(maxsize=512)
def _asked(method: str, path: str) -> str:
    return f'"method":{_quoted(method)},"path":{_quoted(path)}'


def _handled(fact: Raw) -> Fields:
    _, _, request, status, asked, answered, streamed, working, seconds = fact
    fields = {
        "method": request.method,
        "path": request.path,
        "route": request.route,
        "view": request.view,
        "view_name": request.view_name,
        "ms": round(seconds * 1_000, 3),
        "status": status,
        "request_bytes": asked,
        "response_bytes": answered,
        "streamed": streamed,
        "head": request.head,
        **_who(request),
    }
    return {**fields, "working": True} if working else fields


def _write_handled(seq: int, fact: Raw) -> str:
    _, mono, request, status, asked, answered, streamed, working, seconds = fact
    head = request.head
    answers = _answers(request.method, request.path, request.route, request.view, request.view_name)
    return (
        f'{{"kind":"request.handled","seq":{seq},"mono":{int(mono * 1e6)}e-6,{answers}'
        f',"ms":{int(seconds * 1e6)}e-3,"status":{status},'
        f'"request_bytes":{"null" if asked is None else asked},'
        f'"response_bytes":{"null" if answered is None else answered},'
        f'"streamed":{"true" if streamed else "false"},{_WORKING if working else ""}'
        f'"head":{"null" if head is None else head}{request.whose or whose(request)}'
    )


@lru_cache(maxsize=512)
def _answers(method: str, path: str, route: str | None, view: str | None, name: str | None) -> str:
    return f'{_asked(method, path)},"route":{_null(route)},"view":{_null(view)},"view_name":{_null(name)}'


def _sql(fact: Raw) -> Fields:
    _, _, statement, places, rows, seconds, tx, request, failed = fact
    file, line = places[0] if places else (None, None)
    fields = {
        "statement": statement.text,
        "verb": statement.verb,
        "tables": list(statement.tables),
        "rows": rows,
        "ms": round(seconds * 1_000, 3),
        "file": file,
        "line": line,
        "via": [{"file": above, "line": number} for above, number in places[1:]],
        "tx": tx,
        **_who(request),
    }
    return fields if failed is None else {**fields, "failed": failed}


def _write_sql(seq: int, fact: Raw) -> str:
    _, mono, statement, places, rows, seconds, tx, request, failed = fact
    return (
        f'{{"kind":"sql","seq":{seq},"mono":{int(mono * 1e6)}e-6,{_runs(statement, places)}'
        f',"rows":{"null" if rows is None else rows},"ms":{int(seconds * 1e6)}e-3,'
        f'"tx":{"null" if tx is None else _quoted(tx)}{"" if failed is None else _failed(failed)}'
        f"{_NOBODYS if request is None else request.whose or whose(request)}"
    )


@lru_cache(maxsize=512)
def _runs(statement: Statement, places: Places) -> str:
    """
    An app's statements are few, and so are the lines that run each.
    """
    tables = ",".join(map(_quoted, statement.tables))
    first = _place(*(places[0] if places else (None, None)))
    via = ",".join(f"{{{_place(*each)}}}" for each in places[1:])
    return (
        f'"statement":{_quoted(statement.text)},"verb":{_quoted(statement.verb)},"tables":[{tables}],'
        f'{first},"via":[{via}]'
    )


def _place(file: str | None, line: int | None) -> str:
    return f'"file":{_null(file)},"line":{"null" if line is None else line}'


def _failed(name: str) -> str:
    return f',"failed":{_quoted(name)}'


def _transaction(fact: Raw) -> Fields:
    _, _, tx, outcome, place, request, dropped, why = fact
    fields = {"tx": tx, "outcome": str(outcome), "file": place[0], "line": place[1], **_who(request)}
    if why is not None:
        fields = {**fields, **_part(why)}
    return {**fields, "dropped": True} if dropped else fields


def _part(why: Any) -> Fields:
    fields: Fields = {"within": why.whole}
    if why.refused:
        fields["refused"] = list(why.refused)
    if why.is_conflict:
        fields["conflict"] = True
    return fields


def _write_transaction(seq: int, fact: Raw) -> str:
    _, mono, tx, outcome, place, request, dropped, why = fact
    part = "" if why is None else f"{json.dumps(_part(why), separators=(',', ':'))[1:-1]},"
    return (
        f'{{"kind":"transaction","seq":{seq},"mono":{int(mono * 1e6)}e-6,"tx":{_quoted(tx)},'
        f'"outcome":"{outcome}",{_DROPPED if dropped else ""}{part}{_place(*place)}{whose(request)}'
    )


def _template(fact: Raw) -> Fields:
    _, _, name, file, line, request = fact
    return {"name": name, "file": file, "line": line, **_who(request)}


def _write_template(seq: int, fact: Raw) -> str:
    _, mono, name, file, line, request = fact
    return (
        f'{{"kind":"template","seq":{seq},"mono":{int(mono * 1e6)}e-6,'
        f"{_named(name, file, line)}{whose(request)}"
    )


@lru_cache(maxsize=256)
def _named(name: str, file: str | None, line: int | None) -> str:
    return f'"name":{_quoted(name)},{_place(file, line)}'


def _injection(fact: Raw) -> Fields:
    _, _, request, outcome, reason, directive = fact
    return {"outcome": outcome, "reason": reason, "directive": directive, **_who(request)}


def _write_injection(seq: int, fact: Raw) -> str:
    _, mono, request, outcome, reason, directive = fact
    return (
        f'{{"kind":"injection","seq":{seq},"mono":{int(mono * 1e6)}e-6,"outcome":"{outcome}",'
        f'"reason":{_null(reason)},"directive":{_null(directive)}{whose(request)}'
    )


STARTED: Final = Form(FactKind.REQUEST_STARTED, _started, _write_started)
"""``request``."""

HANDLED: Final = Form(FactKind.REQUEST_HANDLED, _handled, _write_handled)
"""``request, status, request_bytes, response_bytes, streamed, working, seconds``."""

SQL: Final = Form(FactKind.SQL, _sql, _write_sql)
"""``statement, places`` (the caller's first), ``rows, seconds, tx, request, failed``."""

TRANSACTION: Final = Form(FactKind.TRANSACTION, _transaction, _write_transaction)
"""``tx, outcome, place, request, dropped, why`` (of a part: a ``transactions.Why``)."""

TEMPLATE: Final = Form(FactKind.TEMPLATE, _template, _write_template)
"""``name, file, line, request``."""

INJECTION: Final = Form(FactKind.INJECTION, _injection, _write_injection)
"""``request, outcome, reason, directive``."""

HEAD: Final = Form("head", lambda _fact: {}, lambda _seq, _fact: "")
"""``request``: no fact and without a number; its ``head`` is the number of the fact before."""
