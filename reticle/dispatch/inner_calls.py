"""
A call that a running tool makes: its answer, or its refusal raised, by the same road as any call.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final

from twisted.internet.defer import Deferred
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.dispatch.asking import InputRequired
from reticle.dispatch.audit import ASKED
from reticle.dispatch.call import Call, cancelled_by_client
from reticle.dispatch.outcome import Outcome
from reticle.ports import Answer

_LOG: Final = Logger()


def told_of(outer: Call, inner: Call, performed: Awaitable[Outcome]) -> Deferred[Answer]:
    """
    What the outer tool is told of its inner call.

    Stopping the outer call stops the inner tool and lets the outer one go on at once; the inner row is
    written all the same.
    """

    def stop(_: Deferred[Answer]) -> None:
        inner.stop(outer.stopped or cancelled_by_client())

    def settle(outcome: Outcome) -> None:
        if told.called:
            inner.was_unheard()
            return
        if outcome.answer is not None:
            told.callback(outcome.answer)
        elif outcome.decided is ASKED:
            told.errback(InputRequired())
        else:
            assert outcome.refusal is not None
            told.errback(outcome.refusal)

    async def wait() -> Outcome:
        return await performed

    told: Deferred[Answer] = Deferred(stop)
    Deferred.fromCoroutine(wait()).addCallback(settle).addErrback(_lost)
    return told


def _lost(failure: Failure) -> None:
    _LOG.failure("a call inside a call ended without an outcome", failure)
