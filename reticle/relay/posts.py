"""
The POSTs of one link: bodies in their order, one at a time, over a connection that is kept between them.

What became of a body is known exactly: not sent whole, taken, not taken, refused, or in doubt.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from reticle.client.address import Address
from reticle.client.errors import ProtocolBroken
from reticle.client.response import ResponseHead, ResponseParser
from reticle.model.relay_limits import HELD_SECONDS, IDLE_POST_SECONDS, POST_SECONDS
from reticle.relay.connection import Connection

_REASON_BYTES = 2_000


class Receiver(Protocol):
    """
    Who is told what became of bodies, by the key of their request; a body without one has no fate.
    """

    def left(self, key: str) -> None:
        """
        The last byte was handed to the kernel.
        """

    def untaken(self, key: str) -> None:
        """
        The daemon says that it did not take it now; it goes out again as long as the link lasts.
        """

    def refused(self, key: str, status: int, text: str) -> None:
        """
        The daemon never takes it.
        """

    def doubted(self, key: str) -> None:
        """
        Its connection broke before the daemon said whether it took it.
        """


class _Body(NamedTuple):
    key: str
    content: bytes


class Posts:
    """
    Args:
        receiver: Told of each body's fate.
        session_gone: Called when the daemon no longer knows the session.
        head: Makes the head of a POST of so many bytes.
    """

    def __init__(
        self, receiver: Receiver, session_gone: Callable[[], None], head: Callable[[Address, int], bytes]
    ) -> None:
        self.queued_bytes = 0
        self._receiver = receiver
        self._session_gone = session_gone
        self._head = head
        self._endpoint: Address | None = None
        self._queue: deque[_Body] = deque()
        self._held_until: float | None = None
        self._connection: Connection | None = None
        self._since = 0.0
        self._closed = False
        self._begin(None)

    def open(self, endpoint: Address, now: float) -> None:
        """
        Say where bodies go, and begin.
        """
        self._endpoint = endpoint
        self._pump(now)

    def put(self, content: bytes, key: str, now: float) -> None:
        """
        Send a body after those before it.
        """
        self._queue.append(_Body(key, content))
        self.queued_bytes += len(content)
        self._pump(now)

    def interests(self) -> Sequence[tuple[int, bool, bool]]:
        """
        As ``Link.interests``.
        """
        link = self._connection
        return [] if link is None else [(link.descriptor, link.established, link.wants_write)]

    def ready(self, *, readable: bool, writable: bool, now: float) -> None:
        """
        The connection can go on.
        """
        link = self._connection
        if link is None:
            return
        try:
            if writable and link.wants_write:
                link.write()
                self._tell_left(link)
        except OSError:
            self._broke(now)
            return
        chunk = link.read() if readable and link.established else None
        if chunk == b"":
            self._broke(now)
        elif chunk:
            self._answered(chunk, now)

    def deadline(self) -> float | None:
        """
        When ``overdue`` or ``tick`` has to be asked.
        """
        return self._since + POST_SECONDS if self._carried is not None else self._held_until

    def overdue(self, now: float) -> bool:
        """
        Whether a body has waited too long for its status.
        """
        return self._carried is not None and now >= self._since + POST_SECONDS

    def tick(self, now: float) -> None:
        """
        Go on after a pause.
        """
        if self._held_until is not None and now >= self._held_until:
            self._held_until = None
            self._pump(now)

    def close(self) -> None:
        """
        Hang up; nothing more is told. May be called twice.
        """
        self._closed = True
        self._hang_up()

    def _begin(self, body: _Body | None) -> None:
        self._carried = body
        self._has_left = False
        self._response = ResponseParser()
        self._text = bytearray()

    def _pump(self, now: float) -> None:
        """
        Begin the next POST, if none is under way.
        """
        idle = self._carried is None and self._held_until is None and not self._closed
        if self._endpoint is None or not self._queue or not idle:
            return
        if now - self._since > IDLE_POST_SECONDS:
            self._hang_up()
        body = self._queue.popleft()
        self.queued_bytes -= len(body.content)
        self._begin(body)
        self._since = now
        try:
            if self._connection is None:
                self._connection = Connection(self._endpoint.host, self._endpoint.port)
            self._connection.put(self._head(self._endpoint, len(body.content)) + body.content)
            self._tell_left(self._connection)
        except OSError:
            self._broke(now)

    def _tell_left(self, link: Connection) -> None:
        if self._carried is not None and not self._has_left and not link.wants_write:
            self._has_left = True
            if self._carried.key:
                self._receiver.left(self._carried.key)

    def _answered(self, chunk: bytes, now: float) -> None:
        try:
            self._text += self._response.feed(chunk)
        except ProtocolBroken:
            self._broke(now)
            return
        head, body = self._response.head, self._carried
        if head is None or body is None or not self._response.ended:
            return
        said, self._since = self._text, now
        self._begin(None)
        if head.headers.get("connection", "").lower() == "close":
            self._hang_up()
        self._judge(head, body, said, now)
        self._pump(now)

    def _judge(self, head: ResponseHead, body: _Body, said: bytearray, now: float) -> None:
        if head.status == 503:
            self._receiver.untaken(body.key)
            self._put_back(body, now)
        elif head.status == 404:
            self._receiver.untaken(body.key)
            self._session_gone()
        elif not 200 <= head.status < 300:
            self._receiver.refused(body.key, head.status, one_line(said))

    def _broke(self, now: float) -> None:
        """
        The connection is gone; the stream may still be there.
        """
        self._hang_up()
        body, has_left = self._carried, self._has_left
        self._begin(None)
        if body is None:
            return
        # If the daemon is gone the stream ends too, in a moment: nothing more is sent into the void.
        self._held_until = now + HELD_SECONDS
        if not has_left:  # the daemon cannot have acted on a part
            self._put_back(body, now)
        elif body.key:
            self._receiver.doubted(body.key)

    def _put_back(self, body: _Body, now: float) -> None:
        self._queue.appendleft(body)
        self.queued_bytes += len(body.content)
        self._held_until = now + HELD_SECONDS

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def one_line(text: bytes | bytearray) -> str:
    """
    What the daemon gave as its reason, on one line and not too long.
    """
    return " ".join(bytes(text[:_REASON_BYTES]).decode("utf-8", "replace").split()) or "no reason given"
