"""
One tool call on its way through the gate.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import CoroutineType
from typing import TypeVar

import attrs
import msgspec
from twisted.internet.defer import CancelledError, Deferred

from reticle.dispatch.asking import NOBODY, Asker
from reticle.dispatch.progress import untold
from reticle.dispatch.stepping import rest_of
from reticle.errors import Refusal
from reticle.model.codes import Carrier, LogLevel, RefusalCode
from reticle.model.trust import Principal
from reticle.ports import Progress

T = TypeVar("T")

LogToClient = Callable[[LogLevel, object, "str | None"], None]
"""Takes a level, any JSON value and the name of a logger; see ``ports.CallContext.log``."""


def unlogged(level: LogLevel, data: object, logger: str | None) -> None:
    """
    A ``LogToClient`` where the client wants none.
    """


@attrs.frozen
class Caller:
    """
    Who calls, by which carrier, in which conversation.

    ``lasting`` is False where each request stands alone, so that nothing of its conversation need be kept.
    """

    principal: Principal
    carrier: Carrier
    conversation_id: str
    lasting: bool = True


class Call(msgspec.Struct, eq=False):
    """
    A call and the means to stop it.

    Only the tool can be stopped: once it has answered, its row is written and the answer leaves. ``given_up``
    says that somebody tried to stop it all the same; ``unheard`` is called when the answer reaches nobody.
    """

    caller: Caller
    name: str
    arguments: bytes = b"{}"
    repository_id: str | None = None
    progress: Progress = untold
    asker: Asker = NOBODY
    log: LogToClient = unlogged
    stopped: Refusal | None = None
    unheard: list[Callable[[], object]] = []
    given_up: bool = False
    ends_with_connection: bool = False
    _running: Deferred[object] | None = None
    _held: bool = False
    _before: Deferred[object] | None = None

    async def run(self, work: Awaitable[T]) -> T:
        """
        Do the tool's work so that ``stop`` can end it.

        Raises:
            CancelledError: It was stopped, and ``stopped`` says why.
        """
        if isinstance(work, CoroutineType):
            # Most tools answer without waiting for anything, and so cannot be stopped.
            try:
                waits_for = work.send(None)
            except StopIteration as answered:
                answer: T = answered.value
                return answer
            work = rest_of(work, waits_for)
        running = Deferred.fromCoroutine(_awaited(work))
        if not self._held:
            self._running = running  # type: ignore[assignment]  # only cancelled through this name
        try:
            return await running
        finally:
            self._running = None

    def hold(self) -> None:
        """
        From now on ``stop`` does nothing: a change has begun, and half of one is worse than one too many.
        """
        self._held = True
        self._before, self._running = self._running, None

    def let_go(self) -> None:
        """
        The change did not come about: ``stop`` works again.

        Raises:
            CancelledError: It was to be stopped meanwhile.
        """
        self._held = False
        self._running, self._before = self._before, None
        if self.given_up:
            self.stopped = self.stopped or cancelled_by_client()
            raise CancelledError

    def stop(self, why: Refusal) -> None:
        """
        End the tool's work. Does nothing before it began, after it ended, and the second time.
        """
        self.given_up = True
        running, self._running = self._running, None
        if running is not None:
            self.stopped = why
            running.cancel()

    def was_unheard(self) -> None:
        """
        Its answer reaches nobody: undo what was done for its peer. May be called twice.
        """
        undoing, self.unheard = self.unheard, []
        for undo in undoing:
            undo()


def cancelled_by_client() -> Refusal:
    """
    Why a call was stopped whose client no longer wants it.
    """
    return Refusal(RefusalCode.CANCELLED, "the client cancelled this call")


def daemon_stops(reason: str) -> Refusal:
    """
    Why a call was stopped that the daemon did not wait for.
    """
    return Refusal(
        RefusalCode.SHUTTING_DOWN,
        f"the daemon is stopping ({reason}); the call was ended and may have had an effect",
        "Wait until the daemon is up again (reticle status), then call again.",
    )


async def _awaited(work: Awaitable[T]) -> T:
    return await work
