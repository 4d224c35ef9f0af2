"""
What Prometheus scrapes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reticle.model.limits import METRIC_LABELS
from reticle.transport.metrics import Metrics

Serve = Callable[..., Any]


def lines(metrics: Metrics) -> list[str]:
    """
    The samples, without help and type.
    """
    return [line for line in metrics.exposition().decode().splitlines() if not line.startswith("#")]


def test_everything_that_is_counted() -> None:
    """
    Sessions, pages, calls, drops and refusals appear under their documented names.
    """
    metrics = Metrics(mcp_sessions=lambda: 2, pages=lambda: 1)
    metrics.call_ended("reticle_act", "ok")
    metrics.call_ended("reticle_act", "ok")
    metrics.call_ended("reticle_act", "stale_ref")
    metrics.events_dropped("ring", 40)
    metrics.request_refused("bad_host")
    metrics.secrets_redacted(3)
    assert lines(metrics) == [
        "reticle_mcp_sessions 2.0",
        "reticle_pages 1.0",
        'reticle_refused_requests_total{code="bad_host"} 1.0',
        'reticle_tool_calls_total{outcome="ok",tool="reticle_act"} 2.0',
        'reticle_tool_calls_total{outcome="stale_ref",tool="reticle_act"} 1.0',
        'reticle_dropped_events_total{where="ring"} 40.0',
        "reticle_redacted_secrets_total 3.0",
    ]
    assert metrics.secrets_total == 3
    assert lines(metrics) == lines(metrics)


def test_labels_are_bounded() -> None:
    """
    A client that invents names cannot fill the daemon's memory.
    """
    metrics = Metrics(mcp_sessions=lambda: 0, pages=lambda: 0)
    for number in range(METRIC_LABELS + 5):
        metrics.call_ended(f"tool{number}", "ok")
    samples = [line for line in lines(metrics) if "tool_calls" in line]
    assert len(samples) == METRIC_LABELS + 1
    assert 'reticle_tool_calls_total{outcome="other",tool="other"} 5.0' in samples


def test_a_scrape_over_http(serve: Serve) -> None:
    """
    ``/metrics`` counts requests by route and class of status, never by the path that was sent.
    """
    served = serve()
    served.open_stream()
    served.ask("GET", "/status")
    served.ask("GET", "/no/such/path")
    served.ask("GET", "/status", host="evil.example")
    response = served.ask("GET", "/metrics").response()
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert [line for line in response.text.splitlines() if not line.startswith("#")] == [
        "reticle_mcp_sessions 1.0",
        "reticle_pages 3.0",
        'reticle_http_requests_total{route="status",status_class="2xx"} 1.0',
        'reticle_http_requests_total{route="status",status_class="4xx"} 1.0',
        'reticle_http_requests_total{route="unrouted",status_class="4xx"} 1.0',
        'reticle_refused_requests_total{code="bad_host"} 1.0',
    ]
