"""
Where a frame of another origin lies in its tab, for real input in it: from inside nobody can tell.

Asked in a world of its own of the document around the frame, so that nothing of the app's stands in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs
import msgspec

from reticle.browser.conversation import Session
from reticle.browser.failures import Rejected
from reticle.errors import Refusal
from reticle.model.browser import Stroke
from reticle.model.codes import RefusalCode

_WORLD: Final = "reticle-frames"

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


async def in_tab(session: Session, tab_frame: str, frame: str, strokes: Sequence[Stroke]) -> list[Stroke]:
    """
    Strokes in the window of a frame as strokes in the window of its tab.

    Args:
        session: The tab.
        tab_frame: The browser's name for the tab's own document.
        frame: Its name for the frame, which stands in that document.
        strokes: In CSS pixels of the frame's window.

    Raises:
        Refusal: ``occluded`` where the document around lies over the frame at the first of these places,
            ``unsupported_surface`` for a frame inside another frame. Nothing was dispatched.
    """
    first = next((stroke for stroke in strokes if stroke.kind in {"move", "down", "up"}), None)
    if first is None:
        return list(strokes)
    try:
        owner = await session.call("DOM.getFrameOwner", {"frameId": frame}, _Owner)
        world = await session.call(
            "Page.createIsolatedWorld", {"frameId": tab_frame, "worldName": _WORLD}, _World
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
        raise Refusal(
            RefusalCode.UNSUPPORTED_SURFACE,
            f"The frame does not stand in the tab's own document: {refusal.reason}. Nothing was done.",
            "Leave trusted out, or open the frame's own address.",
        ) from refusal
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
