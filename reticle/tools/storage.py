"""
``reticle_storage``: what the app keeps in the browser: local and session storage, and the cookies of scripts.

The page script takes credentials out before anything leaves the page (page-wire, ``storage_read``). A cookie
that scripts may not read (``HttpOnly``) is not seen, so that a cookie which is not found may be there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import Capability, CommandName, RefusalCode
from reticle.model.limits import ANSWER_CHARS
from reticle.ports import CallContext
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.fields import cut, lines_that_fit, list_of, object_of, one_line, text_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer

Area = Literal["local", "session", "cookies"]
AREAS: Final[Sequence[Area]] = ("local", "session", "cookies")

VALUE_SHOWN_CHARS: Final = 200
"""Of a value among others; asked for by its key it comes with up to 1,024, which is what pages send."""

KEYS_SHOWN: Final = 50
"""Keys that a miss names for each area."""

HTTP_ONLY: Final = "Cookies that are HttpOnly are not seen: one that is not found may be there all the same."
UNREAD: Final = "The browser forbids the page {areas}: what is there is not known."


class StorageArguments(PageArguments, frozen=True, kw_only=True):
    """
    Which part of it.
    """

    area: Annotated[Area | None, Meta(description="One of the three; all unless said.")] = None
    key: Annotated[Name | None, Meta(description="One key.")] = None


async def storage(context: CallContext, arguments: StorageArguments) -> ToolAnswer:
    """
    Whole areas, or one key of the first area that has it.

    Raises:
        Refusal: ``unsupported_surface`` for a page of the published packages, which do not know the command;
            what the directory and the page port raise.
    """
    page = await present_page(context, arguments.sessionId)
    asked = told(area=arguments.area, key=arguments.key)
    result = object_of(await page.ask(CommandName.STORAGE_READ, asked))
    if arguments.key:
        fields = _one(result, arguments.key)
        if not fields["found"]:
            there = object_of(await page.ask(CommandName.STORAGE_READ, told(area=arguments.area)))
            fields.update(_miss(_areas(there), list_of(result.get("unavailable"))))
        return ToolAnswer({**fields, **session_note(page)})
    fields = _whole(_areas(result))
    text = _text(fields)
    return ToolAnswer({**fields, **session_note(page), **cost_fields(text)}, text=text)


def _areas(result: Mapping[str, object]) -> Mapping[str, Mapping[str, object]]:
    """
    What the page told of each area, by name.

    Raises:
        Refusal: ``page_error`` when it told of none.
    """
    parts = [object_of(part) for part in list_of(result.get("areas"))]
    areas = {text_of(part.get("area")): part for part in parts if part.get("area") in AREAS}
    if not areas:
        raise Refusal(RefusalCode.PAGE_ERROR, "The page's answer about its storage cannot be read.")
    return areas


def _one(result: Mapping[str, object], key: str) -> dict[str, object]:
    found = result.get("found") is True
    return {
        "found": found,
        **told(area=result.get("area")),
        "key": key,
        **({"value": result.get("value")} if found else {}),
        **told(
            alsoIn=result.get("alsoIn"),
            truncated=result.get("truncated"),
            length=result.get("length"),
        ),
    }


def _miss(areas: Mapping[str, Mapping[str, object]], unread: Sequence[object]) -> dict[str, object]:
    """
    What there is in place of a key that is not there, and why it may be there after all.
    """
    unavailable = sorted({text_of(area) for area in unread} | set(_unavailable(areas)))
    keys = {name: list(object_of(part.get("values")))[:KEYS_SHOWN] for name, part in areas.items()}
    return told(
        availableKeys=told(**keys),
        totalKeys={name: _count(areas[name]) for name in areas if _count(areas[name]) > len(keys[name])},
        unavailable=unavailable,
        note=_note(unavailable, cookies="cookies" in areas),
    )


def _whole(areas: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    shown: dict[str, object] = {}
    truncated: dict[str, object] = {}
    room = ANSWER_CHARS // len(areas)
    for name, part in areas.items():
        if part.get("unavailable") is True:
            continue
        values = _that_fit(object_of(part.get("values")), room)
        shown[name] = values
        if _count(part) > len(values):
            truncated[name] = _count(part)
    unavailable = _unavailable(areas)
    return {
        **shown,
        **told(truncated=truncated, unavailable=unavailable, note=_note(unavailable, cookies=False)),
    }


def _that_fit(values: Mapping[str, object], room: int) -> dict[str, object]:
    kept: dict[str, object] = {}
    for key, value in values.items():
        shown = cut(value, VALUE_SHOWN_CHARS) if isinstance(value, str) else value
        room -= len(msgspec.json.encode({key: shown}))
        if kept and room < 0:
            break
        kept[key] = shown
    return kept


def _unavailable(areas: Mapping[str, Mapping[str, object]]) -> list[str]:
    return [name for name, part in areas.items() if part.get("unavailable") is True]


def _count(part: Mapping[str, object]) -> int:
    count = part.get("count")
    known = len(object_of(part.get("values")))
    return max(count, known) if isinstance(count, int) else known


def _note(unavailable: Sequence[str], *, cookies: bool) -> str:
    notes = [UNREAD.format(areas=", ".join(unavailable))] if unavailable else []
    return " ".join([*notes, HTTP_ONLY] if cookies else notes)


def _text(fields: Mapping[str, object]) -> str:
    lines: list[str] = []
    counts = object_of(fields.get("truncated"))
    for name in AREAS:
        if name not in fields:
            continue
        values = object_of(fields[name])
        more = f" ({len(values)} of {counts[name]} keys)" if name in counts else ""
        lines.append(f"{name}:{more}" if values else f"{name}: empty")
        lines += [f"- {one_line(key)} = {one_line(value)}" for key, value in values.items()]
    kept, left = lines_that_fit(lines)
    if left:
        kept.append(f"{left} more lines: name an area or a key")
    return "\n".join([*kept, *(f"note: {note}" for note in [fields.get("note")] if note)])


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_storage",
        title="Read what the app stores",
        summary="Reads localStorage, sessionStorage and the cookies that scripts see, whole or by key; "
        "credentials are redacted.",
        arguments=StorageArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=storage,
        advertised=False,
        example={"area": "local", "key": "theme"},
    ),
)
