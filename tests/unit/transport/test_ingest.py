"""
``/ingest``: who may tell facts, what is read of them, and what is answered.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import Refusal
from reticle.model.codes import AuditTransport
from reticle.model.server_facts import FactKind
from reticle.model.server_limits import (
    FACT_LIST,
    FACT_TEXT_CHARS,
    INGEST_BURST_BYTES,
    INGEST_BYTES,
    INGEST_LINES,
)
from reticle.testing.probe import FakeProbe, rid
from reticle.transport.ingest_lines import read_batch

Serve = Callable[..., Any]

TOKEN = "X-Reticle-Ingest-Token: right-ingest-token"
NDJSON = "Content-Type: application/x-ndjson"


def test_facts_with_the_token_are_believed(serve: Serve) -> None:
    """
    A probe that read the runtime file is taken at its word, and its batch leaves an audit row.
    """
    served = serve()
    told = served.ask("POST", "/ingest", NDJSON, TOKEN, body=FakeProbe().served(1).body()).response()
    assert told.status == 200
    assert json.loads(told.body) == {"accepted": 2, "refused": 0, "attested": True}
    assert [probe.attested for probe in served.facts.probes()] == [True]
    [row] = served.audit.rows
    assert (row.draft.tool, row.draft.transport, row.draft.reason) == ("ingest", AuditTransport.INGEST, "")


@pytest.mark.parametrize("headers", [(), ("X-Reticle-Ingest-Token: wrong",)])
def test_facts_without_the_right_token_may_only_support(serve: Serve, headers: tuple[str, ...]) -> None:
    """
    Any program on this machine can send facts; the answer and the row say that they prove nothing.
    """
    served = serve()
    told = served.ask("POST", "/ingest", NDJSON, *headers, body=FakeProbe().served(1).body()).response()
    assert (told.status, json.loads(told.body)["attested"]) == (200, False)
    assert [probe.attested for probe in served.facts.probes()] == [False]
    assert [row.draft.reason for row in served.audit.rows] == ["unattested"]


def test_a_batch_without_the_token_takes_the_trust_of_its_process(serve: Serve) -> None:
    """
    Whoever sends under the name of a process that is believed does not become believed.
    """
    served = serve()
    probe = FakeProbe()
    served.ask("POST", "/ingest", NDJSON, TOKEN, body=probe.served(1).body())
    served.ask("POST", "/ingest", NDJSON, body=probe.served(2).body())
    assert [each.attested for each in served.facts.probes()] == [False]


def test_a_daemon_that_wants_tokens_hears_nobody_without_one(serve: Serve) -> None:
    """
    With ``--require-token`` the runtime file's token is needed.
    """
    served = serve(ingest_needs_token=True)
    body = FakeProbe().served(1).body()
    refused = served.ask("POST", "/ingest", NDJSON, body=body).response()
    assert (refused.status, json.loads(refused.body)["error"]) == (401, "token_missing")
    assert served.ask("POST", "/ingest", NDJSON, TOKEN, body=body).response().status == 200


@pytest.mark.parametrize(
    ("host", "header", "status"),
    [("evil.example", "X-A: b", 403), ("localhost:4400", "Origin: https://evil.example", 403)],
)
def test_strangers_tell_nothing_whatever_token_they_have(
    serve: Serve, host: str, header: str, status: int
) -> None:
    """
    The loopback rule stands before the token.
    """
    served = serve()
    told = served.ask("POST", "/ingest", NDJSON, TOKEN, header, host=host, body=FakeProbe().body()).response()
    assert told.status == status
    assert not served.facts.probes()


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/x-protobuf", ""]
)
@pytest.mark.parametrize("path", ["/ingest", "/v1/traces", "/v1/logs"])
def test_other_types_are_not_read(serve: Serve, path: str, kind: str) -> None:
    """
    What a page may send elsewhere without being asked is refused, and protobuf with what to set instead.
    """
    told = serve().ask("POST", path, f"Content-Type: {kind}", TOKEN, body=b"x").response()
    assert told.status == 415
    if path != "/ingest":
        assert "OTEL_EXPORTER_OTLP_PROTOCOL=http/json" in json.loads(told.body)["recovery"]


def test_a_batch_has_a_size_and_probes_a_pace(serve: Serve) -> None:
    """
    A batch over the limit is 413; more than is kept up with is 429 until time has passed.
    """
    served = serve()
    assert served.ask("POST", "/ingest", NDJSON, body=b"x" * (INGEST_BYTES + 1)).response().status == 413
    body = FakeProbe().body() + b" " * (INGEST_BYTES - 1_000)
    statuses = [
        served.ask("POST", "/ingest", NDJSON, body=body).response()
        for _ in range(INGEST_BURST_BYTES // INGEST_BYTES + 1)
    ]
    assert [each.status for each in statuses[:-1]] == [200] * (len(statuses) - 1)
    assert (statuses[-1].status, statuses[-1].headers["retry-after"]) == (429, "1")
    served.clock.advance(10)
    assert served.ask("POST", "/ingest", NDJSON, body=body).response().status == 200


def test_a_daemon_that_starts_takes_none(serve: Serve) -> None:
    """
    Before the store is open there is no audit row, and so no facts.
    """
    told = serve(serving=False).ask("POST", "/ingest", NDJSON, body=FakeProbe().body()).response()
    assert (told.status, told.headers["retry-after"]) == (503, "1")


def test_an_audit_that_fails_is_no_success(serve: Serve) -> None:
    """
    No row, no answer.
    """
    served = serve()
    served.audit.failing = True
    told = served.ask("POST", "/ingest", NDJSON, body=FakeProbe().body()).response()
    assert (told.status, json.loads(told.body)["error"]) == (503, "storage_failed")


def test_a_batch_is_answered_when_its_row_is_committed(serve: Serve) -> None:
    """
    The facts count at once, the answer waits for the row.
    """
    served = serve()
    served.audit.holding = True
    wire = served.ask("POST", "/ingest", NDJSON, body=FakeProbe().served(1).body())
    assert (wire.received(), len(served.facts.probes())) == (b"", 1)
    served.audit.commit()
    assert wire.response().status == 200


@pytest.mark.parametrize("body", [b"", b"{}", b"[1]", b'{"v":2,"kind":"hello"}', b"\xff", b"[" * 5_000])
def test_a_body_without_a_hello_is_refused(serve: Serve, body: bytes) -> None:
    """
    Nobody knows whose facts they are.
    """
    served = serve()
    told = served.ask("POST", "/ingest", NDJSON, body=body).response()
    assert (told.status, json.loads(told.body)["error"]) == (400, "bad_arguments")
    assert not served.facts.probes()


def test_lines_that_cannot_be_read_are_counted() -> None:
    """
    One bad line costs itself alone.
    """
    body = FakeProbe().served(1).body() + b'{"kind":"sql","seq":"x"}\n{"kind":"unheard","seq":9}\n{\n'
    batch = read_batch(body, attested=True)
    assert (len(batch.facts), batch.refused) == (2, 3)


def test_what_a_fact_says_is_cut_and_cleaned() -> None:
    """
    Long texts, long lists, secrets and unknown fields do not get in.
    """
    probe = FakeProbe().fact(
        "sql", of=1, statement="s" * 9_000, tables=["t"] * 99, rows=True, ms=1e400, extra={"a": 1},
        verb="SELECT", file="password=hunter22 x",
    )  # fmt: skip
    [fact] = read_batch(probe.body().replace(b"Infinity", b"1"), attested=True).facts
    assert len(str(fact.data["statement"])) == FACT_TEXT_CHARS
    assert fact.data["tables"] == ["t"] * FACT_LIST
    assert set(fact.data) == {"statement", "verb", "file", "tables", "ms"}
    assert "hunter22" not in str(fact.data)


def test_a_batch_has_so_many_lines() -> None:
    """
    What is beyond them counts as lost.
    """
    probe = FakeProbe()
    for _ in range(INGEST_LINES + 7):
        probe.fact("warning", message="m")
    batch = read_batch(probe.body(), attested=True)
    assert (len(batch.facts), batch.refused) == (INGEST_LINES, 7)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = [
    "kind", "seq", "mono", "rid", "action", "method", "path", "status", "ms", "frames", "exception", "kinds",
    "tables", "to", "level", "message", "type", "handled", "file", "line", "dropped", "to_seq", "view",
]  # fmt: skip


@given(
    st.lists(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=8), max_size=6), st.sampled_from(FactKind)
)
def test_no_line_harms_whatever_it_holds(lines: list[dict[str, Any]], kind: FactKind) -> None:
    """
    Any JSON in any field is read or counted, and what is kept is plain and bounded.
    """
    bodies = [json.dumps({"kind": kind.value, **line}).encode() for line in lines]
    batch = read_batch(b"\n".join([FakeProbe().body().strip(), *bodies]), attested=False)
    assert len(batch.facts) + batch.refused == len(lines)
    for fact in batch.facts:
        json.dumps(fact.data, allow_nan=False).encode()


@given(st.binary(max_size=400))
def test_no_bytes_harm(raw: bytes) -> None:
    """
    Whatever comes behind a hello, or instead of one, ends in facts, a count or a refusal.
    """
    read_batch(FakeProbe().body() + raw, attested=False)
    try:
        read_batch(raw, attested=False)
    except Refusal:
        return


def test_the_id_of_a_request_is_its_own_form() -> None:
    """
    Something else in its place ties nothing.
    """
    probe = FakeProbe().served(1)
    body = probe.body().replace(rid(1).encode(), b"../../etc")
    assert {fact.rid for fact in read_batch(body, attested=True).facts} == {None}
