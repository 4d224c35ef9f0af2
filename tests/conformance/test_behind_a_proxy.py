"""
Streamable HTTP below a prefix, through a proxy that hands nothing on before a response is whole.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conformance.buffering_proxy import PREFIX, BufferingProxy

BOTH = "application/json, text/event-stream"


class Client:
    """
    A client that knows the proxy's address alone.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self.session: str | None = None

    def post(self, method: str, **params: object) -> tuple[int, str, str]:
        """
        One request; status, type and body of its answer.
        """
        return self._ask("POST", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    def end(self) -> int:
        """
        End the session; the status.
        """
        return self._ask("DELETE", None)[0]

    def _ask(self, method: str, message: object) -> tuple[int, str, str]:
        hop = http.client.HTTPConnection("127.0.0.1", self._port, timeout=10)
        headers = {"Content-Type": "application/json", "Accept": BOTH}
        if self.session is not None:
            headers["Mcp-Session-Id"] = self.session
        hop.request(method, f"{PREFIX}/mcp", None if message is None else json.dumps(message), headers)
        answer = hop.getresponse()
        body = answer.read().decode()
        self.session = self.session or answer.getheader("Mcp-Session-Id")
        hop.close()
        return answer.status, str(answer.getheader("Content-Type")), body


@pytest.fixture
def client(daemon: Any) -> Iterator[Client]:
    """
    Behind the proxy, with a session.
    """
    proxy = BufferingProxy(daemon.port)
    made = Client(proxy.port)
    assert made.post("initialize", protocolVersion="2025-11-25")[0] == 200
    assert made.session is not None
    yield made
    proxy.close()


def test_quick_and_slow_answers_arrive(client: Client) -> None:
    """
    Each POST's response ends with its answer, so that even such a proxy passes every one of them on.
    """
    status, content_type, body = client.post("x", a=1)
    assert (status, content_type, json.loads(body)["result"]) == (200, "application/json", {"a": 1})
    status, content_type, body = client.post("late 0.5", b=2)
    assert (status, content_type) == (200, "text/event-stream")
    assert '"result": {"b": 2}' in body.split("\n\n")[-2]
    assert client.post("tell 3", c=3)[2].count("event: message\n") == 4


def test_a_session_ends_through_it(client: Client) -> None:
    """
    DELETE passes, and the id is unknown afterwards.
    """
    assert client.end() == 204
    assert client.post("x")[0] == 404
