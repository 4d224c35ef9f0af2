"""
OpenTelemetry of any language, as facts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import Refusal
from reticle.model.server_facts import FactBatch, FactKind
from reticle.transport.otlp import read_logs, read_traces

Serve = Callable[..., Any]
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
NOW = 1_750_000_000.0


def attribute(name: str, value: object) -> dict[str, object]:
    """
    An attribute as OTLP has it in JSON: whole numbers are texts.
    """
    told = {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}
    return {"key": name, "value": told}


def span(kind: int, attributes: Mapping[str, object], **more: object) -> dict[str, object]:
    """
    A span of 40 ms that ended a second ago.
    """
    return {
        "traceId": TRACE, "spanId": "00f067aa0ba902b7", "kind": kind,
        "startTimeUnixNano": str(int((NOW - 1.04) * 1e9)), "endTimeUnixNano": str(int((NOW - 1) * 1e9)),
        "attributes": [attribute(name, value) for name, value in attributes.items()], **more,
    }  # fmt: skip


def traces(*spans: dict[str, object]) -> bytes:
    """
    An export request of one service.
    """
    resource = {"attributes": [attribute("service.name", "shop"), attribute("process.pid", 77),
                               attribute("telemetry.sdk.language", "go")]}  # fmt: skip
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}).encode()


def read(body: bytes) -> FactBatch:
    """
    The one batch.
    """
    [batch] = read_traces(body, wall=NOW, attested=True)
    return batch


NEW = {
    "http.request.method": "POST", "url.path": "/orders", "http.route": "/orders",
    "http.response.status_code": 201, "code.file.path": "orders.go",
    "code.line.number": 31, "code.function.name": "Create",
}  # fmt: skip
OLD = {
    "http.method": "POST", "http.target": "/orders?x=1", "http.route": "/orders", "http.status_code": 201,
    "code.filepath": "orders.go", "code.lineno": 31, "code.function": "Create",
}  # fmt: skip


@pytest.mark.parametrize("attributes", [NEW, OLD])
def test_a_servers_span_is_a_request(attributes: dict[str, object]) -> None:
    """
    By the present conventions and by the ones before; the trace is its id.
    """
    batch = read(traces(span(2, attributes)))
    assert (batch.hello.framework, batch.hello.pid, batch.hello.numbered) == ("shop (go)", 77, False)
    started, handled = batch.facts
    assert (started.kind, handled.kind) == (FactKind.REQUEST_STARTED, FactKind.REQUEST_HANDLED)
    assert {fact.rid for fact in batch.facts} == {TRACE}
    assert (handled.data["path"], handled.data["status"]) == ("/orders", 201)
    assert (handled.data["view"], handled.data["view_name"]) == ("orders.go:31", "Create")
    assert handled.data["ms"] == 40.0
    assert batch.hello.mono - handled.mono == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("name", ["db.query.text", "db.statement"])
def test_a_databases_span_is_a_statement(name: str) -> None:
    """
    Verb and table are read off it where they are not told.
    """
    fields = {name: "INSERT INTO orders (a) VALUES ($1)", "code.filepath": "repo.go", "code.lineno": 9}
    [fact] = read(traces(span(3, fields))).facts
    assert (fact.kind, fact.data["verb"], fact.data["tables"]) == (FactKind.SQL, "INSERT", ["orders"])
    assert (fact.data["file"], fact.data["line"]) == ("repo.go", 9)


@pytest.mark.parametrize(
    ("code", "handled"), [("STATUS_CODE_ERROR", "unhandled"), ("STATUS_CODE_UNSET", "logged")]
)
def test_an_exception_event_ended_the_request_that_failed(code: str, handled: str) -> None:
    """
    A span that recorded one and did not fail has caught it.
    """
    event = {
        "name": "exception", "timeUnixNano": str(int(NOW * 1e9)),
        "attributes": [attribute("exception.type", "KeyError"), attribute("exception.message", "price")],
    }  # fmt: skip
    batch = read(traces(span(2, NEW, events=[event], status={"code": code})))
    [fact] = [fact for fact in batch.facts if fact.kind is FactKind.EXCEPTION]
    assert (fact.data["type"], fact.data["handled"]) == ("KeyError", handled)
    assert fact.data["frames"] == [{"file": "orders.go", "line": 31, "function": "", "app": True}]


@pytest.mark.parametrize(
    ("name", "value"),
    [("x-reticle-action", "s1.a7-1"), ("content-language", "x-reticle-s1.a7-1"),
     ("content_language", "de, x-reticle-s1.a7-1")],
)  # fmt: skip
def test_a_captured_header_names_the_action(name: str, value: str) -> None:
    """
    Where the app's OpenTelemetry keeps our header, its requests are tied by it, and what they did too.
    """
    header = {"key": f"http.request.header.{name}",
              "value": {"arrayValue": {"values": [{"stringValue": value}]}}}  # fmt: skip
    server = span(2, NEW)
    server["attributes"] = [*server["attributes"], header]  # type: ignore[misc]  # a list, as made above
    batch = read(traces(span(3, {"db.statement": "SELECT 1 FROM a"}), server))
    assert {fact.action for fact in batch.facts} == {"s1.a7-1"}


def test_a_clients_span_is_a_call_to_elsewhere_without_its_query() -> None:
    """
    What an address carries behind its question mark is nobody's business.
    """
    fields = {"http.request.method": "GET", "url.full": "https://pay.example/x?key=1"}
    [fact] = read(traces(span(3, fields))).facts
    assert (fact.kind, fact.data["url"]) == (FactKind.HTTP_OUT, "https://pay.example/x")


def test_log_records_from_warning_on() -> None:
    """
    What is graver than info is told, with its exception.
    """

    def record(number: int, *attributes: dict[str, object]) -> dict[str, object]:
        return {
            "traceId": TRACE, "timeUnixNano": str(int(NOW * 1e9)), "severityNumber": number,
            "body": {"stringValue": "low stock"}, "attributes": attributes,
        }  # fmt: skip

    records = [record(9), record(13), record(17, attribute("exception.type", "E"))]
    body = json.dumps({"resourceLogs": [{"scopeLogs": [{"scope": {"name": "shop"}, "logRecords": records}]}]})
    [batch] = read_logs(body.encode(), wall=NOW, attested=False)
    assert [fact.data["level"] for fact in batch.facts] == ["warning", "error"]
    assert (batch.facts[0].data["message"], batch.facts[0].data["logger"]) == ("low stock", "shop")
    assert "exception" in batch.facts[1].data


def test_it_is_answered_as_exporters_expect(serve: Serve) -> None:
    """
    An empty object: nothing was rejected.
    """
    served = serve()
    body = traces(span(2, NEW))
    told = served.ask("POST", "/v1/traces", "Content-Type: application/json", body=body).response()
    assert (told.status, told.body) == (200, b"{}")
    assert [probe.framework for probe in served.facts.probes()] == ["shop (go)"]
    assert [row.draft.tool for row in served.audit.rows] == ["otlp_traces"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=10,
)
NAMES = ["traceId", "kind", "startTimeUnixNano", "endTimeUnixNano", "attributes", "events", "status", "name",
         "severityNumber", "body", "timeUnixNano"]  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=6), max_size=4), JSON)
def test_no_request_harms(spans: list[dict[str, Any]], resource: object) -> None:
    """
    Any JSON in any place is read, counted or left out.
    """
    body = {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}, resource],
            "resourceLogs": [{"scopeLogs": [{"logRecords": spans}]}, resource]}  # fmt: skip
    for read_any in (read_traces, read_logs):
        for batch in read_any(json.dumps(body).encode(), wall=NOW, attested=False):
            for fact in batch.facts:
                json.dumps(fact.data, allow_nan=False)


@pytest.mark.parametrize("body", [b"", b"[]", b"\x0a\x02", b"{" * 9_999])
def test_what_is_no_json_object_is_refused(body: bytes) -> None:
    """
    With what to set in the exporter.
    """
    with pytest.raises(Refusal, match="no OTLP request"):
        read_traces(body, wall=NOW, attested=True)
