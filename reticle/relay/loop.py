"""
The one loop: standard input, standard output and the link's sockets, by ``poll``.

Standard streams stay blocking, since the client may share them with others: input is read when there is
some, output is written in pieces that a pipe with room always takes.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Sequence
from typing import Protocol

from reticle.model.relay_limits import EOF_SECONDS, OUTPUT_BYTES, POSTS_BYTES
from reticle.relay.lines import Backlog, LineBuffer

_READ_BYTES = 64 * 1024
_FIRST_MILLISECONDS = 250
"""A client writes ``initialize`` as soon as it has started us; one that does not is not waited for."""

_PIECE_BYTES = 4_096
"""POSIX's least PIPE_BUF multiple on Linux: a pipe that polls as writable takes so much without blocking."""

_READABLE = select.POLLIN | select.POLLHUP | select.POLLERR
_WRITABLE = select.POLLOUT | select.POLLHUP | select.POLLERR


class Served(Protocol):
    """
    What the loop drives: the front and its link behind their guard.
    """

    @property
    def busy(self) -> bool:
        """
        Whether a request is without an answer.
        """

    @property
    def ended(self) -> bool:
        """
        Whether nothing can be served any more.
        """

    @property
    def queued_bytes(self) -> int:
        """
        Bytes that wait to be posted.
        """

    def take_line(self, line: bytes, now: float) -> None:
        """
        One line of the client.
        """

    def refuse_overlong(self) -> None:
        """
        A line was too long to be kept.
        """

    def pause(self, paused: bool) -> None:  # noqa: FBT001 - the name says it
        """
        Leave the stream unread.
        """

    def interests(self) -> Sequence[tuple[int, bool, bool]]:
        """
        Descriptor, reading, writing.
        """

    def socket_ready(self, descriptor: int, *, readable: bool, writable: bool, now: float) -> None:
        """
        One of them can go on.
        """

    def deadline(self) -> float | None:
        """
        When ``tick`` has to be called at the latest.
        """

    def tick(self, now: float) -> None:
        """
        What is due.
        """

    def leave(self) -> None:
        """
        Answer now what is without an answer.
        """


class Loop:
    """
    Runs a front between a client's two descriptors until the client is gone.

    Args:
        source: Where lines come from.
        sink: Where lines go; nothing else may write there.
        monotonic: The clock.
    """

    def __init__(self, source: int, sink: int, monotonic: Callable[[], float]) -> None:
        self._source = source
        self._sink = sink
        self._monotonic = monotonic
        self._lines = LineBuffer()
        self._backlog = Backlog()
        self._ends_at: float | None = None
        self._gone = False

    def say(self, line: bytes) -> None:
        """
        Queue one line for the client.
        """
        self._backlog.put(line + b"\n")

    def read_first(self, served: Served) -> None:
        """
        Answer what the client has sent by now and needs no daemon, before more is loaded.
        """
        poll = select.poll()
        poll.register(self._source, select.POLLIN)
        if poll.poll(_FIRST_MILLISECONDS):
            self._read(served, self._monotonic())
        self.drain()

    def drain(self) -> None:
        """
        Write all that waits, at the client's pace.
        """
        while self._backlog.size and not self._gone:
            self._write()

    def run(self, served: Served) -> None:
        """
        Serve until the client has closed its end and what it waits for is answered, by an error where its
        time is over.
        """
        answers_are_over = False
        while not self._gone and not served.ended:
            now = self._monotonic()
            due = served.deadline()
            if due is not None and due <= now:
                served.tick(now)
            if self._ends_at is not None and self._is_through(served):
                return
            if self._ends_at is not None and now >= self._ends_at:
                if answers_are_over:
                    return
                answers_are_over = True
                served.leave()
                self._ends_at = now + EOF_SECONDS
            self._turn(served, now)

    def _is_through(self, served: Served) -> bool:
        return not (served.busy or self._backlog.size)

    def _turn(self, served: Served, now: float) -> None:
        served.pause(self._backlog.size > OUTPUT_BYTES)
        poll = select.poll()
        reads = self._ends_at is None and served.queued_bytes <= POSTS_BYTES
        if reads and self._backlog.size <= OUTPUT_BYTES:
            poll.register(self._source, select.POLLIN)
        # Without POLLOUT it still tells when the reader has gone.
        poll.register(self._sink, select.POLLOUT if self._backlog.size else 0)
        for descriptor, reading, writing in served.interests():
            poll.register(descriptor, (reading and select.POLLIN) | (writing and select.POLLOUT))
        due = [each for each in (served.deadline(), self._ends_at) if each is not None]
        timeout = max(0.0, min(due) - now) * 1_000 + 1 if due else None
        for descriptor, events in poll.poll(timeout):
            if descriptor == self._source:
                self._read(served, self._monotonic())
            elif descriptor == self._sink:
                self._write_or_leave(events)
            else:
                served.socket_ready(
                    descriptor,
                    readable=bool(events & _READABLE),
                    writable=bool(events & _WRITABLE),
                    now=self._monotonic(),
                )

    def _read(self, served: Served, now: float) -> None:
        try:
            chunk = os.read(self._source, _READ_BYTES)
        except OSError:  # a terminal that was hung up
            chunk = b""
        overlong = self._lines.overlong
        for line in self._lines.feed(chunk) if chunk else self._lines.finish():
            served.take_line(line, now)
        for _ in range(self._lines.overlong - overlong):
            served.refuse_overlong()
        if not chunk:
            self._ends_at = now + EOF_SECONDS

    def _write_or_leave(self, events: int) -> None:
        if events & (select.POLLERR | select.POLLNVAL):
            self._gone = True
        elif self._backlog.size:
            self._write()

    def _write(self) -> None:
        try:
            self._backlog.take(os.write(self._sink, self._backlog.first(_PIECE_BYTES)))
        except BlockingIOError:  # the client made its end so
            select.select([], [self._sink], [], 1.0)
        except OSError:
            self._gone = True
