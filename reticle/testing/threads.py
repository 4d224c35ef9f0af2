"""
A stand-in for the reactor's side of threads, for tests that run a real store without a reactor.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import Any, TypeVar

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorFromThreads
from twisted.python.failure import Failure
from zope.interface import implementer

T = TypeVar("T")


@implementer(IReactorFromThreads)
class ThreadCalls:
    """
    Provides ``IReactorFromThreads``: calls from threads wait until ``result_of`` or ``run_one`` runs them.
    """

    def __init__(self) -> None:
        self._calls: queue.Queue[tuple[Callable[..., Any], tuple[object, ...], dict[str, object]]] = (
            queue.Queue()
        )

    def callFromThread(self, callable: Callable[..., Any], *args: object, **kwargs: object) -> None:  # noqa: A002 - the interface's name
        """
        Queue one call; from any thread.
        """
        self._calls.put((callable, args, kwargs))

    def run_one(self, timeout_seconds: float = 30.0) -> None:
        """
        Run the next call, waiting for it.

        Raises:
            queue.Empty: No thread called in time.
        """
        call, args, kwargs = self._calls.get(timeout=timeout_seconds)
        call(*args, **kwargs)

    def result_of(self, deferred: Deferred[T], timeout_seconds: float = 30.0) -> T:
        """
        Run calls until ``deferred`` has fired; its value, or its failure raised.
        """
        fired: list[Any] = []
        deferred.addBoth(fired.append)
        while not fired:
            self.run_one(timeout_seconds)
        if isinstance(fired[0], Failure):
            fired[0].raiseException()
        outcome: T = fired[0]
        return outcome
