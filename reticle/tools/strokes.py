"""
What a hand does for each action, once the page has said where (page wire, "Real input").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

import attrs
import msgspec
from msgspec import Meta

from reticle.model.browser import Stroke
from reticle.model.codes import ActionName
from reticle.tools.fields import list_of, text_of

DRAG_STEPS: Final = 8
"""Moves between the two ends of a drag; apps start one after some pixels and look at what lies under each."""

_KEY_CHARS: Final = 32
_Coordinate = Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]


class Point(msgspec.Struct, frozen=True):
    """
    CSS pixels of the part of the window that shows.
    """

    x: _Coordinate
    y: _Coordinate


class Aim(msgspec.Struct, frozen=True):
    """
    What the page said of real input that is to come.
    """

    aim: Annotated[str, Meta(min_length=1, max_length=64)]
    at: Point | None = None
    to: Point | None = None
    focused: bool = False
    multiline: bool = False
    key: Annotated[str, Meta(max_length=_KEY_CHARS)] = ""
    modifiers: Annotated[list[Annotated[str, Meta(max_length=_KEY_CHARS)]], Meta(max_length=4)] = (
        msgspec.field(default_factory=list)
    )


@attrs.frozen
class Movement:
    """
    Strokes without a pause between them, and how long the hand then stays as it is.
    """

    strokes: Sequence[Stroke]
    held_seconds: float = 0.0


def movements(action: ActionName, args: Mapping[str, object], aim: Aim) -> Sequence[Movement]:
    """
    All that the hand does for one action, in order.
    """
    held = args.get("holdMs")
    held_seconds = held / 1000 if isinstance(held, int | float) and held > 0 else 0.0
    mouse = _Mouse(aim.at, tuple(text_of(name) for name in list_of(args.get("modifiers"))))
    if action is ActionName.HOVER:
        return [Movement([mouse.move(aim.at)], held_seconds)]
    if action is ActionName.PRESS:
        return [Movement([Stroke("key", key=aim.key, modifiers=tuple(aim.modifiers))])]
    if action is ActionName.DRAG:
        return [Movement(list(mouse.drag(aim.to)))]
    if action in _WRITING:
        reach = [] if aim.focused else [mouse.move(aim.at), *mouse.click(1)]
        return [Movement([*reach, *_WRITING[action](args, aim)])]
    if action is ActionName.DBLCLICK:
        return [Movement([mouse.move(aim.at), *mouse.click(1), *mouse.click(2)])]
    down, up = mouse.click(1)
    return [Movement([mouse.move(aim.at), down], held_seconds), Movement([up])]


@attrs.frozen
class _Mouse:
    """
    A mouse over one point.
    """

    at: Point | None
    modifiers: tuple[str, ...]

    def move(self, to: Point | None) -> Stroke:
        return self._stroke("move", to)

    def click(self, clicks: int) -> tuple[Stroke, Stroke]:
        return self._stroke("down", self.at, clicks), self._stroke("up", self.at, clicks)

    def drag(self, to: Point | None) -> Iterator[Stroke]:
        start, end = self.at or Point(0, 0), to or Point(0, 0)
        yield self.move(start)
        yield self._stroke("down", start)
        for step in range(1, DRAG_STEPS + 1):
            share = step / DRAG_STEPS
            yield self.move(Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share))
        yield self._stroke("up", end)

    def _stroke(self, kind: str, point: Point | None, clicks: int = 1) -> Stroke:
        where = point or Point(0, 0)
        return Stroke(kind, x=where.x, y=where.y, clicks=clicks, modifiers=self.modifiers)


def _replaced(args: Mapping[str, object], aim: Aim) -> Iterator[Stroke]:
    del aim
    yield Stroke("key", key="a", modifiers=("Control",))
    text = text_of(args.get("value"))
    yield Stroke("text", text=text) if text else Stroke("key", key="Delete")


def _added(args: Mapping[str, object], aim: Aim) -> Iterator[Stroke]:
    yield Stroke("key", key="End", modifiers=("Control",) if aim.multiline else ())
    for character in text_of(args.get("text")).replace("\r\n", "\n"):
        yield Stroke("key", key="Enter" if character in "\r\n" else character)


_WRITING: Final = {ActionName.FILL: _replaced, ActionName.CLEAR: _replaced, ActionName.TYPE: _added}
