"""
``reticle_screenshot``: a picture of a page that the daemon drives, of its whole document, an element or a
region.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct

from reticle.errors import Refusal
from reticle.model.browser import Shot
from reticle.model.codes import ActionName, Capability, CommandName, ControlState, RefusalCode
from reticle.model.content import ContentBlock, image_block
from reticle.model.limits import PICTURE_SHOWN_BYTES
from reticle.ports import CallContext, Page
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import list_of, object_of, one_line, text_of, told
from reticle.tools.query import element_line
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.targets import parse_address

CANDIDATES: Final = 5
"""Elements that a refusal names when a query matches several."""

_Box = tuple[float, float, float, float]
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_PictureName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$(?!\n)")]


class Region(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """
    A part of the document, in CSS pixels.
    """

    x: Annotated[float, Meta(ge=0)]
    y: Annotated[float, Meta(ge=0)]
    width: Annotated[float, Meta(gt=0)]
    height: Annotated[float, Meta(gt=0)]


class ScreenshotArguments(PageArguments, frozen=True, kw_only=True):
    """
    Of what, and under which name it is kept.
    """

    name: Annotated[_PictureName | None, Meta(description="Keep it under this name in the project.")] = None
    fullPage: Annotated[bool, Meta(description="The whole document, not the window alone.")] = False
    ref: Annotated[Name | None, Meta(description="One element, such as e12.")] = None
    target: Annotated[
        dict[str, object] | None,
        Meta(description="Query in place of ref: {testid}, {role, name}, {text}, {label}."),
    ] = None
    clip: Annotated[Region | None, Meta(description="A part of the document, in CSS pixels.")] = None


async def screenshot(context: CallContext, arguments: ScreenshotArguments) -> ToolAnswer:
    """
    Take the picture, show it, and keep it where a name was given.

    Raises:
        Refusal: ``not_driven`` for a page that dialled in; ``bad_arguments`` for more than one part, or a
            picture too large to show that is not kept; ``no_match`` and the like for the element; what the
            browser and the store raise.
    """
    address = _address(arguments)
    page = await present_page(context, arguments.sessionId, [arguments.ref] if arguments.ref else [])
    if context.browser.of_page(page.identity.page_id) is None:
        raise _not_driven(page)
    if address is not None:
        shot = Shot(clip=await _box(context, page, address), in_window=True)
    elif arguments.clip is not None:
        part = arguments.clip
        shot = Shot(clip=(part.x, part.y, part.width, part.height))
    else:
        shot = Shot(full_page=arguments.fullPage)
    png = await context.browser.picture(page.identity.page_id, shot)
    path = None if arguments.name is None else await _kept(context, page, arguments.name, png)
    return _answer(page, png, path)


def _address(arguments: ScreenshotArguments) -> dict[str, object] | None:
    parts = {
        "fullPage": arguments.fullPage,
        "ref or target": bool(arguments.ref) or arguments.target is not None,
        "clip": arguments.clip is not None,
    }
    given = [part for part, there in parts.items() if there]
    if len(given) > 1:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"The call gives {' and '.join(given)}: a picture is of one thing. Nothing ran.",
            "Give one of fullPage, ref, target, clip; or none, for the window.",
        )
    return parse_address(arguments.ref, arguments.target) if parts["ref or target"] else None


def _not_driven(page: Page) -> Refusal:
    return Refusal(
        RefusalCode.NOT_DRIVEN,
        f"Page {page.identity.page_id} dialled in by itself: the daemon cannot see what its browser paints.",
        'Open it in the daemon\'s browser: reticle_lease {"action": "acquire", "url": '
        f'"{page.identity.url[:200]}"}}. reticle_snapshot reads this page as it is.',
    )


async def _box(context: CallContext, page: Page, address: Mapping[str, object]) -> _Box:
    """
    Where an element is in the window, brought into view where this agent may do that.
    """
    ref = address.get("ref") or await _matched(page, object_of(address["target"]))
    if _may_scroll(context, page):
        asked = {"action": ActionName.SCROLL_INTO_VIEW.value, "ref": ref, "args": {}}
        await page.ask(CommandName.ACT, asked)
    described = object_of(await page.ask(CommandName.INSPECT, {"ref": ref}))
    box = object_of(described.get("box"))
    x, y, width, height = (_number(box.get(side)) for side in ("x", "y", "width", "height"))
    if width <= 0 or height <= 0:
        raise Refusal(
            RefusalCode.NOT_VISIBLE,
            f"{ref} takes no room on the page: there is nothing to see of it.",
            "reticle_inspect says how it is; take a picture of what is around it.",
        )
    return x, y, width, height


async def _matched(page: Page, query: Mapping[str, object]) -> str:
    """
    The ref of the one element that a query matches; what does not show gives way to what does.
    """
    result = object_of(await page.ask(CommandName.QUERY, {**query, "limit": 2 * CANDIDATES}))
    found = [object_of(each) for each in list_of(result.get("elements"))]
    found = [each for each in found if each.get("visible") is True] or found
    if len(found) == 1:
        return text_of(found[0].get("ref"))
    shown = [one_line(element_line(each)) for each in found[:CANDIDATES]]
    raise Refusal(
        RefusalCode.AMBIGUOUS_TARGET if found else RefusalCode.NO_MATCH,
        f"The target matches {len(found) or 'no'} element{'s' if found else ''}; no picture was taken.",
        "Narrow it with role and name, or pass a ref.",
        {"candidates": shown} if shown else {},
    )


def _may_scroll(context: CallContext, page: Page) -> bool:
    """
    Whether the page may be moved for a look at it: not under the hands of another agent or of a person.
    """
    if not context.may(Capability.DRIVE) or page.steering.state is not ControlState.ACTIVE:
        return False
    try:
        context.refuse_held(page)
    except Refusal:
        return False
    return True


async def _kept(context: CallContext, page: Page, name: str, png: bytes) -> str:
    repository = context.repository_of(page)
    place = re.sub(r"[^A-Za-z0-9.-]+", "_", page.identity.app.origin.partition("://")[2])[:100]
    return await context.pictures.keep(
        name.removesuffix(".png"),
        png,
        root=None if repository is None else repository.root,
        place=place.lstrip(".") or "pages",
    )


def _answer(page: Page, png: bytes, path: str | None) -> ToolAnswer:
    shown = len(png) <= PICTURE_SHOWN_BYTES
    if not shown and path is None:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"The picture has {len(png)} bytes; an answer takes {PICTURE_SHOWN_BYTES}.",
            "Take it of a part (ref, clip), or give a name: it is then kept as a file.",
        )
    width, height = picture_size(png)
    fields = {
        "sessionId": page.identity.page_id,
        "width": width,
        "height": height,
        "bytes": len(png),
        "shown": shown,
        **told(path=path),
        **session_note(page),
    }
    text = f"picture of page {page.identity.page_id}, {width}x{height}, {len(png)} bytes"
    text += f"\nkept in {path}" if path else ""
    text += "" if shown else "\ntoo large to be shown here: read the file"
    blocks: list[ContentBlock] = [image_block(png, "image/png")] if shown else []
    return ToolAnswer(fields, text=text, blocks=blocks)


def picture_size(png: bytes) -> tuple[int, int]:
    """
    Width and height as a PNG's own header has them (PNG, "IHDR"); 0 and 0 for what is none.
    """
    if not png.startswith(_PNG) or len(png) < 24:
        return 0, 0
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_screenshot",
        title="Take a picture of a page",
        summary="Takes a picture of a page that the daemon drives: window, document, element or region; with "
        "a name it is kept in the project.",
        arguments=ScreenshotArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=False, idempotent=True, open_world=True),
        run=screenshot,
        advertised=False,
        example={"fullPage": True, "name": "cart"},
    ),
)
