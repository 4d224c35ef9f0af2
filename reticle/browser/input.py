"""
The mouse and the keyboard of one target: the browser itself dispatches what they do, as trusted events.

Drag and drop would be the operating system's, which a browser without a window does not have: the browser is
asked to hand over what is dragged, and is then told where it moves and is dropped. The page hears no release
after a drop, as from a person's mouse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from twisted.internet.defer import Deferred, DeferredList
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater
from twisted.python.failure import Failure

from reticle.browser.conversation import Session
from reticle.browser.keyboard import bits_of, chord
from reticle.browser.messages import Nothing
from reticle.model.browser import Stroke
from reticle.model.limits import COMMAND_SECONDS

KEYS_AT_ONCE: Final = 50
"""Key events under way together: one by one a long text would take a round trip for each."""

DRAG_SECONDS: Final = 0.05
"""How long what is dragged is waited for at the end of a drag; the browser gives it with the first moves."""


_OUTSIDE: Final = Stroke("up", x=-1, y=-1)


class DragIntercepted(msgspec.Struct, frozen=True):
    """
    What the page drags, passed on as it is.
    """

    data: msgspec.Raw


class Hand:
    """
    What a person's hands do on one target.

    Args:
        session: The target.
        clock: For the moment that a drag takes to begin.
    """

    def __init__(self, session: Session, clock: IReactorTime) -> None:
        self._session = session
        self._clock = clock
        self._down = False
        self._dragged: msgspec.Raw | None = None
        self._entered = False
        session.on("Input.dragIntercepted", DragIntercepted, self._intercepted)

    async def strike(self, strokes: Sequence[Stroke]) -> None:
        """
        Do all of them, in order; ready when the page has had the last one.

        Raises:
            Refusal: ``browser_failed``: some may have been done.
        """
        if self._down and strokes and strokes[0].kind == "move":
            # an act that was given up left the button down: let it go where nothing is clicked by that
            await self._mouse(_OUTSIDE)
        drags = _is_drag(strokes)
        if drags:
            await self._do("Input.setInterceptDrags", {"enabled": True})
        try:
            await self._strike(strokes, drags=drags)
        finally:
            self._dragged, self._entered = None, False
            if drags:
                self._session.post("Input.setInterceptDrags", {"enabled": False})

    async def _strike(self, strokes: Sequence[Stroke], *, drags: bool) -> None:
        keys: list[dict[str, object]] = []
        for stroke in strokes:
            if stroke.kind == "key":
                keys += chord(stroke.key, stroke.modifiers)
                continue
            await self._keys(keys)
            keys = []
            if stroke.kind == "text":
                await self._do("Input.insertText", {"text": stroke.text})
                continue
            if drags and stroke.kind == "up" and self._dragged is None:
                await deferLater(self._clock, DRAG_SECONDS)
            await (self._mouse(stroke) if self._dragged is None else self._drag(stroke))
        await self._keys(keys)

    async def _keys(self, events: Sequence[dict[str, object]]) -> None:
        for start in range(0, len(events), KEYS_AT_ONCE):
            some = events[start : start + KEYS_AT_ONCE]
            struck = [self._do("Input.dispatchKeyEvent", event) for event in some]
            for _, result in await DeferredList(struck, consumeErrors=True):
                if isinstance(result, Failure):
                    result.raiseException()

    async def _mouse(self, stroke: Stroke) -> None:
        if stroke.kind == "down":
            self._down = True
        held = self._down and stroke.kind != "up"
        await self._do(
            "Input.dispatchMouseEvent",
            {
                "type": {"move": "mouseMoved", "down": "mousePressed", "up": "mouseReleased"}[stroke.kind],
                "x": stroke.x,
                "y": stroke.y,
                "button": "none" if stroke.kind == "move" and not held else "left",
                "buttons": int(held),
                "clickCount": 0 if stroke.kind == "move" else stroke.clicks,
                "modifiers": bits_of(stroke.modifiers),
            },
        )
        if stroke.kind == "up":
            self._down = False

    async def _drag(self, stroke: Stroke) -> None:
        kinds = ["dragOver"]
        if not self._entered:
            self._entered = True
            kinds.insert(0, "dragEnter")
        if stroke.kind == "up":
            self._down = False
            kinds.append("drop")
        for kind in kinds:
            await self._do(
                "Input.dispatchDragEvent",
                {
                    "type": kind,
                    "x": stroke.x,
                    "y": stroke.y,
                    "data": self._dragged,
                    "modifiers": bits_of(stroke.modifiers),
                },
            )

    def _do(self, method: str, params: Mapping[str, object]) -> Deferred[Nothing]:
        """
        As long as a page may take for any act: one that hangs is not waited for.
        """
        return self._session.do(method, params, seconds=COMMAND_SECONDS)

    def _intercepted(self, told: DragIntercepted) -> None:
        self._dragged = told.data


def _is_drag(strokes: Sequence[Stroke]) -> bool:
    """
    Whether the mouse moves while it is down.
    """
    kinds = [stroke.kind for stroke in strokes]
    return "down" in kinds and "move" in kinds[kinds.index("down") :]
