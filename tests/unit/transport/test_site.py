"""
The tree of paths, and the one line that each request leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reticle.transport.trace import RequestRecord

Serve = Callable[..., Any]


def test_each_request_is_recorded_once(serve: Serve, log_events: list[dict[str, object]]) -> None:
    """
    One structured line and one record per request, with the path but not its query.
    """
    served = serve(token="pair")
    served.ask("GET", "/status?x=1", "Authorization: Bearer pair")
    record = RequestRecord(
        method="GET", path="/status", route="status", status=200, duration_seconds=0.0,
        principal="pairing", carrier="-", refused=None, aborted=False,
    )  # fmt: skip
    assert served.records == [record]
    [line] = [event for event in log_events if event.get("route") == "status"]
    assert {name: line[name] for name in ("method", "path", "status", "principal", "aborted")} == {
        "method": "GET", "path": "/status", "status": 200, "principal": "pairing", "aborted": False,
    }  # fmt: skip


def test_a_stream_is_recorded_when_it_ends(serve: Serve) -> None:
    """
    The record of a stream has its whole duration.
    """
    served = serve()
    wire, _ = served.open_stream()
    served.clock.advance(90)
    assert served.records == []
    wire.hang_up()
    [record] = served.records
    assert (record.route, record.carrier, record.duration_seconds, record.aborted) == (
        "mcp_sse", "sse", 90.0, True,
    )  # fmt: skip


def test_a_hostile_path_is_printable_and_short_in_the_record(serve: Serve) -> None:
    """
    Nothing that a client puts into a path can write into a terminal or fill a disk.
    """
    served = serve()
    assert served.ask("GET", "/\x1b[2J").response().status == 400
    served.ask("GET", "/" + "a" * 5000)
    [record] = served.records
    assert record.path == "/" + "a" * 199 + "…"
    assert record.route == "unrouted"


def test_a_refusal_is_in_the_record(serve: Serve) -> None:
    """
    The record names the code of a refusal and the route that was meant.
    """
    served = serve()
    served.ask("GET", "/mcp/sse", host="evil.example")
    [record] = served.records
    assert (record.route, record.status, record.refused, record.principal) == (
        "mcp_sse", 403, "bad_host", "-",
    )  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("target", ["/", "/nothing", "/status/x", "/sdk.js/x", "/ui/", "/ui", "*"])
def test_there_is_nothing_else(serve: Serve, method: str, target: str) -> None:
    """
    An unknown path is a short 404 in plain text for every method.
    """
    served = serve()
    if target == "*" and method != "OPTIONS":
        return
    response = served.ask(method, target).response()
    if target == "*":
        assert response.status in (200, 405)
    else:
        assert (response.status, response.text) == (404, "not found")


def test_a_page_socket_is_reached_without_the_guard(serve: Serve) -> None:
    """
    ``/reticle`` asks the rule itself; the tree hands the request on as it is.
    """
    served = serve()
    assert served.ask("GET", "/reticle", host="evil.example").response().text == "upgrade"


def test_two_requests_on_one_connection(serve: Serve) -> None:
    """
    Connections are kept alive for what is no stream.
    """
    served = serve()
    wire = served.connect()
    for _ in range(2):
        wire.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert wire.received().count(b"HTTP/1.1 200 OK") == 2
    assert not wire.transport.disconnecting


def test_a_silent_connection_is_closed_and_a_stream_is_not(serve: Serve) -> None:
    """
    Idle sockets end after a minute; a stream lives as long as its client.
    """
    served = serve()
    idle = served.connect()
    stream, _ = served.open_stream()
    served.clock.advance(61)
    assert idle.transport.disconnecting
    assert not stream.transport.disconnecting
