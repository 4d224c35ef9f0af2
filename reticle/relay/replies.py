"""
What the client is still owed: one answer for each request, and one array for each batch.

Every answer goes through here, so that none is given twice; what a batch waits for is gathered until it is
whole (MCP 2025-03-26 "Batching", JSON-RPC 2.0 §6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Batch:
    """
    The answers to one array of the client. Itself it counts as one that is owed, until it was read.
    """

    __slots__ = ("lines", "owed")

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.owed = 1


class Replies:
    """
    Args:
        say: Takes each whole line for the client.
    """

    def __init__(self, say: Callable[[bytes], None]) -> None:
        self.noted: set[str] = set()
        """The keys of the requests of the last line: each of them is owed its answer, or has it."""
        self._say = say
        self._owed: dict[str, Batch | None] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._owed

    @property
    def owed(self) -> Sequence[str]:
        """
        The keys of the requests without an answer, oldest first.
        """
        return tuple(self._owed)

    def begin(self) -> None:
        """
        A line of the client came.
        """
        self.noted.clear()

    def expect(self, key: str, batch: Batch | None) -> None:
        """
        A request of that key came, which must not be in use.
        """
        self.noted.add(key)
        self._owed[key] = batch
        if batch is not None:
            batch.owed += 1

    def beside(self, key: str, line: bytes, batch: Batch | None) -> None:
        """
        An answer to what is no request, or to one whose key (empty for none) cannot be expected.
        """
        self.noted.add(key)
        if batch is None:
            self._say(line)
        else:
            batch.lines.append(line)

    def answer(self, key: str, line: bytes) -> None:
        """
        The one answer; a request that has its answer, or was cancelled, gets no other.
        """
        if key not in self._owed:
            return
        batch = self._owed[key]
        if batch is None:
            self._say(line)
        else:
            batch.lines.append(line)
            self.settle(batch)
        # Only now: what could not be said is owed still.
        self._owed.pop(key, None)

    def withdraw(self, key: str) -> None:
        """
        Its client cancelled it: it gets no answer (MCP "Cancellation"), and its batch waits for the others.
        """
        batch = self._owed.pop(key, None)
        if batch is not None:
            self.settle(batch)

    def settle(self, batch: Batch) -> None:
        """
        One thing less is owed to a batch; after the last one its array is said, unless it is empty.
        """
        batch.owed -= 1
        if batch.owed == 0 and batch.lines:
            self._say(b"[" + b",".join(batch.lines) + b"]")
