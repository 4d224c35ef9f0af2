"""
What is loaded when.

A daemon is quick to answer a handshake because it imports only what that needs: the HTTP carriers, the trust
rule, sessions, the store. The rest is made by whoever first asks for it:

- the gate with all tools and rules: ``offering``, through ``dispatch.shared``;
- the page bridge: ``bridging``, through ``bridge.late``;
- 2026-07-28: ``dispatch.conversations``;
- the driven browser: ``driving``, through ``browser.late``. It stays out until an agent wants one.

So that hardly anybody has to wait for it, ``Loading`` imports all but the browser once the daemon serves, in
pieces between which the loop turns. A call that comes earlier makes what it needs at once and waits no longer
than if the start had made it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IReactorTime

from reticle.model.limits import LOAD_SECONDS
from reticle.service import surface

PIECES: Final = (
    "reticle.dispatch.gate",
    "reticle.dispatch.features",
    "reticle.domain.predicate.grammar",
    "reticle.domain.predicate",
    "reticle.domain.findings",
    "reticle.domain.ladder",
    "reticle.tools.verdicts",
)
"""Imported first, each in a turn of its own; then the tools, and what is made at last."""


class Loading:
    """
    Args:
        timer: Gives the loop its turns.
        make: What makes the rest, once its modules are there.
    """

    def __init__(self, timer: IReactorTime, make: Sequence[Callable[[], object]]) -> None:
        self._timer = timer
        self._make = make
        self._next: IDelayedCall | None = None
        self._done: Deferred[None] = Deferred()

    def start(self) -> None:
        """
        Begin soon.
        """
        self._next = self._timer.callLater(LOAD_SECONDS, self._turn, self._pieces())

    def when_done(self) -> Deferred[None]:
        """
        Ready when all is there; never after a stop. To be asked once.
        """
        return self._done

    def stop(self) -> None:
        """
        Load no more. May be called twice.
        """
        if self._next is not None and self._next.active():
            self._next.cancel()

    def _pieces(self) -> Iterator[Callable[[], object]]:
        for name in (*PIECES, *surface.FAMILIES, *surface.WORK_FAMILIES):
            yield partial(importlib.import_module, name)
        yield from self._make

    def _turn(self, pieces: Iterator[Callable[[], object]]) -> None:
        piece = next(pieces, None)
        if piece is None:
            self._done.callback(None)
            return
        # Set before: one that fails is logged by the loop, and the others are loaded all the same.
        self._next = self._timer.callLater(0, self._turn, pieces)
        piece()
