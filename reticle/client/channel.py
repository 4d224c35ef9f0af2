"""
The two connections of the old HTTP+SSE pair: one stream that carries every answer, one POST per message.

Knows HTTP and event frames; what the messages mean is the client's.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence

from reticle.client.address import Address, join_endpoint
from reticle.client.errors import ProtocolBroken, Refused, ReplyOverdue, StreamEnded
from reticle.client.event_stream import EventStream, ServerEvent
from reticle.client.link import Dial, Link, dial
from reticle.client.response import ResponseHead, ResponseParser

FAREWELL_EVENT = "reticle-shutdown"
"""The event that tells a planned stop from a dropped connection."""

_ERROR_TEXT_CHARS = 2_000


class Channel:
    """
    An open stream and where to POST. Gives whole JSON-RPC messages; never repeats a POST by itself.

    ``farewell`` is the farewell's data once the daemon has announced its stop, else None;
    ``ended`` is true when nothing more can come.
    """

    def __init__(
        self,
        address: Address,
        token: str | None = None,
        *,
        timeout_seconds: float = 10.0,
        dial: Dial = dial,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.farewell: Mapping[str, object] | None = None
        self.ended = False
        self.endpoint: Address | None = None
        self.monotonic = monotonic
        self.timeout_seconds = timeout_seconds
        self._address = address
        self._token = token
        self._dial = dial
        self._early: list[Mapping[str, object]] = []
        self._events = EventStream()
        self._response = ResponseParser()
        self._stream: Link = dial(address.host, address.port, timeout_seconds)

    def open(self) -> None:
        """
        Ask for the stream and read its first frame. Called once.

        Raises ``CannotConnect``, ``Refused``, ``ReplyOverdue``, ``StreamEnded``, ``ProtocolBroken``.
        """
        deadline = self.monotonic() + self.timeout_seconds
        fields = ["Accept: text/event-stream", "Cache-Control: no-store"]
        self._stream.send(self._head("GET", self._address, fields), self.timeout_seconds)
        while self.endpoint is None:
            if self.ended:
                raise StreamEnded(self.farewell)
            self._early += self.receive(deadline, "the stream's first frame")

    def receive(self, deadline: float, awaited: str) -> list[Mapping[str, object]]:
        """
        Wait for bytes once and give the messages they complete, often none; sets ``ended``.

        Raises:
            ReplyOverdue: nothing came before ``deadline``; names ``awaited``.
        """
        if self._early and self.endpoint is not None:
            early, self._early = self._early, []
            return early
        remaining = deadline - self.monotonic()
        chunk = self._stream.receive(remaining) if remaining > 0 else None
        if chunk is None:
            raise ReplyOverdue(f"{awaited} did not come in time")
        if not chunk:
            self.ended = True
            return []
        body = self._response.feed(chunk)
        head = self._response.head
        if head is None:
            return []
        if head.status != 200:
            raise _refusal(head, body + self._rest_of(self._response, self._stream, deadline))
        if "text/event-stream" not in head.headers.get("content-type", ""):
            raise ProtocolBroken(f"{self._address.authority} does not answer with an event stream")
        messages = [message for event in self._events.feed(body) for message in self._messages_in(event)]
        self.ended = self._response.ended
        return messages

    def post(self, message: Mapping[str, object]) -> None:
        """
        Hand one message over; returns when the daemon has taken it.

        Raises ``CannotConnect``, ``Refused``, ``ReplyOverdue`` (it may have been taken), ``StreamEnded``.
        """
        if self.ended or self.endpoint is None:
            raise StreamEnded(self.farewell)
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        fields = ["Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close"]
        deadline = self.monotonic() + self.timeout_seconds
        link = self._dial(self.endpoint.host, self.endpoint.port, self.timeout_seconds)
        try:
            link.send(self._head("POST", self.endpoint, fields) + body, self.timeout_seconds)
            response = ResponseParser()
            text = self._rest_of(response, link, deadline)
        finally:
            link.close()
        if response.head is None:
            raise ReplyOverdue(f"{self.endpoint.authority} gave no status for a message")
        if not 200 <= response.head.status < 300:
            raise _refusal(response.head, text)

    def close(self) -> None:
        """
        Hang up. May be called twice.
        """
        self.ended = True
        self._stream.close()

    def _messages_in(self, event: ServerEvent) -> list[Mapping[str, object]]:
        if event.name == "endpoint":
            self.endpoint = join_endpoint(self._address, event.data)
            return []
        try:
            found = json.loads(event.data)
        except ValueError:
            raise ProtocolBroken(f"event {event.name!r} is not JSON: {event.data[:80]!r}") from None
        if event.name == FAREWELL_EVENT:
            self.farewell = found if isinstance(found, dict) else {"data": found}
            return []
        messages = found if isinstance(found, list) else [found]
        if not all(isinstance(message, dict) for message in messages):
            raise ProtocolBroken(f"not a JSON-RPC message: {event.data[:80]!r}")
        return messages

    def _head(self, method: str, address: Address, fields: Sequence[str]) -> bytes:
        lines = [f"{method} {address.target} HTTP/1.1", f"Host: {address.authority}", *fields]
        if self._token is not None:
            lines.append(f"Authorization: Bearer {self._token}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def _rest_of(self, response: ResponseParser, link: Link, deadline: float) -> bytes:
        """
        Body bytes until the response is complete, the peer closes, enough is read or time is over.
        """
        body = bytearray()
        while not response.ended and len(body) < _ERROR_TEXT_CHARS:
            remaining = deadline - self.monotonic()
            chunk = link.receive(remaining) if remaining > 0 else None
            if not chunk:
                break
            body += response.feed(chunk)
        return bytes(body)


def _refusal(head: ResponseHead, body: bytes) -> Refused:
    text = body.decode("utf-8", "replace").strip()
    try:
        error = json.loads(text)["error"]
        return Refused(head.status, str(error["message"]), str(error["data"]["code"]))
    except (ValueError, KeyError, TypeError):
        return Refused(head.status, text[:_ERROR_TEXT_CHARS])
