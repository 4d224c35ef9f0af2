"""
The facts that wait for the sender: bounded, and numbered as they leave; what does not fit is counted, never
hidden.

What every request tells waits as it was noted (``reticle.probe.small_facts``): to add it takes no lock and
writes nothing. Other facts are encoded as they come.

Dropped is always the oldest, so what is missing is one run of numbers, and one ``gap`` tells it. Any thread
may put, also a signal's handler or a finaliser in the midst of another put: hence the lock that may be taken
twice.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from reticle.probe.fact_lines import encoded, in_bytes, joined
from reticle.probe.harmless import note
from reticle.probe.limits import BATCH_BYTES, FACT_BYTES, QUEUE_BYTES, QUEUE_FACTS, SMALL_FACT_BYTES
from reticle.probe.small_facts import HEAD, Form, Raw
from reticle.probe.words import FactKind


class Line(NamedTuple):
    """
    One encoded fact, without its line's end.
    """

    seq: int
    kind: str
    text: bytes


def _none(*_: object) -> Any:
    """
    These two are written by ``FactQueue`` itself, which is told so by the fault.
    """
    raise NotImplementedError


_ENCODED: Final = Form("encoded", _none, _none)
"""``kind, body``: one whose fields are JSON already."""

_MISSED: Final = Form("missed", _none, _none)
"""``kind``: one that cannot be told, in its place among the others."""

_as_line: Final = tuple.__new__
"""As ``Line(…)`` does it, at a third of its cost."""

_WRITTEN_BYTES: Final = 320
"""What a small fact is counted as while a batch is put together; what is too much then waits again."""


class FactQueue:
    """
    Facts of one process, in the order in which they happened.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self.facts: deque[Raw] = deque()
        """Those without a number."""
        self.note = self.facts.append
        """Add a small one: a tuple of ``reticle.probe.small_facts``, with no text longer than
        ``SMALL_CHARS``. Whoever does so sees to it that ``shrink`` is called when there are too many."""
        self._back: deque[Line] = deque()
        self._bytes = 0
        self._seq = 0
        self._lost: _Lost | None = None

    def __len__(self) -> int:
        return len(self._back) + len(self.facts)

    @property
    def waiting_bytes(self) -> int:
        """
        Of the facts that wait: the encoded ones by their bytes, the others by what they can be at most.
        """
        return self._bytes + SMALL_FACT_BYTES * len(self.facts)

    @property
    def has_news(self) -> bool:
        """
        Whether there is anything to send, a gap included.
        """
        return bool(self.facts) or self._lost is not None or bool(self._back)

    def put(self, kind: str, fields: dict[str, Any]) -> None:
        """
        Add one of any kind; the oldest goes where it is one too many. One that cannot be written is counted.
        """
        try:
            body = encoded(fields)
        except Exception:
            self.miss(kind)
            raise
        with self._lock:
            self.facts.append((_ENCODED, self._clock(), kind, body))
            self._bytes += len(body)
            self.shrink()

    def miss(self, kind: str) -> None:
        """
        One that cannot be told, in its place among those that wait.
        """
        with self._lock:
            self.facts.append((_MISSED, self._clock(), kind))
            self.shrink()

    def drop(self, kind: str) -> None:
        """
        Count one that nobody would get, where nothing waits; much cheaper than ``put``.
        """
        with self._lock:
            self._count(str(kind), 0)

    def take(self) -> list[Line]:
        """
        The next batch, oldest first: at most ``BATCH_BYTES``, and a gap first where facts were lost.
        """
        batch, waiting = self._next()
        size = sum(len(line.text) + 1 for line in batch)
        # outside of the lock, for which no request is to wait
        for number, fact in waiting:
            form = fact[0]
            try:
                text = form.write(number, fact).encode()
                line = _as_line(Line, (number, form.kind, text))
            except Exception:  # noqa: BLE001 - the others are written there, and half of a character
                line = self._write(number, fact)
                text = line.text
            if len(text) > FACT_BYTES:
                line = self._too_long(line)
                text = line.text
            size += len(text) + 1
            batch.append(line)
        return batch if size <= BATCH_BYTES else self._first_of(batch)

    def _first_of(self, batch: list[Line]) -> list[Line]:
        """
        Of too much what is one batch; the rest waits again.
        """
        size = kept = 0
        for line in batch:
            size += len(line.text) + 1
            if kept and size > BATCH_BYTES:
                self.put_back(batch[kept:])
                break
            kept += 1
        return batch[:kept]

    def _next(self) -> tuple[list[Line], list[tuple[int, Raw]]]:
        """
        What goes next, about a batch: what is written already, and facts with the numbers that they get.
        """
        batch: list[Line] = []
        waiting: list[tuple[int, Raw]] = []
        size = 0
        with self._lock:
            if self._lost is not None:
                lost, self._lost = self._lost, None
                batch.append(Line(lost.to_seq, FactKind.GAP, self._gap_line(lost)))
                size = len(batch[0].text)
            while self._back and (not batch or size < BATCH_BYTES):
                line = self._back.popleft()
                self._bytes -= len(line.text)
                size += len(line.text)
                batch.append(line)
            facts, seq = self.facts, self._seq
            while facts and (size < BATCH_BYTES or not (batch or waiting)):
                fact = facts.popleft()
                form = fact[0]
                if form is HEAD:
                    fact[2].head = seq
                    continue
                self._seq = seq = seq + 1
                waiting.append((seq, fact))
                if form is _ENCODED:
                    self._bytes -= len(fact[3])
                    size += len(fact[3])
                else:
                    size += _WRITTEN_BYTES
        return batch, waiting

    def put_back(self, batch: list[Line]) -> None:
        """
        A batch was not taken: it waits again, before all others, as far as there is room.
        """
        with self._lock:
            for line in reversed(batch):
                self._back.appendleft(line)
                self._bytes += len(line.text)
            self.shrink()

    def lose(self, batch: Iterable[Line]) -> None:
        """
        A batch is lost; the next one says so.
        """
        with self._lock:
            for line in batch:
                self._lose_line(line)

    def lose_all(self) -> None:
        """
        Nobody is there to get what waits.
        """
        with self._lock:
            while self._back or self.facts:
                self._lose_oldest()
            self._bytes = 0

    def shrink(self) -> None:
        """
        Let the oldest go until what waits is within its bounds.
        """
        with self._lock:
            while len(self) > QUEUE_FACTS or self.waiting_bytes > QUEUE_BYTES:
                self._lose_oldest()

    def _lose_oldest(self) -> None:
        if self._back:
            line = self._back.popleft()
            self._bytes -= len(line.text)
            self._lose_line(line)
            return
        fact = self.facts.popleft()
        form = fact[0]
        if form is HEAD:
            fact[2].head = self._seq
        elif form is _ENCODED:
            self._bytes -= len(fact[3])
            self._count(str(fact[2]), len(fact[3]))
        elif form is _MISSED:
            self._count(str(fact[2]), 0)
        else:
            self._count(form.kind, SMALL_FACT_BYTES)

    def _lose_line(self, line: Line) -> None:
        if line.kind == FactKind.GAP and line.text:
            told = json.loads(line.text)
            lost = _Lost(told["from_seq"], told["to_seq"], told["dropped"], told["bytes"], told["kinds"])
        else:
            lost = _Lost(line.seq, line.seq, 1, len(line.text), {str(line.kind): 1})
        self._add(lost)

    def _count(self, kind: str, size: int) -> None:
        """
        The next one is lost, and gets its number.
        """
        self._seq += 1
        self._add(_Lost(self._seq, self._seq, 1, size, {kind: 1}))

    def _add(self, lost: _Lost) -> None:
        if self._lost is None:
            self._lost = lost
        else:
            self._lost.add(lost)

    def _write(self, seq: int, fact: Raw) -> Line:
        form, mono = fact[0], fact[1]
        kind = str(fact[2]) if form is _ENCODED or form is _MISSED else form.kind
        try:
            if form is _ENCODED:
                return Line(seq, kind, joined(kind, seq, mono, fact[3]))
            if form is not _MISSED:
                return Line(seq, kind, in_bytes(form.write(seq, fact)))
        except Exception as fault:  # noqa: BLE001 - one that cannot be told is counted, and stops no other
            note("FactQueue", fault)
        return Line(seq, FactKind.GAP, self._gap_line(_Lost(seq, seq, 1, 0, {kind: 1})))

    def _too_long(self, line: Line) -> Line:
        seq, kind, text = line
        return Line(seq, FactKind.GAP, self._gap_line(_Lost(seq, seq, 1, len(text), {str(kind): 1})))

    def _gap_line(self, lost: _Lost) -> bytes:
        fields = {
            "rid": None, "action": None, "dropped": lost.dropped, "bytes": lost.size, "kinds": lost.kinds,
            "from_seq": lost.from_seq, "to_seq": lost.to_seq,
        }  # fmt: skip
        return joined(FactKind.GAP, lost.to_seq, self._clock(), encoded(fields))


class _Lost:
    """
    What is missing: one run of numbers.
    """

    __slots__ = ("dropped", "from_seq", "kinds", "size", "to_seq")

    def __init__(self, from_seq: int, to_seq: int, dropped: int, size: int, kinds: dict[str, int]) -> None:
        self.from_seq = from_seq
        self.to_seq = to_seq
        self.dropped = dropped
        self.size = size
        self.kinds = kinds

    def add(self, other: _Lost) -> None:
        self.from_seq = min(self.from_seq, other.from_seq)
        self.to_seq = max(self.to_seq, other.to_seq)
        self.dropped += other.dropped
        self.size += other.size
        for kind, count in other.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count
