"""
One link to a daemon: the stream that brings every message, and the POSTs that take ours there.

Knows HTTP and event frames; what the messages mean is the front's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from reticle.client.address import Address, join_endpoint
from reticle.client.errors import ProtocolBroken
from reticle.client.event_stream import EventStream
from reticle.client.response import ResponseParser
from reticle.model.relay_codes import CARRIER_HEADER, STDIO
from reticle.model.relay_limits import OPEN_SECONDS, SILENCE_SECONDS
from reticle.relay.connection import Connection
from reticle.relay.posts import Posts, Receiver, one_line
from reticle.relay.trouble import Cause, Trouble

_REASON_BYTES = 2_000
_CARRIER = f"{CARRIER_HEADER}: {STDIO}"


class MessageReceiver(Receiver, Protocol):
    """
    Who gets the messages, and the fates of bodies.
    """

    def arrived(self, text: str, now: float) -> None:
        """
        One message of the daemon.
        """


class Owner(Protocol):
    """
    Who made the link.
    """

    def opened(self) -> None:
        """
        The first frame is there; bodies can be posted.
        """

    def lost(self, trouble: Trouble) -> None:
        """
        The link is over; the last thing that is told.
        """


class Link:
    """
    Dials at once. Tell it what ``poll`` found, and the time.

    ``paused`` leaves the stream unread while the client does not read either.
    """

    def __init__(
        self, address: Address, token: str | None, receiver: MessageReceiver, owner: Owner, now: float
    ) -> None:
        self.paused = False
        self._address = address
        self._token = token
        self._receiver = receiver
        self._owner = owner
        self._posts = Posts(receiver, self._session_gone, self._post_head)
        self._response = ResponseParser()
        self._events = EventStream()
        self._refusal = bytearray()
        self._is_open = False
        self._over = False
        self._heard_at = now
        self._stream: Connection | None = None
        try:
            self._stream = Connection(address.host, address.port)
            self._stream.put(self._head("GET", address, "Accept: text/event-stream", _CARRIER))
        except OSError as fault:
            self._end(self._nobody(fault))

    @property
    def queued_bytes(self) -> int:
        """
        Bytes of bodies that wait for those before them.
        """
        return self._posts.queued_bytes

    def post(self, body: bytes, key: str, now: float) -> None:
        """
        Send a body after those before it; ``key`` names its request, empty for none.
        """
        self._posts.put(body, key, now)

    def interests(self) -> Sequence[tuple[int, bool, bool]]:
        """
        For each descriptor whether it waits for reading and for writing.
        """
        if self._stream is None:
            return []
        ours = (self._stream.descriptor, not self.paused, self._stream.wants_write)
        return [ours, *self._posts.interests()]

    def ready(self, descriptor: int, *, readable: bool, writable: bool, now: float) -> None:
        """
        A descriptor of ``interests`` can go on.
        """
        if self._stream is not None and descriptor == self._stream.descriptor:
            self._go_on(self._stream, readable=readable, writable=writable, now=now)
        elif descriptor in [each[0] for each in self._posts.interests()]:
            self._posts.ready(readable=readable, writable=writable, now=now)

    def deadline(self) -> float:
        """
        When ``tick`` has to be called at the latest.
        """
        stream = self._heard_at + (SILENCE_SECONDS if self._is_open else OPEN_SECONDS)
        posts = self._posts.deadline()
        return stream if posts is None else min(stream, posts)

    def tick(self, now: float) -> None:
        """
        Judge what did not come in time.
        """
        port = self._address.port
        if not self._is_open and now >= self._heard_at + OPEN_SECONDS:
            text = f"what listens on port {port} took the connection and does not answer"
            self._end(Trouble(Cause.SILENT, text))
        elif self._is_open and not self.paused and now >= self._heard_at + SILENCE_SECONDS:
            self._end(Trouble(Cause.SILENT, f"the daemon on port {port} has fallen silent"))
        elif self._posts.overdue(now):
            self._end(Trouble(Cause.SILENT, f"the daemon on port {port} does not take messages"))
        else:
            self._posts.tick(now)

    def close(self) -> None:
        """
        Hang up without a word to the owner. May be called twice.
        """
        self._over = True
        self._posts.close()
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _end(self, trouble: Trouble) -> None:
        if not self._over:
            self.close()
            self._owner.lost(trouble)

    def _session_gone(self) -> None:
        self._end(Trouble(Cause.BROKEN, "the daemon no longer knows this session"))

    def _go_on(self, stream: Connection, *, readable: bool, writable: bool, now: float) -> None:
        if writable and stream.wants_write:
            try:
                stream.write()
            except OSError as fault:
                self._end(self._nobody(fault))
                return
        chunk = stream.read() if readable and stream.established else None
        if chunk == b"":
            self._end(Trouble(Cause.BROKEN, "the link to the daemon was lost"))
        elif chunk:
            self._heard(chunk, now)

    def _heard(self, chunk: bytes, now: float) -> None:
        try:
            body = self._response.feed(chunk)
            head = self._response.head
            if head is None:
                return
            if head.status != 200:
                self._judge(head.status, body)
                return
            if "text/event-stream" not in head.headers.get("content-type", ""):
                self._end(self._stranger("it gives no event stream"))
                return
            self._read_events(body, now)
        except ProtocolBroken as broken:
            self._end(self._stranger(str(broken)))
            return
        if self._response.ended:
            self._end(Trouble(Cause.BROKEN, "the daemon ended the link"))

    def _read_events(self, body: bytes, now: float) -> None:
        if self._is_open:
            self._heard_at = now
        for event in self._events.feed(body):
            if self._over:
                return
            if event.name == "endpoint":
                endpoint = join_endpoint(self._address, event.data)
                self._is_open, self._heard_at = True, now
                self._owner.opened()
                self._posts.open(endpoint, now)
            elif event.name == "message":
                self._receiver.arrived(event.data, now)

    def _judge(self, status: int, body: bytes) -> None:
        """
        The answer to the GET is no stream.
        """
        self._refusal += body[:_REASON_BYTES]
        if not self._response.ended and len(self._refusal) < _REASON_BYTES:
            return
        port, said = self._address.port, one_line(self._refusal)
        if status == 503:
            self._end(Trouble(Cause.UNREADY, f"the daemon on port {port} is not ready: {said}"))
        elif status in (401, 403):
            recovery = "Set RETICLE_MCP_TOKEN_FILE or RETICLE_TOKEN_FILE in the client's entry for it."
            self._end(Trouble(Cause.REFUSED, f"the daemon on port {port} refused: {said}", recovery))
        else:
            self._end(self._stranger(f"HTTP {status}"))

    def _nobody(self, fault: OSError) -> Trouble:
        text = f"nothing listens on port {self._address.port} ({fault.strerror})"
        return Trouble(Cause.NOBODY, text, "reticle serve")

    def _stranger(self, sign: str) -> Trouble:
        text = f"what listens on port {self._address.port} is no reticle daemon: {sign}"
        return Trouble(Cause.STRANGER, text)

    def _post_head(self, address: Address, size: int) -> bytes:
        return self._head("POST", address, "Content-Type: application/json", f"Content-Length: {size}")

    def _head(self, method: str, address: Address, *fields: str) -> bytes:
        lines = [f"{method} {address.target} HTTP/1.1", f"Host: {address.authority}", *fields]
        if self._token is not None:
            lines.append(f"Authorization: Bearer {self._token}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
