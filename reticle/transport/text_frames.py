"""
Cutting a page's byte stream into frames, with a short road for the one kind that comes in masses.

A masked text frame that is a whole message needs nothing that is remembered of the frames before it, so it is
unmasked and delivered here. Every other frame, and every frame while it does matter what came before (inside
of a fragmented message, on the way to the close), goes as it came to whoever knows the whole standard:
``on_other``. Both roads give the same messages (RFC 6455 §5.2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # C where it was built, else Python

_WHOLE_TEXT: Final = 0x81
_MASKED: Final = 0x80
_TWO_BYTES: Final = 126
_EIGHT_BYTES: Final = 127
"""Lengths that say in how many bytes the length follows."""


class TextFrames:
    """
    One direction of one WebSocket.

    Args:
        on_texts: Given the payloads of whole text frames that came together, oldest first, not yet known to
            be UTF-8. False: what follows is for ``on_other``.
        on_other: Given all other bytes in order, in pieces that end where a frame ends or the bytes do. At
            the end of a frame it says whether the next one may come by ``on_texts``.
        max_bytes: A longer frame is for ``on_other``, which ends the connection for it before it is kept.
    """

    def __init__(
        self, on_texts: Callable[[list[bytes]], bool], on_other: Callable[[bytes], bool], max_bytes: int
    ) -> None:
        self._on_texts = on_texts
        self._on_other = on_other
        self._max_bytes = max_bytes
        self._kept = bytearray()
        self._wanted = 0
        self._owed = 0
        self._short_road = True

    def feed(self, data: bytes | bytearray) -> None:
        """
        Bytes as they came.
        """
        at = 0
        while self._kept:
            # Only the frame that was begun is put together, not all that came behind it.
            end = at + self._wanted - len(self._kept)
            self._kept += data[at:end]
            if len(data) < end:
                return
            at, begun, self._kept = end, self._kept, bytearray()
            self._take(begun, 0)
        self._take(data, at)

    def _take(self, data: bytes | bytearray, at: int) -> None:
        size = len(data)
        if self._owed and at < size:
            at = self._hand_over(data, at, self._owed)
        while at < size:
            if self._short_road:
                at = self._texts(data, at)
            if at < size:
                at = self._other(data, at)

    def _texts(self, data: bytes | bytearray, at: int) -> int:
        """
        Deliver the whole text frames from ``at`` on. Gives where the first byte lies that is not dealt with.
        """
        found: list[bytes] = []
        at = self._whole_texts(data, at, found)
        if found and not self._on_texts(found):
            self._short_road = False
        return at

    def _whole_texts(self, data: bytes | bytearray, at: int, found: list[bytes]) -> int:
        size, add = len(data), found.append
        while at + 1 < size and data[at] == _WHOLE_TEXT:
            length, start = data[at + 1] - _MASKED, at + 6
            if length < 0:
                return at
            if length == _TWO_BYTES:
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 8
            elif length == _EIGHT_BYTES:
                length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 14
            if start > size or length > self._max_bytes:
                return at
            end = start + length
            if end > size:
                return self._keep(data, at, end)
            add(apply_mask(data[start:end], data[start - 4 : start]))
            at = end
        return at

    def _other(self, data: bytes | bytearray, at: int) -> int:
        """
        Hand one frame over, or its beginning. Gives where the first byte lies that is not dealt with.
        """
        if at + 2 > len(data):
            return self._keep(data, at, at + 2)
        length, masked = data[at + 1] & 0x7F, data[at + 1] & _MASKED
        head = 6 if masked else 2
        if length >= _TWO_BYTES:
            longer = 2 if length == _TWO_BYTES else 8
            head += longer
            length = int.from_bytes(data[at + 2 : at + 2 + longer], "big")
        if at + head > len(data):
            return self._keep(data, at, at + head)
        return self._hand_over(data, at, head + length)

    def _hand_over(self, data: bytes | bytearray, at: int, length: int) -> int:
        end = min(at + length, len(data))
        self._owed = at + length - end
        may_follow = self._on_other(bytes(data[at:end]))
        if not self._owed:
            self._short_road = may_follow
        return end

    def _keep(self, data: bytes | bytearray, at: int, end: int) -> int:
        """
        The rest is a frame's beginning: wait until there is so much of it that ``end`` is reached.
        """
        self._kept += data[at:]
        self._wanted = end - at
        return len(data)
