"""
Where a frame of another origin lies in its tab, for real input in it: from inside nobody can tell.

Asked in a world of its own of the document around the frame, so that nothing of the app's stands in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs
import msgspec

from reticle.browser.conversation import Session
from reticle.browser.failures import Rejected
from reticle.errors import Refusal
from reticle.model.browser import Stroke
from reticle.model.codes import RefusalCode

_WORLD: Final = "reticle-frames"

_PLACED: Final = frozenset({"move", "down", "up"})
"""Strokes that have a place."""

MAX_DEPTH: Final = 16
"""Frames around a frame; no app has as many."""

_MEASURE: Final = """function (x, y) {
  const box = this.getBoundingClientRect();
  const style = getComputedStyle(this);
  const zoomX = this.offsetWidth > 0 ? box.width / this.offsetWidth : 1;
  const zoomY = this.offsetHeight > 0 ? box.height / this.offsetHeight : 1;
  const left = box.left + (this.clientLeft + parseFloat(style.paddingLeft)) * zoomX;
  const top = box.top + (this.clientTop + parseFloat(style.paddingTop)) * zoomY;
  const shown = this.ownerDocument.defaultView.visualViewport;
  const hit = this.getRootNode().elementFromPoint(left + x * zoomX, top + y * zoomY);
  return { left: left - shown.offsetLeft, top: top - shown.offsetTop, zoomX, zoomY, clear: hit === this };
}"""


class _Owner(msgspec.Struct, frozen=True):
    backendNodeId: int


class _World(msgspec.Struct, frozen=True):
    executionContextId: int


class _Object(msgspec.Struct, frozen=True):
    objectId: str


class _Resolved(msgspec.Struct, frozen=True):
    object: _Object


class _Place(msgspec.Struct, frozen=True):
    left: float
    top: float
    zoomX: float
    zoomY: float
    clear: bool


class _Value(msgspec.Struct, frozen=True):
    value: _Place


class _Measured(msgspec.Struct, frozen=True):
    result: _Value


class _Frame(msgspec.Struct, frozen=True):
    id: str
    parentId: str = ""


class _Node(msgspec.Struct, frozen=True):
    frame: _Frame
    childFrames: list[_Node] = []


class _Tree(msgspec.Struct, frozen=True):
    frameTree: _Node


async def in_tab(
    sessions: Sequence[Session], tab_frame: str, frame: str, strokes: Sequence[Stroke]
) -> list[Stroke]:
    """
    Strokes in the window of a frame as strokes in the window of its tab, through every frame around it.

    Args:
        sessions: The tab, and the frames of it that are processes of their own.
        tab_frame: The browser's name for the tab's own document.
        frame: Its name for the frame.
        strokes: In CSS pixels of the frame's window.

    Raises:
        Refusal: ``occluded`` where a document around lies over the frame at the first of these places,
            ``unsupported_surface`` where the browser does not tell where it stands. Nothing was dispatched.
    """
    found = list(strokes)
    if all(stroke.kind not in _PLACED for stroke in found):
        return found
    homes = {frame: sessions[0]}
    parents: dict[str, str] = {}
    for session in sessions if len(sessions) > 1 else ():
        try:
            tree = await session.call("Page.getFrameTree", {}, _Tree)
        except Rejected:  # the frame has gone meanwhile
            continue
        for each in _all(tree.frameTree):
            homes[each.id], parents[each.id] = session, each.parentId
    for _ in range(MAX_DEPTH):
        around = parents.get(frame) or tab_frame
        found = await _in_the_document_around(homes.get(around, sessions[0]), around, frame, found)
        if around == tab_frame:
            return found
        frame = around
    raise _nowhere("it stands in too many others")


def _all(node: _Node) -> Iterator[_Frame]:
    yield node.frame
    for child in node.childFrames:
        yield from _all(child)


async def _in_the_document_around(
    session: Session, around: str, frame: str, strokes: Sequence[Stroke]
) -> list[Stroke]:
    first = next(stroke for stroke in strokes if stroke.kind in _PLACED)
    try:
        owner = await session.call("DOM.getFrameOwner", {"frameId": frame}, _Owner)
        world = await session.call(
            "Page.createIsolatedWorld", {"frameId": around, "worldName": _WORLD}, _World
        )
        node = await session.call(
            "DOM.resolveNode",
            {"backendNodeId": owner.backendNodeId, "executionContextId": world.executionContextId},
            _Resolved,
        )
        measured = await session.call(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": _MEASURE,
                "objectId": node.object.objectId,
                "arguments": [{"value": first.x}, {"value": first.y}],
                "returnByValue": True,
            },
            _Measured,
        )
    except Rejected as refusal:
        raise _nowhere(refusal.reason) from refusal
    place = measured.result.value
    if not place.clear:
        raise Refusal(
            RefusalCode.OCCLUDED,
            "The page around the frame shows something else there, or nothing. Nothing was done.",
            "Close or move what covers the frame, or scroll to it, then act again.",
        )
    return [
        attrs.evolve(stroke, x=place.left + stroke.x * place.zoomX, y=place.top + stroke.y * place.zoomY)
        for stroke in strokes
    ]


def _nowhere(why: str) -> Refusal:
    return Refusal(
        RefusalCode.UNSUPPORTED_SURFACE,
        f"The browser does not tell where the frame stands: {why}. Nothing was done.",
        "Leave trusted out, or open the frame's own address.",
    )
