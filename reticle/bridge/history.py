"""
Slow facts of a page as they were at any cursor: its document, its connection, what it cannot see.

They change a few times in a page's life, so each is a short list of marks, bounded by forgetting the oldest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from reticle.model.limits import BLIND_SPOT_KINDS, HISTORY_MARKS

T = TypeVar("T")

ANY_KIND = "*"
"""Stands for the blind spots of kinds beyond ``BLIND_SPOT_KINDS``: they may hide anything."""


class History(Generic[T]):
    """
    A value and when it changed.
    """

    def __init__(self, initial: T, marks: int = HISTORY_MARKS) -> None:
        self._initial = initial
        self._marks: deque[tuple[int, T]] = deque()
        self._max_marks = marks

    @property
    def now(self) -> T:
        """
        The present value.
        """
        return self._marks[-1][1] if self._marks else self._initial

    def set(self, value: T, at: int) -> None:
        """
        The value from right after the event numbered ``at`` on; earlier marks at the same place give way.
        """
        if self._marks and self._marks[-1][0] == at:
            self._marks.pop()
        self._marks.append((at, value))
        if len(self._marks) > self._max_marks:
            self._initial = self._marks.popleft()[1]

    def marks(self) -> tuple[T, list[tuple[int, T]]]:
        """
        The oldest value that is remembered, and each later one with where it began; for the journal.
        """
        return self._initial, [*self._marks]

    def restore(self, marks: tuple[T, Sequence[tuple[int, T]]]) -> None:
        """
        Be as the one that told these ``marks``.
        """
        self._initial, later = marks
        self._marks = deque(later)

    def at(self, cursor: int) -> T:
        """
        The value right after the event numbered ``cursor``.
        """
        for marked, value in reversed(self._marks):
            if marked <= cursor:
                return value
        return self._initial

    def during(self, since: int, until: int) -> list[T]:
        """
        Every value it had from cursor ``since`` to cursor ``until``, oldest first.
        """
        return [self.at(since), *(value for marked, value in self._marks if since < marked <= until)]


class BlindSpots:
    """
    What the present document says cannot be watched, by kind.
    """

    def __init__(self) -> None:
        self._counts: History[dict[str, int]] = History({})

    def report(self, kind: str, count: int, at: int) -> None:
        """
        The page's latest count of a kind; 0 withdraws it.

        A kind beyond the cap is counted under ``ANY_KIND`` until the next document: which of them was
        withdrawn is not known. What changes nothing leaves no mark, so that no page can push marks out or
        hold the loop by repeating itself.
        """
        counts = self._counts.now
        if kind not in counts and len(counts) >= BLIND_SPOT_KINDS and count > 0:
            kind, count = ANY_KIND, max(count, counts.get(ANY_KIND, 0))
        if counts.get(kind, 0) != count:
            counts = {**counts, kind: count}
            self._counts.set({kind: count for kind, count in counts.items() if count > 0}, at)

    def clear(self, at: int) -> None:
        """
        Another document begins, with a clean slate.
        """
        if self._counts.now:
            self._counts.set({}, at)

    def marks(self) -> tuple[Mapping[str, int], Sequence[tuple[int, Mapping[str, int]]]]:
        """
        As ``History.marks``.
        """
        return self._counts.marks()

    def restore(self, marks: tuple[Mapping[str, int], Sequence[tuple[int, Mapping[str, int]]]]) -> None:
        """
        As ``History.restore``.
        """
        initial, later = marks
        self._counts.restore((dict(initial), [(at, dict(counts)) for at, counts in later]))

    def during(self, since: int, until: int) -> dict[str, int]:
        """
        The most of each kind at any moment of a window; a spot withdrawn half-way hid something before.
        """
        most: dict[str, int] = {}
        for counts in self._counts.during(since, until):
            for kind, count in counts.items():
                most[kind] = max(count, most.get(kind, 0))
        return most
