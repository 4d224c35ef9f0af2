"""
Requests of Streamable HTTP with nothing but the standard library.
"""

from __future__ import annotations

import http.client
import json
from typing import Any, NamedTuple

from tests.system.wire import WAIT_SECONDS


class Answer(NamedTuple):
    """
    One response.
    """

    status: int
    headers: dict[str, str]
    text: str

    @property
    def result(self) -> Any:
        """
        The result, in a JSON body or in the last event of a stream.
        """
        return json.loads(self.text.rpartition("\ndata: ")[2])["result"]


def ask(
    port: int, body: str | None, headers: dict[str, str], *, method: str = "POST", path: str = "/mcp"
) -> Answer:
    """
    One request with exactly these headers beside Host and length.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
    finally:
        connection.close()
    return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, text)


class Session:
    """
    A client's session: the id that it got and nothing else, as after a restart of the daemon.
    """

    def __init__(self, port: int, revision: str = "2025-11-25", **headers: str) -> None:
        params = {
            "protocolVersion": revision,
            "capabilities": {},
            "clientInfo": {"name": "s", "version": "1"},
        }
        opened = self._post(port, {"id": 1, "method": "initialize", "params": params}, **headers)
        self.session_id = opened.headers["mcp-session-id"]
        self.post(port, "notifications/initialized", request_id=None, **headers)

    def post(
        self, port: int, method: str, params: object = None, *, request_id: object = 2, **headers: str
    ) -> Answer:
        """
        One message.
        """
        message = {"method": method, **({} if request_id is None else {"id": request_id})}
        if params is not None:
            message["params"] = params
        return self._post(port, message, **{"Mcp-Session-Id": self.session_id, **headers})

    def end(self, port: int) -> int:
        """
        End it; the status.
        """
        return ask(port, None, {"Mcp-Session-Id": self.session_id}, method="DELETE").status

    def _post(self, port: int, message: dict[str, object], **headers: str) -> Answer:
        fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        return ask(port, json.dumps({"jsonrpc": "2.0", **message}), fields | headers)
