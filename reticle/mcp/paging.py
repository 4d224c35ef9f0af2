"""
Long lists in parts: which part a cursor means, and the cursor of the next part.

A cursor names the entry that it follows and carries a digest of it, so one that we did not give out, or that
the list has outlived, is refused instead of skipping entries (MCP 2026-07-28 "Pagination").
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import attrs

from reticle.errors import PeerFault
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import LIST_PAGE

T = TypeVar("T")

_CURSOR: Final = re.compile(r"(\d{1,6})-([0-9a-f]{16})", re.ASCII)


@attrs.frozen
class Part(Generic[T]):
    """
    Some entries of a list; ``next_cursor`` is None at its end.
    """

    entries: Sequence[T]
    next_cursor: str | None

    def result(self, name: str, entries: object = None) -> dict[str, object]:
        """
        The fields of a list result; ``entries`` in place of the part's own where they were put into words.
        """
        fields = {name: self.entries if entries is None else entries}
        return fields if self.next_cursor is None else {**fields, "nextCursor": self.next_cursor}


def part_of(
    entries: Sequence[T], cursor: str | None, *, scope: str, key: Callable[[T], str], size: int = LIST_PAGE
) -> Part[T]:
    """
    The part of a list that a cursor means, the first without one.

    Args:
        entries: The whole list in its order.
        cursor: As the client sent it; the empty text is one that we never give out.
        scope: Which list it is: a cursor of another one is refused.
        key: What an entry is known by.
        size: Entries in one part.

    Raises:
        PeerFault: ``bad_params``; listing from the start makes sense.
    """
    start = 0 if cursor is None else _place(entries, cursor, scope, key)
    end = start + size
    if end >= len(entries):
        return Part(entries[start:], None)
    return Part(entries[start:end], f"{end}-{_digest(scope, key(entries[end - 1]))}")


def _place(entries: Sequence[T], cursor: str, scope: str, key: Callable[[T], str]) -> int:
    found = _CURSOR.fullmatch(cursor)
    if found is not None:
        place = int(found[1])
        if 0 < place < len(entries) and _digest(scope, key(entries[place - 1])) == found[2]:
            return place
    raise PeerFault(
        FaultCode.BAD_PARAMS,
        "this cursor is not one of ours, or the list has changed; list without a cursor",
        JsonRpcCode.INVALID_PARAMS,
    )


def _digest(scope: str, key: str) -> str:
    return hashlib.sha256(f"{scope}\n{key}".encode()).hexdigest()[:16]
