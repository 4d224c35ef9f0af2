"""
What ``/status`` says.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from reticle.domain.daemon_life import LifeState
from reticle.errors import Refusal
from reticle.model.audit import AuditHead
from reticle.model.ids import PageId
from reticle.model.page import RefusedDial
from reticle.model.server_facts import ProbedProcess, SkippedInsertion
from reticle.transport.status import DaemonStatus, PageStatus, bare_url, status_body

Serve = Callable[..., Any]

PROBE = ProbedProcess("5f" * 16, 7, "flask 3.1", "/srv/shop", attested=True, serves=False, silent_ms=40)


def test_the_documented_fields() -> None:
    """
    A person, and ``reticle status``, find exactly these fields.
    """
    status = DaemonStatus(
        version="0.1.0", pid=42, started_at=1_750_000_000.25, uptime_seconds=12.34567, port=4400,
        state=LifeState.SERVING, mcp_sessions=2, calls_total=9, calls_in_flight=1, browser_leases=3,
        secrets_redacted=2,
        pages=[PageStatus(PageId("s1"), "http://u:p@localhost/a?token=S#x", "Shop", 1.5, throttled=False)],
        probes=[PROBE],
        skipped=[SkippedInsertion("5f" * 16, "flask 3.1", "policy", "script-src", "/shop", 2)],
        refused_dials=[RefusedDial(1_750_000_001.0, "http://evil.example", "bad_origin", "set a token", 3)],
    )  # fmt: skip
    assert status_body(status) == {
        "running": True, "name": "reticle", "version": "0.1.0", "pid": 42,
        "started_at": "2025-06-15T15:06:40.250Z", "uptime_seconds": 12.346, "port": 4400,
        "state": "serving", "mcp_sessions": 2,
        "pages": [{"sessionId": "s1", "url": "http://localhost/a?…", "title": "Shop", "lastSeenMs": 1500,
                   "throttled": False}],
        "refused_dials": [{"at": "2025-06-15T15:06:41.000Z", "origin": "http://evil.example",
                           "reason": "bad_origin", "next_step": "set a token", "count": 3}],
        "browser_leases": 3, "secrets_redacted": 2, "calls": {"total": 9, "in_flight": 1},
        "storage": {"ok": True}, "audit": None, "journal": {"on": False},
        "probes": [
            {"pid": 7, "framework": "flask 3.1", "project": "shop", "attested": True, "lastHeardMs": 40}
        ],
        "skipped_insertions": [
            {
                "why": "The probe in flask 3.1 put no page script into a page of /shop: its Content-Security-"
                "Policy lets no script of ours run (script-src), 2 times",
                "next_step": "let the app use a nonce in development, or open the page with "
                "`reticle drive` (reticle_lease)",
                "count": 2,
            }
        ],
    }  # fmt: skip


def test_a_store_that_fails_is_shown_with_its_remedy() -> None:
    """
    Whoever wonders why calls are refused sees it in the status, with the step that mends it.
    """
    status = DaemonStatus(
        version="0.1.0", pid=42, started_at=0.0, uptime_seconds=0.0, port=None, state=LifeState.SERVING,
        mcp_sessions=0, storage_fault=Refusal("storage_failed", "the disk is full", "Free disk space."),
    )  # fmt: skip
    assert status_body(status)["storage"] == {
        "ok": False, "message": "the disk is full", "recovery": "Free disk space.",
    }  # fmt: skip


def test_the_head_of_the_audit_log_is_shown() -> None:
    """
    An operator who notes it can tell later whether the rows up to it were changed.
    """
    status = DaemonStatus(
        version="0.1.0", pid=42, started_at=0.0, uptime_seconds=0.0, port=None, state=LifeState.SERVING,
        mcp_sessions=0, audit_head=AuditHead(7, "ab" * 32),
    )  # fmt: skip
    assert status_body(status)["audit"] == {"seq": 7, "head": "ab" * 32}


@pytest.mark.parametrize(
    ("url", "bare"),
    [("http://[::1]:1/x?y=z#w", "http://[::1]:1/x?…"), ("null", "null"), ("http://[x", ""),
     ("data:text/html,x", "data:text/html,x")],
)  # fmt: skip
def test_a_url_is_shown_without_what_could_be_secret(url: str, bare: str) -> None:
    """
    Query values, fragments and users of a page's URL stay out of the status.
    """
    assert bare_url(url) == bare


def test_the_status_answers_in_every_state(serve: Serve) -> None:
    """
    A daemon that starts or drains still says so.
    """
    served = serve(serving=False)
    states = []
    for step in (lambda: None, served.life.attached, served.life.drain):
        step()
        response = served.ask("GET", "/status").response()
        assert (response.status, response.headers["cache-control"]) == (200, "no-store")
        states.append(json.loads(response.text)["state"])
    assert states == ["starting", "serving", "draining"]


def test_the_status_is_told_to_somebody(serve: Serve) -> None:
    """
    Whoever asks sees the pages that it may look at, so the status has to know who that is.
    """
    served = serve(token="pair")
    served.ask("GET", "/status", "Authorization: Bearer pair")
    served.ask("GET", "/status")
    assert [principal.name for principal in served.told_status] == ["pairing", "local"]


def test_a_head_of_the_status_has_no_body(serve: Serve) -> None:
    """
    HEAD gives the length alone.
    """
    response = serve().ask("HEAD", "/status").response()
    assert (response.status, response.body) == (200, b"")
    assert int(response.headers["content-length"]) > 100
