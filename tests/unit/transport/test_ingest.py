"""
``/ingest``: who may tell facts, what is read of them, and what is answered.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from reticle.model.codes import AuditTransport
from reticle.model.server_limits import INGEST_BURST_BYTES, INGEST_BYTES
from reticle.testing.probe import FakeProbe

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
    No row, no good answer; and none that asks for the same facts again, which would count twice.
    """
    served = serve()
    served.audit.failing = True
    told = served.ask("POST", "/ingest", NDJSON, body=FakeProbe().body()).response()
    assert (told.status, json.loads(told.body)["error"]) == (500, "storage_failed")
    assert "retry-after" not in told.headers


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
