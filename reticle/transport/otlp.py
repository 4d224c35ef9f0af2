"""
OTLP over HTTP with JSON: spans and log records of any language's app as facts.

Attributes are read by the present semantic conventions and by those they replaced (``http.method``,
``db.statement``, ``code.filepath`` …). The trace is the request: facts of one trace have its id as ``rid``.
A process is named by its resource. Exporters number nothing, so a loss on their side is not seen.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
import msgspec

from reticle.domain.facts import list_of, mapping_of, text_of
from reticle.domain.statements import tables_of, verb_of
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.server_facts import FactBatch, FactKind, ProcessHello, ReportedFact
from reticle.model.server_limits import INGEST_LINES
from reticle.transport.ingest_lines import cut, fields_of

_SERVER: Final = (2, "SPAN_KIND_SERVER")
_CLIENT: Final = (3, "SPAN_KIND_CLIENT")
_CONSUMER_LEVELS: Final = ((21, "critical"), (17, "error"), (13, "warning"))
_WARN: Final = 13
_ACTION: Final = ("http.request.header.x-reticle-action", "http.request.header.x_reticle_action")
_LANGUAGE: Final = ("http.request.header.content-language", "http.request.header.content_language")
_MARK: Final = re.compile(r"(?:^|,)\s*x-reticle-([^,\s]+)")
_NAME_CHARS: Final = 200
_ERRORS: Final = (2, "STATUS_CODE_ERROR")

_INTEGER: Final = re.compile(r"-?[0-9]{1,19}")

_read: Final = msgspec.json.Decoder(dict[str, Any]).decode


@attrs.define
class _Taking:
    """
    The facts of one export request, and what could not be read.
    """

    facts: list[ReportedFact] = attrs.Factory(list)
    refused: int = 0

    def add(self, kind: FactKind, nanos: object, rid: str | None, action: str | None, told: object) -> None:
        at = _seconds(nanos)
        if at is None or len(self.facts) >= INGEST_LINES:
            self.refused += 1
            return
        fields = fields_of(kind, mapping_of(told))
        self.facts.append(ReportedFact(kind, 0, at, rid, action, fields))


def read_traces(body: bytes, *, wall: float, attested: bool) -> Sequence[FactBatch]:
    """
    A ``/v1/traces`` request as one batch for each resource; ``wall`` is now, in seconds since the epoch.

    Raises:
        Refusal: ``bad_arguments`` for what is no JSON object; the same body will not be taken later.
    """
    return [
        _batch(resource, _spans(scopes), wall, attested=attested)
        for resource, scopes in _resources(body, "resourceSpans", "scopeSpans")
    ]


def read_logs(body: bytes, *, wall: float, attested: bool) -> Sequence[FactBatch]:
    """
    A ``/v1/logs`` request, as ``read_traces``.
    """
    return [
        _batch(resource, _records(scopes), wall, attested=attested)
        for resource, scopes in _resources(body, "resourceLogs", "scopeLogs")
    ]


def _resources(body: bytes, name: str, inner: str) -> Iterator[tuple[Mapping[str, object], Sequence[object]]]:
    try:
        told = _read(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"The body is no OTLP request in JSON: {str(error)[:_NAME_CHARS]}.",
            "Set OTEL_EXPORTER_OTLP_PROTOCOL=http/json.",
        ) from error
    for each in list_of(told, name):
        resource = mapping_of(each)
        attributes = _attributes(mapping_of(resource.get("resource")))
        yield attributes, list_of(resource, inner)


def _batch(resource: Mapping[str, object], taken: _Taking, wall: float, *, attested: bool) -> FactBatch:
    name = text_of(resource, "service.name") or "service"
    instance = text_of(resource, "service.instance.id") or resource.get("process.pid") or ""
    pid = resource.get("process.pid")
    language = text_of(resource, "telemetry.sdk.language") or ""
    hello = ProcessHello(
        process=hashlib.sha256(f"otlp\0{name}\0{instance}".encode("utf-8", "replace")).hexdigest()[:32],
        pid=pid if isinstance(pid, int) and 0 <= pid < 2**31 else None,
        framework=cut(f"{name} ({language})" if language else name, _NAME_CHARS),
        python="",
        project="",
        mono=wall,
        wall=wall,
        numbered=False,
    )
    return FactBatch(hello, taken.facts, taken.refused, attested)


def _spans(scopes: Sequence[object]) -> _Taking:
    taken = _Taking()
    spans = [mapping_of(span) for scope in scopes for span in list_of(mapping_of(scope), "spans")]
    actions = {
        text_of(span, "traceId"): action
        for span in spans
        if (action := _action(_attributes(span))) is not None
    }
    for span in spans:
        _span(span, actions.get(text_of(span, "traceId")), taken)
    return taken


def _action(told: Mapping[str, object]) -> str | None:
    """
    What the page script, or whoever speaks for it, names in a request header that was captured.
    """
    mark = _MARK.search(_first(told, *_LANGUAGE) or "")
    return mark[1] if mark else _first(told, *_ACTION)


def _span(span: Mapping[str, object], action: str | None, taken: _Taking) -> None:
    rid, told = _trace(span), _attributes(span)
    began, ended = span.get("startTimeUnixNano"), span.get("endTimeUnixNano")
    place = _place(told)
    took = _took(began, ended)
    if span.get("kind") in _SERVER:
        path, _, query = (_first(told, "url.path", "http.target") or "").partition("?")
        request = {
            "method": _first(told, "http.request.method", "http.method") or "GET",
            "path": path or "/",
            "query": _first(told, "url.query") or query,
            "link": "header" if action else "none",
        }
        taken.add(FactKind.REQUEST_STARTED, began, rid, action, request)
        handled = {
            **request,
            "route": _first(told, "http.route"),
            "view": f"{place['file']}:{place['line']}" if "line" in place else place.get("file"),
            "view_name": _first(told, "code.function.name", "code.function"),
            "status": _number(told, "http.response.status_code", "http.status_code"),
            "ms": took,
        }
        taken.add(FactKind.REQUEST_HANDLED, ended, rid, action, handled)
    statement = _first(told, "db.query.text", "db.statement")
    if statement is not None:
        table = _first(told, "db.collection.name", "db.sql.table")
        sql = {
            "statement": statement,
            "verb": (_first(told, "db.operation.name", "db.operation") or verb_of(statement)).upper(),
            "tables": [table] if table else list(tables_of(statement)),
            "rows": _number(told, "db.response.returned_rows"),
            "ms": took,
            **place,
        }
        taken.add(FactKind.SQL, ended, rid, action, sql)
    elif span.get("kind") in _CLIENT and _first(told, "http.request.method", "http.method"):
        out = {
            "method": _first(told, "http.request.method", "http.method"),
            "url": (_first(told, "url.full", "http.url") or "").partition("?")[0],
            "status": _number(told, "http.response.status_code", "http.status_code"),
            "ms": took,
            **place,
        }
        taken.add(FactKind.HTTP_OUT, ended, rid, action, out)
    failed = mapping_of(span.get("status")).get("code") in _ERRORS
    for each in list_of(span, "events"):
        event = mapping_of(each)
        if event.get("name") == "exception":
            fields = _attributes(event)
            thrown = _exception(fields, place, escaped=failed and span.get("kind") in _SERVER)
            taken.add(FactKind.EXCEPTION, event.get("timeUnixNano"), rid, action, thrown)


def _exception(
    fields: Mapping[str, object], place: Mapping[str, object], *, escaped: bool
) -> dict[str, object]:
    """
    An exception event; it ended its request where the server's own span failed with it.
    """
    frames = [{**place, "function": "", "app": True}] if place else []
    return {
        "type": _first(fields, "exception.type") or "error",
        "message": _first(fields, "exception.message") or "",
        "handled": "unhandled" if escaped or _first(fields, "exception.escaped") == "true" else "logged",
        "frames": frames,
    }


def _records(scopes: Sequence[object]) -> _Taking:
    taken = _Taking()
    for scope in scopes:
        for each in list_of(mapping_of(scope), "logRecords"):
            record = mapping_of(each)
            told = _attributes(record)
            number = record.get("severityNumber")
            grave = number if isinstance(number, int) else 0
            if grave < _WARN:
                continue
            place = _place(told)
            fields: dict[str, object] = {
                "level": next(word for least, word in _CONSUMER_LEVELS if grave >= least),
                "logger": text_of(mapping_of(mapping_of(scope).get("scope")), "name") or "",
                "message": str(_value(mapping_of(record.get("body"))) or ""),
                **place,
            }
            if "exception.type" in told:
                fields["exception"] = _exception(told, place, escaped=False)
            at = record.get("timeUnixNano") or record.get("observedTimeUnixNano")
            taken.add(FactKind.LOG, at, _trace(record), None, fields)
    return taken


def _trace(of: Mapping[str, object]) -> str | None:
    told = (text_of(of, "traceId") or "").lower()
    good = len(told) == 32 and not set(told) - set("0123456789abcdef") and told.strip("0")
    return told if good else None


def _place(told: Mapping[str, object]) -> dict[str, object]:
    where = _first(told, "code.file.path", "code.filepath")
    line = _number(told, "code.line.number", "code.lineno")
    if where is None:
        return {}
    return {"file": where} if line is None else {"file": where, "line": line}


def _attributes(of: Mapping[str, object]) -> dict[str, object]:
    pairs = (mapping_of(each) for each in list_of(of, "attributes"))
    return {name: _value(mapping_of(pair.get("value"))) for pair in pairs if (name := text_of(pair, "key"))}


def _value(of: Mapping[str, object]) -> object:
    if "stringValue" in of:
        return of["stringValue"]
    if "boolValue" in of:
        return "true" if of["boolValue"] is True else "false"
    if "intValue" in of:
        return _whole(of["intValue"])
    if "arrayValue" in of:  # headers are lists of values
        values = list_of(mapping_of(of["arrayValue"]), "values")
        return _value(mapping_of(values[0])) if values else None
    return of.get("doubleValue")


def _first(told: Mapping[str, object], *names: str) -> str | None:
    return next((value for name in names if isinstance(value := told.get(name), str) and value), None)


def _number(told: Mapping[str, object], *names: str) -> int | None:
    return next((value for name in names if isinstance(value := told.get(name), int)), None)


def _whole(value: object) -> int | None:
    """
    A 64-bit number, which JSON of protobuf writes as a text.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or not _INTEGER.fullmatch(value):
        return None
    return int(value)


def _seconds(nanos: object) -> float | None:
    whole = _whole(nanos)
    return whole / 1e9 if whole is not None and 0 < whole < 2**63 else None


def _took(began: object, ended: object) -> float | None:
    first, last = _seconds(began), _seconds(ended)
    return None if first is None or last is None else max(round((last - first) * 1000, 3), 0.0)
