"""
One conversation with a browser: commands that wait for their answer, events to whoever listens. Sans-I/O.

Whoever carries the bytes feeds ``received`` and says ``end`` when there will be no more: then everything that
waits is refused at once. A session is the browser's word for one target that is talked to; the browser itself
is the session without a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, TypeVar

import attrs
import msgspec
from twisted.internet.defer import Deferred, fail
from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.browser.failures import Rejected, failed
from reticle.browser.framing import Oversized
from reticle.browser.messages import Answer, Nothing, decode_answer, decode_event, encode_command, head_of
from reticle.errors import Refusal
from reticle.model.limits import BROWSER_COMMAND_SECONDS, CDP_DECODED_HERE_BYTES, CDP_PENDING

T = TypeVar("T")

InThread = Callable[..., "Deferred[Any]"]
"""Runs a call elsewhere and gives what it gave: ``deferToThread``, or its like in tests."""


@attrs.frozen
class _Pending:
    method: str
    session_id: str
    kind: type[Any]
    answer: Deferred[Any]
    timer: IDelayedCall | None


@attrs.frozen
class _Listener:
    decoder: msgspec.json.Decoder[Any]
    take: Callable[[Any], object]


class Conversation:
    """
    Commands and events of one browser.

    Args:
        send: Takes each command's bytes to the browser.
        clock: For deadlines.
        in_thread: Where large answers are decoded.
    """

    _log = Logger()

    def __init__(self, send: Callable[[bytes], object], clock: IReactorTime, in_thread: InThread) -> None:
        self._send = send
        self._clock = clock
        self.in_thread = in_thread
        self._numbers = count(1)
        self._pending: dict[int, _Pending] = {}
        self._listeners: dict[str, dict[str, _Listener]] = {}
        self._ended: Refusal | None = None

    def __len__(self) -> int:
        """
        How many commands wait for their answer.
        """
        return len(self._pending)

    @property
    def ended(self) -> Refusal | None:
        """
        Why there is nobody to talk to any more, if so.
        """
        return self._ended

    def session(self, session_id: str = "") -> Session:
        """
        One target's side of it; without a name the browser's own.
        """
        return Session(self, session_id)

    # --- from the session ---------------------------------------------------------------------

    def call(
        self, session_id: str, method: str, params: Mapping[str, object], kind: type[T], seconds: float | None
    ) -> Deferred[T]:
        """
        Send a command; see ``Session.call``.
        """
        if self._ended is not None:
            return fail(self._ended)
        if len(self._pending) >= CDP_PENDING:
            return fail(
                failed(f"The browser has not answered {CDP_PENDING} commands; {method} was not sent.")
            )
        number = next(self._numbers)
        answer: Deferred[T] = Deferred(lambda _: self._withdraw(number))
        timer = None
        if seconds is not None:
            timer = self._clock.callLater(seconds, self._overdue, number, seconds)
        self._pending[number] = _Pending(method, session_id, kind, answer, timer)
        self._send(encode_command(number, method, params, session_id))
        return answer

    def listen(self, session_id: str, method: str, kind: type[T], take: Callable[[T], object]) -> None:
        """
        Have each event of that name told; see ``Session.on``.
        """
        self._listeners.setdefault(method, {})[session_id] = _Listener(msgspec.json.Decoder(kind), take)

    def forget(self, session_id: str, why: str) -> None:
        """
        The target is gone: nobody answers for it, and nothing is told of it.
        """
        for method in list(self._listeners):
            self._listeners[method].pop(session_id, None)
            if not self._listeners[method]:
                del self._listeners[method]
        for number in [n for n, pending in self._pending.items() if pending.session_id == session_id]:
            self._refuse(number, failed(why))

    # --- from the carrier ---------------------------------------------------------------------

    def received(self, message: bytes | Oversized) -> None:
        """
        One whole message. What is none, or interests nobody, is passed over.
        """
        head = head_of(message)
        if head.id is not None:
            self._answered(head.id, message)
        elif head.method in self._listeners and not isinstance(message, Oversized):
            self._told(self._listeners[head.method], message)

    def end(self, why: Refusal) -> None:
        """
        There will be no more messages: all that waits is refused now, and whatever is asked later too.
        """
        if self._ended is not None:
            return
        self._ended = why
        self._listeners.clear()
        for number in list(self._pending):
            self._refuse(number, why)

    # --- inside ------------------------------------------------------------------------------

    def _answered(self, number: int, message: bytes | Oversized) -> None:
        pending = self._pending.get(number)
        if pending is None:
            return
        if isinstance(message, Oversized):
            self._refuse(number, Rejected(pending.method, "its answer is too large; ask for a smaller part"))
        elif len(message) > CDP_DECODED_HERE_BYTES:
            decoding = self.in_thread(decode_answer, message, pending.kind)
            decoding.addCallbacks(
                lambda answer: self._settle(number, answer), lambda failure: self._undecoded(number, failure)
            )
        else:
            try:
                self._settle(number, decode_answer(message, pending.kind))
            except msgspec.MsgspecError:
                self._undecoded(number, Failure())

    def _settle(self, number: int, answer: Answer[Any]) -> None:
        pending = self._take(number)
        if pending is None:
            return
        if answer.error is not None or answer.result is None:
            why = answer.error.message if answer.error is not None else "it gave no result"
            pending.answer.errback(Rejected(pending.method, why))
        else:
            pending.answer.callback(answer.result)

    def _undecoded(self, number: int, failure: Failure) -> None:
        pending = self._pending.get(number)
        if pending is not None:
            self._refuse(number, Rejected(pending.method, f"its answer is none: {failure.getErrorMessage()}"))

    def _told(self, listeners: Mapping[str, _Listener], message: bytes) -> None:
        try:
            event = decode_event(message)
            listener = listeners.get(event.sessionId)
            if listener is None:
                return
            told = listener.decoder.decode(event.params)
        except msgspec.MsgspecError as fault:
            method = head_of(message).method
            self._log.warn("what the browser told is no {method}: {fault}", method=method, fault=fault)
            return
        try:
            listener.take(told)
        except Exception:  # noqa: BLE001 - one event that we trip over must not end the others
            self._log.failure("an event of the browser could not be taken")

    def _overdue(self, number: int, seconds: float) -> None:
        pending = self._pending.get(number)
        if pending is not None:
            self._refuse(
                number,
                failed(
                    f"The browser did not answer {pending.method} within {seconds:g} s.",
                    "Its page may be busy: try again, or release the browser lease and acquire another.",
                ),
            )

    def _refuse(self, number: int, why: Refusal) -> None:
        pending = self._take(number)
        if pending is not None:
            pending.answer.errback(why)

    def _withdraw(self, number: int) -> None:
        self._take(number)

    def _take(self, number: int) -> _Pending | None:
        pending = self._pending.pop(number, None)
        if pending is not None and pending.timer is not None and pending.timer.active():
            pending.timer.cancel()
        return pending


class Session:
    """
    One target that is talked to.
    """

    _log = Logger()

    def __init__(self, conversation: Conversation, session_id: str) -> None:
        self._conversation = conversation
        self.session_id = session_id

    def sibling(self, session_id: str) -> Session:
        """
        Another target of the same browser.
        """
        return self._conversation.session(session_id)

    def call(
        self,
        method: str,
        params: Mapping[str, object],
        kind: type[T],
        *,
        seconds: float | None = BROWSER_COMMAND_SECONDS,
    ) -> Deferred[T]:
        """
        Ask for something. Refused with ``Rejected`` where the browser says no, with ``browser_failed`` where
        it does not answer in time (None: for as long as the page takes) or is gone.
        """
        return self._conversation.call(self.session_id, method, params, kind, seconds)

    def do(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        *,
        seconds: float | None = BROWSER_COMMAND_SECONDS,
    ) -> Deferred[Nothing]:
        """
        Have something done; as ``call``.
        """
        return self.call(method, params or {}, Nothing, seconds=seconds)

    def post(self, method: str, params: Mapping[str, object] | None = None) -> None:
        """
        Have something done that nobody waits for; commands of one session are done in order.
        """
        self.do(method, params, seconds=None).addErrback(self._undone, method)

    def on(self, method: str, kind: type[T], take: Callable[[T], object]) -> None:
        """
        Be told each event of that name, decoded; one listener for each name.
        """
        self._conversation.listen(self.session_id, method, kind, take)

    def end(self, why: str) -> None:
        """
        The target is gone.
        """
        self._conversation.forget(self.session_id, why)

    def _undone(self, failure: Failure, method: str) -> None:
        failure.trap(Refusal)
        self._log.debug("{method} was not done: {fault}", method=method, fault=failure.value)
