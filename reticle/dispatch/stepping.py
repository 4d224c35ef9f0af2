"""
Coroutines driven by hand: what a call needs of ``Deferred.fromCoroutine``, and no more.

Most calls wait for one thing, their audit row. ``fromCoroutine`` makes for each coroutine a Deferred, what
cancels it and a copy of the context, and asks all three at every step; two of these were a tenth of the time
of a call. No context variable is used in this program.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any, TypeVar

import msgspec
from twisted.internet.defer import fail
from twisted.python.failure import Failure

T = TypeVar("T")


def drive(work: Coroutine[Any, Any, None], failed: Callable[[Failure], None]) -> None:
    """
    Run ``work``, which nobody cancels, to its end: at once as far as it goes, then whenever the Deferred
    fires that it waits for. ``failed`` is told when it raises; what that raises itself is logged.
    """
    _Driven(work, failed).go_on(None)


class _Driven(msgspec.Struct, eq=False):
    _work: Coroutine[Any, Any, None]
    _failed: Callable[[Failure], None]

    def go_on(self, result: object) -> None:
        """
        Take one step, with what the last Deferred gave.
        """
        try:
            if isinstance(result, Failure):
                waits_for = result.throwExceptionIntoGenerator(self._work)
            else:
                waits_for = self._work.send(result)
        except StopIteration:
            return
        except Exception:  # noqa: BLE001 - it is told, not raised into whoever fired the Deferred
            fail(Failure()).addErrback(self._failed)
            return
        waits_for.addBoth(self.go_on)


@coroutine
def rest_of(work: Coroutine[Any, Any, T], waits_for: object) -> Generator[Any, Any, T]:
    """
    What is left of a coroutine that was sent None once and gave ``waits_for``: to be awaited in its place.
    """
    while True:
        try:
            came = yield waits_for
        except GeneratorExit:
            work.close()
            raise
        except BaseException as thrown:  # noqa: BLE001 - whatever it is, the coroutine is to hear of it
            step = partial(work.throw, thrown)
        else:
            step = partial(work.send, came)
        try:
            waits_for = step()
        except StopIteration as ended:
            answer: T = ended.value
            return answer
