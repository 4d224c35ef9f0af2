"""
Pictures of a page as the browser paints it.
"""

from __future__ import annotations

from typing import Final

import msgspec

from reticle.browser.conversation import Session
from reticle.errors import Refusal
from reticle.model.browser import Shot
from reticle.model.codes import RefusalCode
from reticle.model.limits import BROWSER_LOAD_SECONDS, PICTURE_BYTES

LONGEST_SIDE: Final = 16_384
"""Pixels of the largest texture that Chromium paints in software; beyond it a picture repeats itself."""


class _Box(msgspec.Struct, frozen=True):
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0


class _Window(msgspec.Struct, frozen=True):
    pageX: float = 0.0
    pageY: float = 0.0


class _Layout(msgspec.Struct, frozen=True):
    cssContentSize: _Box
    cssVisualViewport: _Window


class _Picture(msgspec.Struct, frozen=True):
    data: bytes


async def take_picture(session: Session, shot: Shot) -> bytes:
    """
    A PNG of what the shot names.

    Raises:
        Refusal: ``bad_arguments`` where it would be too large; a retry makes sense for a smaller part.
    """
    params: dict[str, object] = {
        "format": "png",
        "captureBeyondViewport": shot.full_page or shot.clip is not None,
    }
    clip = await _clip(session, shot)
    if clip is not None:
        if max(clip.width, clip.height) > LONGEST_SIDE:
            raise _too_large(f"{clip.width:.0f} x {clip.height:.0f} pixels")
        params["clip"] = {**msgspec.structs.asdict(clip), "scale": 1}
    # a page whose window is full of work paints late
    picture = await session.call("Page.captureScreenshot", params, _Picture, seconds=BROWSER_LOAD_SECONDS)
    if len(picture.data) > PICTURE_BYTES:
        raise _too_large(f"{len(picture.data)} bytes")
    return picture.data


async def _clip(session: Session, shot: Shot) -> _Box | None:
    if not shot.full_page and shot.clip is None:
        return None
    layout = await session.call("Page.getLayoutMetrics", {}, _Layout)
    if shot.clip is None:
        return _Box(0, 0, layout.cssContentSize.width, layout.cssContentSize.height)
    x, y, width, height = shot.clip
    if shot.in_window:
        x, y = x + layout.cssVisualViewport.pageX, y + layout.cssVisualViewport.pageY
    return _Box(x, y, width, height)


def _too_large(size: str) -> Refusal:
    return Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"The picture would have {size}; nothing was taken.",
        "Take a picture of an element, of a region, or of the window alone.",
    )
