"""
The facts that wait for the sender: numbered, bounded; what does not fit is counted, never hidden.

The few kinds that every request tells wait as they came and are encoded by the sender, many at once, which
costs half of doing so in the midst of a request; their fields are few and each is cut. Others are encoded
first.

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

from reticle.probe.fact_lines import encoded, joined, written
from reticle.probe.limits import BATCH_BYTES, FACT_BYTES, QUEUE_BYTES, QUEUE_FACTS, SMALL_FACT_BYTES
from reticle.probe.words import HELLO, FactKind

_SMALL: Final[dict[str, tuple[str, ...]]] = {
    str(FactKind.REQUEST_STARTED): ("path", "query"),
    str(FactKind.REQUEST_HANDLED): ("path",),
    str(FactKind.REQUEST_ABORTED): ("path",),
    str(FactKind.SQL): ("statement",),
    str(FactKind.TRANSACTION): (),
    str(FactKind.TEMPLATE): ("name",),
    str(FactKind.INJECTION): (),
}
"""The kinds that wait as they came, and which of their fields may be long: the others are in
``SMALL_FACT_BYTES``."""


class Line(NamedTuple):
    """
    One encoded fact, without its line's end.
    """

    seq: int
    kind: str
    text: bytes


_Raw = tuple[int, str, float, dict[str, Any], int]
"""A fact that waits as it came: number, kind, monotonic seconds, fields, weight in bytes."""


class FactQueue:
    """
    Facts of one process, in the order in which they happened.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._lines: deque[Line | _Raw] = deque()
        self._bytes = 0
        self._seq = 0
        self._lost: _Lost | None = None

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def waiting_bytes(self) -> int:
        """
        Of the facts that wait.
        """
        return self._bytes

    @property
    def told(self) -> int:
        """
        The number of the newest fact, 0 before the first.
        """
        return self._seq

    @property
    def has_news(self) -> bool:
        """
        Whether there is anything to send, a gap included.
        """
        return bool(self._lines) or self._lost is not None

    def put(self, kind: str, fields: dict[str, Any]) -> int:
        """
        Add one; the oldest goes where it is one too many. Returns ``waiting_bytes``.
        """
        long = _SMALL.get(kind)
        if long is not None:
            weight = SMALL_FACT_BYTES
            for name in long:
                if name in fields:
                    weight += len(fields[name])
            with self._lock:
                self._seq = seq = self._seq + 1
                self._lines.append((seq, kind, self._clock(), fields, weight))
                self._bytes += weight
                if len(self._lines) > QUEUE_FACTS or self._bytes > QUEUE_BYTES:
                    self._shrink()
                return self._bytes
        body = encoded(fields)
        with self._lock:
            self._seq += 1
            added = self._line(self._seq, kind, joined(kind, self._seq, self._clock(), body))
            self._lines.append(added)
            self._bytes += len(added.text)
            self._shrink()
            return self._bytes

    def miss(self, kind: str) -> int:
        """
        One that cannot be told, in its place among those that wait. Returns ``waiting_bytes``.
        """
        with self._lock:
            self._seq = seq = self._seq + 1
            gap = Line(seq, FactKind.GAP, self._gap_line(_Lost(seq, seq, 1, 0, {str(kind): 1})))
            self._lines.append(gap)
            self._bytes += len(gap.text)
            self._shrink()
            return self._bytes

    def drop(self, kind: str) -> None:
        """
        Count one that nobody would get, where nothing waits; much cheaper than ``put``.
        """
        kind = str(kind)
        with self._lock:
            self._seq += 1
            lost = self._lost
            if lost is None:
                self._lost = _Lost(self._seq, self._seq, 1, 0, {kind: 1})
                return
            lost.to_seq = self._seq
            lost.dropped += 1
            lost.kinds[kind] = lost.kinds.get(kind, 0) + 1

    def take(self) -> list[Line]:
        """
        The next batch, oldest first: at most ``BATCH_BYTES``, and a gap first where facts were lost.
        """
        with self._lock:
            waiting: list[Line | _Raw] = []
            size = 0
            if self._lost is not None:
                lost, self._lost = self._lost, None
                waiting.append(Line(lost.to_seq, FactKind.GAP, self._gap_line(lost)))
                size = _weight(waiting[0])
            while self._lines and (not waiting or size < BATCH_BYTES):
                line = self._lines.popleft()
                weight = _weight(line)
                self._bytes -= weight
                # in writing most are half of what they weigh; what is too much then waits again
                size += weight if isinstance(line, Line) else weight // 2
                waiting.append(line)
        # outside of the lock, for which no request is to wait
        batch = [self._encode(each) for each in waiting]
        size = kept = 0
        for line in batch:
            size += len(line.text) + 1
            if kept and size > BATCH_BYTES:
                self.put_back(batch[kept:])
                break
            kept += 1
        return batch[:kept]

    def put_back(self, batch: list[Line]) -> None:
        """
        A batch was not taken: it waits again, before all others, as far as there is room.
        """
        with self._lock:
            for line in reversed(batch):
                self._lines.appendleft(line)
                self._bytes += len(line.text)
            self._shrink()

    def lose(self, batch: Iterable[Line | _Raw]) -> None:
        """
        A batch is lost; the next one says so.
        """
        with self._lock:
            for line in batch:
                self._lose(line)

    def lose_all(self) -> None:
        """
        Nobody is there to get what waits.
        """
        with self._lock:
            self.lose(list(self._lines))
            self._lines.clear()
            self._bytes = 0

    def _shrink(self) -> None:
        while len(self._lines) > QUEUE_FACTS or self._bytes > QUEUE_BYTES:
            line = self._lines.popleft()
            self._bytes -= _weight(line)
            self._lose(line)

    def _lose(self, line: Line | _Raw) -> None:
        if isinstance(line, Line) and line.kind == FactKind.GAP and line.text:
            told = json.loads(line.text)
            lost = _Lost(told["from_seq"], told["to_seq"], told["dropped"], told["bytes"], told["kinds"])
        else:
            lost = _Lost(line[0], line[0], 1, _weight(line), {str(line[1]): 1})
        if self._lost is None:
            self._lost = lost
        else:
            self._lost.add(lost)

    def _encode(self, waiting: Line | _Raw) -> Line:
        if isinstance(waiting, Line):
            return waiting
        seq, kind, mono, fields, _ = waiting
        try:
            return self._line(seq, kind, written(kind, seq, mono, fields))
        except Exception:  # noqa: BLE001 - one that cannot be told is counted, and stops no other
            return Line(seq, FactKind.GAP, self._gap_line(_Lost(seq, seq, 1, 0, {str(kind): 1})))

    def _line(self, seq: int, kind: str, text: bytes) -> Line:
        if len(text) <= FACT_BYTES:
            return Line(seq, kind, text)
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


def hello_line(fields: dict[str, Any]) -> bytes:
    """
    The first line of a batch, which has no number.
    """
    return encoded({"kind": HELLO, **fields})


def _weight(waiting: Line | _Raw) -> int:
    return len(waiting.text) if isinstance(waiting, Line) else waiting[4]
