"""
One received body and what is still owed to it.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from reticle.errors import PeerFault
from reticle.ports import MessageSink, ReplySink


class ToSink:
    """
    A ``ReplySink`` for carriers that have one road for everything.
    """

    def __init__(self, sink: MessageSink) -> None:
        self._sink = sink

    def tell(self, message: bytes) -> None:
        """
        Send it.
        """
        self._sink.send(message)

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        Send it.
        """
        del fault
        self._sink.send(message)

    def done(self) -> None:
        """
        The road goes on.
        """


class BatchToSink:
    """
    As ``ToSink``, for a body that is an array: its answers go as one array, when all of them are there
    (JSON-RPC 2.0 §6). What was cancelled is not among them; a batch without answers has none.
    """

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._answers: list[bytes] = []

    def tell(self, message: bytes) -> None:
        """
        Send it.
        """
        self._send(message)

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        Keep it.
        """
        del fault
        self._answers.append(message)

    def done(self) -> None:
        """
        Send the array.
        """
        if self._answers:
            self._send(b"[%b]" % b",".join(self._answers))


class Outstanding(msgspec.Struct, eq=False):
    """
    Counts the requests of one body that have no answer yet, and says ``done`` after the last one.

    The body itself counts as one until ``read``, so that answers given at once do not end it early.
    """

    _replies: ReplySink
    _owed: int = 1
    _silent: bool = False

    def expect(self) -> None:
        """
        One more request will be answered or dropped later.
        """
        self._owed += 1

    def tell(self, message: bytes) -> None:
        """
        Something about a request of the body. Left out behind the last answer: a task logs on.
        """
        if self._owed and not self._silent:
            self._replies.tell(message)

    def goes_to(self, replies: ReplySink) -> bool:
        """
        Whether its answers go there.
        """
        return self._replies is replies

    def silence(self) -> None:
        """
        Nobody reads any more: tell nothing, not even that a question needs no answer.
        """
        self._silent = True

    def answer_now(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        The answer to a request that was not expected.
        """
        self._replies.answer(message, fault)

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        The answer to a request that was expected.
        """
        try:
            self._replies.answer(message, fault)
        finally:
            self.settle()

    def settle(self) -> None:
        """
        The whole body was read, or a request that was expected gets no answer.
        """
        self._owed -= 1
        if self._owed == 0:
            self._replies.done()
