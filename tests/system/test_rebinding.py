"""
A hostile page in a real browser, on a name that leads to this machine, reaches nothing of the daemon.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from examples.journeys.children import Daemon, start_browser
from reticle.client import connect
from tests.system.hostile_page import (
    FOREIGN,
    PATHS,
    PUBLIC,
    RESOLVER_FLAG,
    hostile,
    page_server,
    rebound_server,
)
from tests.system.starting import StartDaemon
from tests.system.wire import exchange, request

Attack = Callable[[str, int | None], list[dict[str, Any]]]


@pytest.fixture
def daemon(start: StartDaemon) -> Daemon:
    """
    A daemon that only the attack talks to.
    """
    return start()


@pytest.fixture
def attack(daemon: Daemon, drives: None, tmp_path: Path) -> Iterator[Attack]:
    """
    Open the page under a name that leads to a port of the daemon, or to a server of its own that aims at the
    daemon's first port; gives what it saw.
    """
    del drives
    with ExitStack() as cleanup:
        attacker = cleanup.enter_context(hostile())

        def run(host: str, rebound_to: int | None) -> list[dict[str, Any]]:
            url = cleanup.enter_context(
                page_server(attacker.page(f"http://127.0.0.1:{daemon.port}"), host)
                if rebound_to is None
                else rebound_server(attacker.page(""), rebound_to, host)
            )
            browser = start_browser(tmp_path / "chromium", url, [RESOLVER_FLAG])
            cleanup.callback(browser.stop)
            return attacker.results()

        yield run


def rows_of(daemon: Daemon) -> int:
    """
    How many calls the daemon's audit has; its owner is told so.
    """
    answer = exchange(daemon.port, request("GET", "/status", "Connection: close", "Accept: application/json"))
    return int(json.loads(answer.split(b"\r\n\r\n", 1)[1])["audit"]["seq"])


def no_page_came(daemon: Daemon) -> bool:
    """
    Whether no page is connected; the daemon answers its owner after all this.
    """
    with connect(daemon.mcp_url) as client:
        client.initialize("owner", "1")
        return client.call("reticle_sessions").fields["sessions"] == []


def test_a_rebound_name_reaches_no_path(daemon: Daemon, attack: Attack) -> None:
    """
    A page whose own name was rebound to this machine may read every answer of its requests, and each is a
    refusal without content, at every path, with every method, over WebSocket too.
    """
    before = rows_of(daemon)
    seen = attack(FOREIGN, daemon.port)
    assert {each["path"] for each in seen} == set(PATHS)
    for each in seen:
        if each["path"] in PUBLIC:
            assert len(each["text"]) < 40, each
        elif each["kind"] in {"websocket", "script", "img"}:
            assert each["status"] == 0, each
        else:
            assert each["status"] in {403, 404, 405}, each
            assert str(daemon.port) not in each["text"], each
    refused = {each["path"] for each in seen if "bad_host" in each["text"]}
    assert {"/mcp", "/mcp/sse", "/status", "/metrics", "/sdk.js", "/ui/"} <= refused
    assert rows_of(daemon) == before
    assert no_page_came(daemon)


def test_a_rebound_name_reaches_nothing_of_the_second_listener(daemon: Daemon, attack: Attack) -> None:
    """
    Where every agent needs a token the name is judged all the same, and what is not MCP is not there.
    """
    endpoint = (daemon.runtime_dir / "mcp-http-endpoint").read_text().strip()
    port = urlsplit(endpoint).port
    assert port is not None
    assert port != daemon.port
    before = rows_of(daemon)
    for each in attack(FOREIGN, port):
        if each["path"].startswith("/mcp") and each["kind"] in {"get", "json post", "delete"}:
            assert each["status"] in {403, 404, 405}, each
            assert each["status"] != 403 or "bad_host" in each["text"] or "Host" in each["text"], each
        else:
            assert each["status"] in {0, 403, 404, 405}, each
    assert rows_of(daemon) == before


def test_a_foreign_page_reads_and_does_nothing(daemon: Daemon, attack: Attack) -> None:
    """
    A page of another site that asks the daemon by its right address gets nothing to read and no socket, and
    what the browser sends all the same has no effect.
    """
    before = rows_of(daemon)
    seen = attack(FOREIGN, None)
    readable = [each for each in seen if each["text"]]
    assert readable == [], readable
    assert all(each["status"] == 0 for each in seen if each["kind"] == "websocket")
    assert rows_of(daemon) == before
    assert no_page_came(daemon)


def test_the_same_page_on_this_machine_gets_through(daemon: Daemon, attack: Attack) -> None:
    """
    The attack is a real one: under the name localhost the same requests are answered.
    """
    before = rows_of(daemon)
    seen = {(each["path"], each["kind"]): each for each in attack("localhost", daemon.port)}
    assert seen["/status", "get"]["status"] == 200
    assert seen["/mcp", "json post"]["status"] == 200
    assert seen["/mcp/sse", "get"]["text"] == "a stream"
    assert seen["/reticle", "websocket"]["status"] == 101
    assert seen["/sdk.js", "script"]["status"] == 200
    assert rows_of(daemon) > before
