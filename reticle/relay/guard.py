"""
The front's guard against our own bugs: whatever fails in it, every request gets its one answer.

What failed is not trusted any more: the front starts over with what the client has agreed, on a fresh link.
Where even that fails, what is left answers each request with an error, and the process says by its exit code
that it could not go on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar

from reticle.model.relay_limits import FAILURES_IN_A_ROW
from reticle.relay import faults
from reticle.relay.front import Front

BROKEN = 70
"""The exit code of a front that could not go on (``EX_SOFTWARE`` of sysexits.h)."""

Found = TypeVar("Found")


class Sockets(Protocol):
    """
    What is needed of the link's supervisor.
    """

    @property
    def queued_bytes(self) -> int:
        """
        Bytes that wait to be posted.
        """

    def want(self, now: float) -> None:
        """
        See to a link.
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
        When ``tick`` has to be called.
        """

    def tick(self, now: float) -> None:
        """
        What is due.
        """

    def start_over(self) -> None:
        """
        Give the link up and dial a fresh one.
        """

    def close(self) -> None:
        """
        The client is gone.
        """


class Guard:
    """
    Provides ``loop.Served`` over a front and, once there is one, its link.

    ``ended`` says that not even errors can be told: the process has to go. ``exit_code`` is 0 as long as it
    serves.

    Args:
        say: Takes each whole line for the client.
        log: Takes a failure's traceback.
    """

    def __init__(self, say: Callable[[bytes], None], log: Callable[[BaseException], None]) -> None:
        self.exit_code = 0
        self.ended = False
        self._say = say
        self._log = log
        self._front: Front | None = None
        self._sockets: Sockets | None = None
        self._in_a_row = 0
        self._why = "it did not start"

    def serve(self, front: Front) -> None:
        """
        Guard a front, which has no link yet.
        """
        self._front = front

    def link(self, sockets: Sockets) -> None:
        """
        Its link.
        """
        self._sockets = sockets

    @property
    def busy(self) -> bool:
        """
        Whether a request is without an answer.
        """
        front = self._front
        return front is not None and self._ask(lambda: front.busy, False)

    @property
    def queued_bytes(self) -> int:
        """
        Bytes that wait to be posted.
        """
        sockets = self._sockets
        return 0 if sockets is None else self._ask(lambda: sockets.queued_bytes, 0)

    def take_line(self, line: bytes, now: float) -> None:
        """
        One line of the client.
        """
        front = self._front
        if front is None:
            self._refuse(line, frozenset())
            return
        try:
            front.take_line(line, now)
        except Exception as failure:  # noqa: BLE001 - whatever it is
            # Not counted: each line fails once, and is not tried again.
            self._in_a_row = 0
            self._failed(failure)
            # What was noted has its answer by now; the rest of the line would have none.
            self._refuse(line, front.noted)
        else:
            self._in_a_row = 0

    def refuse_overlong(self) -> None:
        """
        A line was too long to be kept.
        """
        if self._front is not None:
            self._do(self._front.refuse_overlong)

    def pause(self, paused: bool) -> None:  # noqa: FBT001 - the name says it
        """
        Leave the daemon's stream unread, or go on reading.
        """
        sockets = self._sockets
        if sockets is not None:
            self._do(lambda: sockets.pause(paused))

    def interests(self) -> Sequence[tuple[int, bool, bool]]:
        """
        Descriptor, reading, writing.
        """
        return () if self._sockets is None else self._ask(self._sockets.interests, ())

    def want(self, now: float) -> None:
        """
        See to a link.
        """
        sockets = self._sockets
        if sockets is not None:
            self._do(lambda: sockets.want(now))

    def socket_ready(self, descriptor: int, *, readable: bool, writable: bool, now: float) -> None:
        """
        One of them can go on.
        """
        sockets = self._sockets
        if sockets is not None and self._do(
            lambda: sockets.socket_ready(descriptor, readable=readable, writable=writable, now=now)
        ):
            self._in_a_row = 0

    def deadline(self) -> float | None:
        """
        When ``tick`` has to be called at the latest.
        """
        due = [self._due(each) for each in (self._front, self._sockets)]
        return min((each for each in due if each is not None), default=None)

    def tick(self, now: float) -> None:
        """
        What is due.
        """
        for each in (self._front, self._sockets):
            due = self._due(each)
            if each is not None and due is not None and due <= now:
                self._do(partial(each.tick, now))

    def close(self) -> None:
        """
        The client is gone.
        """
        if self._sockets is not None:
            self._do(self._sockets.close)

    def leave(self) -> None:
        """
        Answer what is owed: the client is not waited for any longer.
        """
        if self._front is not None:
            self._do(self._front.leave)

    def give_up(self, failure: BaseException) -> None:
        """
        It cannot go on: answer what is owed, and from now on each request by an error.
        """
        self._log(failure)
        self._break(failure)

    def _due(self, each: Front | Sockets | None) -> float | None:
        at_once: float | None = 0.0  # whoever fails here is asked again; ``_failed`` counts
        return None if each is None else self._ask(each.deadline, at_once)

    def _do(self, work: Callable[[], None]) -> bool:
        """
        Whether it went well.
        """
        try:
            work()
        except Exception as failure:  # noqa: BLE001 - whatever it is
            self._failed(failure)
            return False
        return True

    def _ask(self, question: Callable[[], Found], otherwise: Found) -> Found:
        try:
            return question()
        except Exception as failure:  # noqa: BLE001 - whatever it is
            self._failed(failure)
            return otherwise

    def _failed(self, failure: BaseException) -> None:
        self._log(failure)
        self._why = type(failure).__name__
        self._in_a_row += 1
        if self._in_a_row >= FAILURES_IN_A_ROW:
            self._break(failure)
            return
        try:
            if self._front is not None:
                self._front.start_over(self._why)
            if self._sockets is not None:
                self._sockets.start_over()
        except Exception as further:  # noqa: BLE001 - whatever it is
            self._log(further)
            self._break(failure)

    def _break(self, failure: BaseException) -> None:
        self.exit_code = BROKEN
        self._why = type(failure).__name__
        front, self._front, self._sockets = self._front, None, None
        try:
            if front is not None:
                front.start_over(self._why)
        except Exception as further:  # noqa: BLE001 - whatever it is
            self._log(further)
            self.ended = True

    def _refuse(self, line: bytes, noted: frozenset[str]) -> None:
        """
        Answer the requests of a line that are not noted, with as little of the front as possible.
        """
        try:
            for key in _request_keys(line):
                if key not in noted:
                    self._say(faults.failed(key, None, self._why))
        except Exception as further:  # noqa: BLE001 - whatever it is
            self._log(further)
            self.exit_code, self.ended = BROKEN, True


def _request_keys(line: bytes) -> Sequence[str]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return []
    messages = found if isinstance(found, list) else [found]
    return [
        json.dumps(each["id"])
        for each in messages
        if isinstance(each, dict) and "method" in each and isinstance(each.get("id"), str | int)
    ]


def traceback_text(failure: BaseException) -> str:
    """
    A failure with its traceback, for people.
    """
    import traceback  # noqa: PLC0415 - costs a tenth of the start

    return "".join(traceback.format_exception(failure))
