"""
Lines out of bytes, and bytes that wait for a slow reader; without I/O.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.model.relay_limits import LINE_BYTES


class LineBuffer:
    """
    Feeds on bytes in any split and gives whole lines without their end, LF or CR LF; empty ones are skipped.

    A line over ``line_bytes`` is dropped to its end; ``overlong`` counts them.
    """

    def __init__(self, line_bytes: int = LINE_BYTES) -> None:
        self.overlong = 0
        self._line_bytes = line_bytes
        self._pieces: list[bytes] = []
        self._held = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> Sequence[bytes]:
        """
        Take the next bytes; give the lines that they end.
        """
        *ends, rest = chunk.split(b"\n")
        lines = []
        for end in ends:
            self._hold(end)
            line = b"".join(self._pieces).removesuffix(b"\r")
            if line.strip() and not self._skipping:
                lines.append(line)
            self._clear()
        self._hold(rest)
        return lines

    def finish(self) -> Sequence[bytes]:
        """
        What a last line without its end holds, once no more comes.
        """
        return self.feed(b"\n")

    def _hold(self, piece: bytes) -> None:
        if self._skipping or not piece:
            return
        self._held += len(piece)
        if self._held > self._line_bytes:
            self.overlong += 1
            self._clear()
            self._skipping = True
        else:
            self._pieces.append(piece)

    def _clear(self) -> None:
        self._pieces.clear()
        self._held = 0
        self._skipping = False


class Backlog:
    """
    Bytes that have not been written yet, in order. Who fills it looks at ``size`` and stops reading.
    """

    def __init__(self) -> None:
        self.size = 0
        self._parts: list[memoryview] = []
        self._next = 0

    def put(self, data: bytes) -> None:
        """
        Append.
        """
        if data:
            self._parts.append(memoryview(data))
            self.size += len(data)

    def first(self, most: int) -> memoryview:
        """
        The next bytes to write, ``most`` at most; empty when nothing waits.
        """
        return self._parts[self._next][:most] if self.size else memoryview(b"")

    def take(self, count: int) -> None:
        """
        So many of ``first`` have been written.
        """
        self.size -= count
        part = self._parts[self._next][count:]
        self._parts[self._next] = part
        if not part:
            self._next += 1
        if self._next > 64 or not self.size:
            del self._parts[: self._next]
            self._next = 0
