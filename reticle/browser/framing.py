"""
Messages of the debugging pipe: JSON texts, each ended by a NUL byte. Sans-I/O.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from reticle.model.limits import CDP_MESSAGE_BYTES

HEAD_BYTES: Final = 64
"""As much of a message that is too large as tells which command it answers."""

END: Final = b"\0"


@attrs.frozen
class Oversized:
    """
    A message above the limit, of which only its first bytes were kept.
    """

    head: bytes


class Splitter:
    """
    Whole messages out of chunks as they come. What is too large is skipped, not collected.

    Args:
        limit: Bytes of the largest message that is kept.
    """

    def __init__(self, limit: int = CDP_MESSAGE_BYTES) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._skipped: Oversized | None = None

    def feed(self, chunk: bytes) -> Sequence[bytes | Oversized]:
        """
        The messages that end in this chunk, in order.
        """
        messages: list[bytes | Oversized] = []
        begin = 0
        while (end := chunk.find(END, begin)) >= 0:
            self._keep(chunk[begin:end])
            messages.append(self._take())
            begin = end + 1
        self._keep(chunk[begin:])
        return messages

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._skipped is not None or not part:
            return
        self._parts.append(part)
        if self._size > self._limit:
            self._skipped = Oversized(b"".join(self._parts)[:HEAD_BYTES])
            self._parts = []

    def _take(self) -> bytes | Oversized:
        message = b"".join(self._parts) if self._skipped is None else self._skipped
        self._parts, self._size, self._skipped = [], 0, None
        return message
