"""
The newest of something, capped in number and in bytes: what is kept of a page beside its ring.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from reticle.bridge.ring import Entry

T = TypeVar("T")


class NewestEntries(Generic[T]):
    """
    Items that hold an event each, oldest first; the oldest give way.

    Args:
        entry_of: The event of an item.
        max_entries: How many are kept.
        max_bytes: How much, as the ring counts it.
    """

    def __init__(self, entry_of: Callable[[T], Entry], max_entries: int, max_bytes: int) -> None:
        self._entry_of = entry_of
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._items: deque[T] = deque()
        self._bytes = 0

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __reversed__(self) -> Iterator[T]:
        return reversed(self._items)

    def append(self, item: T) -> None:
        """
        Keep it as the newest. One that is larger than all may be is not kept.
        """
        self._items.append(item)
        self._bytes += self._entry_of(item).size
        while len(self._items) > self._max_entries or self._bytes > self._max_bytes:
            self._bytes -= self._entry_of(self._items.popleft()).size

    def clear(self) -> None:
        """
        Keep none.
        """
        self._items.clear()
        self._bytes = 0
