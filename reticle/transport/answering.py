"""
How long a stop waits for calls in flight to be answered.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence

from twisted.internet.defer import CancelledError, Deferred, DeferredList
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.model.limits import DRAIN_SECONDS

_log = Logger()

ANSWERS_SHARE = 0.5
"""The part of ``DRAIN_SECONDS`` that calls in flight may take to be answered before the farewells."""


async def answered_in_time(clock: IReactorTime, drains: Sequence[Awaitable[None]]) -> None:
    """
    Wait for drains that have begun, but not longer than ``ANSWERS_SHARE`` of a stop. Never raises.
    """

    async def answer(drained: Awaitable[None]) -> None:
        await drained

    answering = DeferredList(
        [Deferred.fromCoroutine(answer(drained)).addErrback(_drain_failed) for drained in drains]
    )
    # A race, not a timeout on the list: a conversation that shrugs off its cancellation must not
    # hold the daemon back.
    answered: Deferred[bool] = Deferred()
    limit = clock.callLater(DRAIN_SECONDS * ANSWERS_SHARE, answered.callback, False)

    def all_answered(_: object) -> None:
        if limit.active():
            limit.cancel()
            answered.callback(True)

    answering.addCallback(all_answered)
    if not await answered:
        _log.warn("some calls in flight were not answered in time; their streams end without it")
        answering.cancel()


def _drain_failed(failure: Failure) -> None:
    if not failure.check(CancelledError):
        _log.failure("a conversation could not be drained", failure)
