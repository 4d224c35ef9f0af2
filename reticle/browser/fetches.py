"""
What the browser fetches for a tab and the page does not see under way: modules that an app asks for with
``import()``, and what is loaded into elements, of which a page knows only those that are in its document.

Told is only whether there are any: from the load of the document on, whenever the first of a kind begins and
the last ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from reticle.browser.conversation import Session

UNSEEN: Final = frozenset({"Script", "Stylesheet", "Other"})
"""How the browser calls what ``import`` brings: code, styles, and what it has no name for (JSON)."""

OF_ELEMENTS: Final = frozenset({"Image", "Media", "TextTrack", "Font"})
"""And what elements show and fonts are: its end is an event that an app may wait for."""

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
        tell: Takes how many scripts there are, and how many for elements.
    """

    def __init__(self, session: Session, tell: Callable[[int, int], object]) -> None:
        self._session = session
        self._tell = tell
        self._scripts: dict[str, None] = {}
        self._elements: dict[str, None] = {}
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
        self._scripts.clear()
        self._elements.clear()
        self._telling = False

    def loaded(self) -> None:
        """
        The document has loaded: from now on it counts what is under way.
        """
        self._telling = True
        self._say()

    def _begun(self, told: _Begins) -> None:
        if told.type in UNSEEN:
            under_way = self._scripts
        elif told.type in OF_ELEMENTS:
            under_way = self._elements
        else:
            return
        if told.requestId in under_way:
            return
        while len(under_way) >= FETCHES_FOLLOWED:
            del under_way[next(iter(under_way))]
        under_way[told.requestId] = None
        if self._telling and len(under_way) == 1:
            self._say()

    def _ended(self, told: _Ends) -> None:
        for under_way in (self._scripts, self._elements):
            known = told.requestId in under_way
            under_way.pop(told.requestId, None)
            if known and self._telling and not under_way:
                self._say()

    def _say(self) -> None:
        self._tell(len(self._scripts), len(self._elements))
