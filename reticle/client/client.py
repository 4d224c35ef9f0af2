"""
A blocking MCP client over the old HTTP+SSE pair (``docs/protocol/http-sse.md``).

A client belongs to one thread. Replies are matched by id, so several requests may be on their way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from reticle.client.address import parse_address
from reticle.client.channel import Channel
from reticle.client.errors import ProtocolBroken, ReplyOverdue, RpcError, StreamEnded
from reticle.client.results import CallResult, parse_call_result

PROTOCOL_REVISION = "2025-11-25"
"""The newest revision with a handshake; the daemon answers with one that it knows."""

NOTIFICATIONS_KEPT = 1_000
"""Notifications nobody has taken yet; the oldest go first and are counted."""

PENDING_REPLIES = 1_000
"""Requests sent whose answer nobody has waited for."""

_METHOD_NOT_FOUND = -32601


class Client:
    """
    One open MCP session. Made by ``connect``; close it, or use it in a ``with`` statement.

    ``notifications`` holds what came unasked, in order: take them out as you read them;
    ``notifications_dropped`` counts those thrown away because nobody did.
    ``server`` is the result of ``initialize``.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._arrived: dict[int, Mapping[str, object]] = {}
        self._awaited: set[int] = set()
        self._last_id = 0
        self.notifications: list[Mapping[str, object]] = []
        self.notifications_dropped = 0
        self.server: Mapping[str, object] = {}

    @property
    def endpoint(self) -> str:
        """
        The announced message path, with its session id.
        """
        return "" if self._channel.endpoint is None else self._channel.endpoint.target

    @property
    def farewell(self) -> Mapping[str, object] | None:
        """
        The farewell's data once the daemon has announced its stop, else None.
        """
        return self._channel.farewell

    def initialize(self, name: str = "reticle-client", version: str = "0") -> Mapping[str, object]:
        """
        Shake hands; gives the daemon's name, revision, capabilities and instructions.
        """
        identity = {"name": name, "version": version}
        parameters = {"protocolVersion": PROTOCOL_REVISION, "capabilities": {}, "clientInfo": identity}
        self.server = self.request("initialize", parameters)
        self.notify("notifications/initialized")
        return self.server

    def list_tools(self) -> Sequence[Mapping[str, object]]:
        """
        Every advertised tool, all pages of the list.
        """
        tools: list[Mapping[str, object]] = []
        parameters: dict[str, object] = {}
        while True:
            result = self.request("tools/list", parameters)
            page = result.get("tools")
            if not isinstance(page, list):
                raise ProtocolBroken("tools/list gave no list")
            tools += page
            cursor = result.get("nextCursor")
            if not isinstance(cursor, str):
                return tools
            parameters = {"cursor": cursor}

    def call(
        self, name: str, arguments: Mapping[str, object] | None = None, timeout_seconds: float | None = None
    ) -> CallResult:
        """
        Call one tool and wait for its answer; a refusal is a result, not an exception.
        """
        parameters = {"name": name, "arguments": dict(arguments or {})}
        return parse_call_result(self.request("tools/call", parameters, timeout_seconds))

    def request(
        self,
        method: str,
        parameters: Mapping[str, object] | None = None,
        timeout_seconds: float | None = None,
    ) -> Mapping[str, object]:
        """
        Send one request and wait for its result. Raises what ``send`` and ``wait`` raise.
        """
        return self.wait(self.send(method, parameters), timeout_seconds)

    def send(self, method: str, parameters: Mapping[str, object] | None = None) -> int:
        """
        Send one request without waiting; gives its id for ``wait``.

        Raises ``CannotConnect``, ``Refused`` (the daemon did not take it), ``ReplyOverdue``,
        ``StreamEnded``; ``ValueError`` when 1,000 answers are still to be waited for.
        """
        if len(self._awaited) + len(self._arrived) >= PENDING_REPLIES:
            raise ValueError(f"{PENDING_REPLIES} requests are unanswered; wait for some first")
        self._last_id += 1
        self._awaited.add(self._last_id)
        try:
            self._channel.post({"id": self._last_id, "method": method, "params": dict(parameters or {})})
        except Exception:
            self._awaited.discard(self._last_id)
            raise
        return self._last_id

    def wait(self, request_id: int, timeout_seconds: float | None = None) -> Mapping[str, object]:
        """
        Wait for the result of a request that ``send`` sent.

        Raises:
            RpcError: the daemon answered with a JSON-RPC error.
            StreamEnded: the stream is over; ``planned`` tells why.
            ReplyOverdue: nothing came in time; the reply is then ignored when it comes.
        """
        deadline = self._deadline(timeout_seconds)
        while request_id not in self._arrived:
            if request_id not in self._awaited:
                raise ValueError(f"request {request_id} is not waiting for an answer")
            if self._channel.ended:
                raise StreamEnded(self.farewell)
            try:
                self._receive(deadline, f"the answer to request {request_id}")
            except ReplyOverdue:
                self._awaited.discard(request_id)
                raise
        return _result_of(self._arrived.pop(request_id))

    def notify(self, method: str, parameters: Mapping[str, object] | None = None) -> None:
        """
        Send one notification; there is no answer to it.
        """
        message: dict[str, object] = {"method": method}
        if parameters:
            message["params"] = dict(parameters)
        self._channel.post(message)

    def wait_for_end(self, timeout_seconds: float) -> Mapping[str, object] | None:
        """
        Read until the daemon ends the stream; gives the farewell, or None when there was none.

        Raises ``ReplyOverdue`` when the stream is still open after the time.
        """
        deadline = self._deadline(timeout_seconds)
        while not self._channel.ended:
            self._receive(deadline, "the end of the stream")
        return self.farewell

    def close(self) -> None:
        """
        Hang up; the daemon forgets the session. May be called twice.
        """
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _deadline(self, timeout_seconds: float | None) -> float:
        budget = self._channel.timeout_seconds if timeout_seconds is None else timeout_seconds
        return self._channel.monotonic() + budget

    def _receive(self, deadline: float, awaited: str) -> None:
        for message in self._channel.receive(deadline, awaited):
            self._take(message)

    def _take(self, message: Mapping[str, object]) -> None:
        identity = message.get("id")
        if "method" not in message:
            if isinstance(identity, int) and identity in self._awaited:
                self._awaited.discard(identity)
                self._arrived[identity] = message
        elif identity is not None:
            self._answer(identity, str(message["method"]))
        else:
            self.notifications.append(message)
            if len(self.notifications) > NOTIFICATIONS_KEPT:
                del self.notifications[0]
                self.notifications_dropped += 1

    def _answer(self, identity: object, method: str) -> None:
        """
        The daemon asks us: we answer ``ping`` and offer nothing else.
        """
        if method == "ping":
            self._channel.post({"id": identity, "result": {}})
        else:
            error = {"code": _METHOD_NOT_FOUND, "message": f"this client does not offer {method}"}
            self._channel.post({"id": identity, "error": error})


def connect(url: str, token: str | None = None, timeout_seconds: float = 10.0) -> Client:
    """
    Open a session at ``url`` (such as ``http://127.0.0.1:4400/mcp/sse``) and wait for its endpoint.

    Args:
        url: An ``http://`` URL; without a path ``/mcp/sse`` is meant.
        token: A pairing or capability token; sent only in the ``Authorization`` header.
        timeout_seconds: For the connection and, where a call names no other, for each answer.

    Raises ``CannotConnect``, ``Refused``, ``ReplyOverdue``, ``ProtocolBroken``; ``ValueError`` for the URL.
    """
    channel = Channel(parse_address(url), token, timeout_seconds=timeout_seconds)
    try:
        channel.open()
    except BaseException:
        channel.close()
        raise
    return Client(channel)


def _result_of(message: Mapping[str, object]) -> Mapping[str, object]:
    error = message.get("error")
    if isinstance(error, dict):
        code = error.get("code")
        number = code if isinstance(code, int) else 0
        raise RpcError(number, str(error.get("message", "")), error.get("data"))
    result = message.get("result")
    if not isinstance(result, dict):
        raise ProtocolBroken("a reply has neither result nor error")
    return result
