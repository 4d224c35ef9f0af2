"""
The facts that wait for the sender: numbered, encoded, bounded; what does not fit is counted, never hidden.

Dropped is always the oldest, so what is missing is one run of numbers, and one ``gap`` tells it. Any thread
may put, also a signal's handler or a finaliser in the midst of another put: hence the lock that may be taken
twice.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from reticle.probe.limits import BATCH_BYTES, FACT_BYTES, QUEUE_BYTES, QUEUE_FACTS
from reticle.probe.words import HELLO, FactKind

_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), default=str, check_circular=False
)


class Line(NamedTuple):
    """
    One encoded fact, without its line's end.
    """

    seq: int
    kind: str
    text: bytes


class FactQueue:
    """
    Facts of one process, in the order in which they happened.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._lines: deque[Line] = deque()
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
    def has_news(self) -> bool:
        """
        Whether there is anything to send, a gap included.
        """
        return bool(self._lines) or self._lost is not None

    def put(self, kind: str, fields: dict[str, Any]) -> None:
        """
        Add one; the oldest goes where it is one too many.
        """
        body = _encoded(fields)
        with self._lock:
            self._seq += 1
            seq = self._seq
            text = _line(kind, seq, self._clock(), body)
            if len(text) > FACT_BYTES:
                text = self._gap_line(_Lost(seq, seq, 1, len(text), {str(kind): 1}))
                kind = FactKind.GAP
            self._append(Line(seq, kind, text))

    def drop(self, kind: str) -> None:
        """
        Count one that nobody would get; much cheaper than ``put``.
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
            batch: list[Line] = []
            size = 0
            if self._lost is not None:
                lost, self._lost = self._lost, None
                batch.append(Line(lost.to_seq, FactKind.GAP, self._gap_line(lost)))
                size = len(batch[0].text)
            while self._lines and (not batch or size + len(self._lines[0].text) < BATCH_BYTES):
                line = self._lines.popleft()
                self._bytes -= len(line.text)
                size += len(line.text) + 1
                batch.append(line)
            return batch

    def put_back(self, batch: list[Line]) -> None:
        """
        A batch was not taken: it waits again, before all others, as far as there is room.
        """
        with self._lock:
            for line in reversed(batch):
                self._lines.appendleft(line)
                self._bytes += len(line.text)
            self._shrink()

    def lose(self, batch: list[Line]) -> None:
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

    def _append(self, line: Line) -> None:
        self._lines.append(line)
        self._bytes += len(line.text)
        if len(self._lines) > QUEUE_FACTS or self._bytes > QUEUE_BYTES:
            self._shrink()

    def _shrink(self) -> None:
        while len(self._lines) > QUEUE_FACTS or self._bytes > QUEUE_BYTES:
            line = self._lines.popleft()
            self._bytes -= len(line.text)
            self._lose(line)

    def _lose(self, line: Line) -> None:
        if line.kind == FactKind.GAP and line.text:
            told = json.loads(line.text)
            lost = _Lost(told["from_seq"], told["to_seq"], told["dropped"], told["bytes"], told["kinds"])
        else:
            lost = _Lost(line.seq, line.seq, 1, len(line.text), {str(line.kind): 1})
        if self._lost is None:
            self._lost = lost
        else:
            self._lost.add(lost)

    def _gap_line(self, lost: _Lost) -> bytes:
        fields = {
            "rid": None, "action": None, "dropped": lost.dropped, "bytes": lost.size, "kinds": lost.kinds,
            "from_seq": lost.from_seq, "to_seq": lost.to_seq,
        }  # fmt: skip
        return _line(FactKind.GAP, lost.to_seq, self._clock(), _encoded(fields))


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
    return _encoded({"kind": HELLO, **fields})


def _encoded(fields: dict[str, Any]) -> bytes:
    text = _ENCODER.encode(fields)
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a character, as a cut in the midst of one leaves it
        return text.encode("utf-8", "replace")


def _line(kind: str, seq: int, mono: float, body: bytes) -> bytes:
    head = f'{{"kind":"{kind}","seq":{seq},"mono":{mono:.6f}'.encode()
    return head + b"," + body[1:] if len(body) > 2 else head + b"}"
