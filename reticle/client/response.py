"""
One HTTP/1.1 response out of bytes, without I/O (RFC 9112): the head, then the body as it comes.

Enough for an answer that ends and for a stream that does not: a length, chunks, or until the peer closes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from reticle.client.errors import ProtocolBroken

HEAD_BYTES = 64 * 1024
"""Status line and header fields together; real ones have a few hundred bytes."""

_NO_BODY = frozenset({204, 304})


class ResponseHead(NamedTuple):
    """
    Status and header fields; names in lower case, of repeated fields the last one.
    """

    status: int
    headers: Mapping[str, str]


class _Body(Protocol):
    ended: bool

    def feed(self, chunk: bytes) -> bytes:
        """
        Body bytes within the wire bytes.
        """


class _Until:
    """
    A body that ends with the connection.
    """

    ended = False

    def feed(self, chunk: bytes) -> bytes:
        return chunk


class _Sized:
    """
    A body of a known length; what follows it is not ours.
    """

    def __init__(self, length: int) -> None:
        self._left = length
        self.ended = length == 0

    def feed(self, chunk: bytes) -> bytes:
        taken = chunk[: self._left]
        self._left -= len(taken)
        self.ended = self._left == 0
        return taken


class _Chunked:
    """
    A chunked body (RFC 9112 §7.1); extensions and trailers are skipped.
    """

    def __init__(self) -> None:
        self.ended = False
        self._buffer = bytearray()
        self._left = 0
        self._in_trailer = False

    def feed(self, chunk: bytes) -> bytes:
        self._buffer += chunk
        out = bytearray()
        while not self.ended and self._step(out):
            pass
        return bytes(out)

    def _step(self, out: bytearray) -> bool:
        if self._left:
            taken = self._buffer[: self._left]
            del self._buffer[: self._left]
            self._left -= len(taken)
            out += taken
            return bool(taken)
        end = self._buffer.find(b"\r\n")
        if end < 0:
            if len(self._buffer) > HEAD_BYTES:
                raise ProtocolBroken("a chunk's size line does not end")
            return False
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        if self._in_trailer:
            self.ended = not line
        elif line:  # an empty line is the end of the chunk before
            self._left = _chunk_size(line)
            self._in_trailer = self._left == 0
        return True


class ResponseParser:
    """
    Feeds on bytes in any split. ``head`` is None until it is whole; interim 1xx heads are skipped.
    """

    def __init__(self) -> None:
        self.head: ResponseHead | None = None
        self._buffer = bytearray()
        self._body: _Body = _Until()

    @property
    def ended(self) -> bool:
        """
        Whether the body is known to be complete; never true for one that ends with the connection.
        """
        return self.head is not None and self._body.ended

    def feed(self, chunk: bytes) -> bytes:
        """
        Take the next bytes; give the body bytes among them.

        Raises:
            ProtocolBroken: this is not HTTP/1.x. The parser is then of no more use.
        """
        if self.head is not None:
            return b"" if self._body.ended else self._body.feed(chunk)
        self._buffer += chunk
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > HEAD_BYTES:
                raise ProtocolBroken("a response head does not end")
            return b""
        head = _parse_head(bytes(self._buffer[:end]))
        rest = bytes(self._buffer[end + 4 :])
        self._buffer.clear()
        if 100 <= head.status < 200:
            return self.feed(rest)
        self.head = head
        self._body = _body_of(head)
        return self.feed(rest)


def _parse_head(raw: bytes) -> ResponseHead:
    status_line, *lines = raw.decode("latin-1").split("\r\n")
    version, _, rest = status_line.partition(" ")
    status = rest[:3]
    if not version.startswith("HTTP/1.") or not status.isdigit():
        raise ProtocolBroken(f"not an HTTP/1.x answer: {status_line[:80]!r}")
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    return ResponseHead(int(status), headers)


def _body_of(head: ResponseHead) -> _Body:
    if head.status in _NO_BODY:
        return _Sized(0)
    if "chunked" in head.headers.get("transfer-encoding", "").lower():
        return _Chunked()
    length = head.headers.get("content-length")
    if length is None:
        return _Until()
    if not (length.isascii() and length.isdigit()):
        raise ProtocolBroken(f"not a length: {length[:80]!r}")
    return _Sized(int(length))


def _chunk_size(line: bytes) -> int:
    digits = line.partition(b";")[0].strip()
    try:
        size = int(digits, 16)
    except ValueError:
        raise ProtocolBroken(f"not a chunk size: {digits[:40]!r}") from None
    if size < 0:
        raise ProtocolBroken(f"not a chunk size: {digits[:40]!r}")
    return size
