"""
Scripts that the browser fetches for a tab: modules that an app asks for with ``import()`` are seen by nothing
in the page until they have come.

Told is only whether there are any: from the load of the document on, whenever the first begins and the last
ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from reticle.browser.conversation import Session

UNSEEN: Final = frozenset({"Script", "Stylesheet", "Other"})
"""How the browser calls what ``import`` brings: code, styles, and what it has no name for (JSON)."""

FETCHES_FOLLOWED: Final = 1_000
"""At once, of one target; the oldest are taken for lost track of."""

KEEPS_NOTHING: Final[Mapping[str, object]] = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}
"""Bodies are never asked for."""


class _Begins(msgspec.Struct, frozen=True):
    requestId: str
    type: str = ""


class _Ends(msgspec.Struct, frozen=True):
    requestId: str


class Fetches:
    """
    What one target has under way.

    Args:
        session: The target.
        tell: Takes how many there are.
    """

    def __init__(self, session: Session, tell: Callable[[int], object]) -> None:
        self._session = session
        self._tell = tell
        self._open: dict[str, None] = {}
        self._telling = False

    def watch(self) -> None:
        """
        Follow them; before the target's first document begins.
        """
        self._session.on("Network.requestWillBeSent", _Begins, self._begun)
        self._session.on("Network.loadingFinished", _Ends, self._ended)
        self._session.on("Network.loadingFailed", _Ends, self._ended)
        self._session.post("Network.enable", KEEPS_NOTHING)

    def left(self) -> None:
        """
        Another document begins: nothing of the last one is waited for, and until this one has loaded it is
        not quiet anyway.
        """
        self._open.clear()
        self._telling = False

    def loaded(self) -> None:
        """
        The document has loaded: from now on it counts what is under way.
        """
        self._telling = True
        self._tell(len(self._open))

    def _begun(self, told: _Begins) -> None:
        if told.type not in UNSEEN or told.requestId in self._open:
            return
        while len(self._open) >= FETCHES_FOLLOWED:
            del self._open[next(iter(self._open))]
        self._open[told.requestId] = None
        if self._telling and len(self._open) == 1:
            self._tell(1)

    def _ended(self, told: _Ends) -> None:
        known = told.requestId in self._open
        self._open.pop(told.requestId, None)
        if known and self._telling and not self._open:
            self._tell(0)
