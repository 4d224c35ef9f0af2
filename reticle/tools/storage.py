"""
``reticle_storage``: what the app keeps in the browser: local and session storage, the cookies of scripts, and
IndexedDB.

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
from reticle.ports import CallContext, Page
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.fields import (
    cut,
    lines_that_fit,
    list_of,
    newest_that_fit,
    object_of,
    one_line,
    text_of,
    told,
)
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer

Area = Literal["local", "session", "cookies", "indexeddb"]
AREAS: Final[Sequence[Area]] = ("local", "session", "cookies")
"""Those that hold texts under keys."""

DATABASES: Final = "indexeddb"

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

    area: Annotated[Area | None, Meta(description="One of the four; the first three unless said.")] = None
    key: Annotated[Name | None, Meta(description="One key.")] = None
    database: Annotated[Name | None, Meta(description="With indexeddb: one database.")] = None
    store: Annotated[Name | None, Meta(description="With database: one object store of it.")] = None


async def storage(context: CallContext, arguments: StorageArguments) -> ToolAnswer:
    """
    Whole areas, or one key of the first area that has it; of IndexedDB its databases, a store or a record.

    Raises:
        Refusal: ``bad_arguments`` for arguments that do not go together; ``unsupported_surface`` for a page
            of the published packages, which do not know the command; what the directory and the page port
            raise.
    """
    page = await present_page(context, arguments.sessionId)
    if arguments.area == DATABASES or arguments.database or arguments.store:
        return await _databases(page, arguments)
    asked = told(area=arguments.area, key=arguments.key)
    result = object_of(await page.ask(CommandName.STORAGE_READ, asked))
    if arguments.key:
        fields = _one(result, arguments.key)
        if not fields["found"]:
            there = object_of(await page.ask(CommandName.STORAGE_READ, told(area=arguments.area)))
            fields.update(_miss(_areas(there), list_of(result.get("unavailable"))))
        return ToolAnswer({**fields, **session_note(page)})
    fields = {**_whole(_areas(result)), **told(databases=list_of(result.get("databases")))}
    text = _text(fields)
    return ToolAnswer({**fields, **session_note(page), **cost_fields(text)}, text=text)


async def _databases(page: Page, arguments: StorageArguments) -> ToolAnswer:
    """
    What the page tells of IndexedDB, with values cut as elsewhere unless one record was asked for.
    """
    if arguments.area not in {None, DATABASES}:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"database and store go with area indexeddb, not {arguments.area}. Nothing ran.",
            'For example {"area": "indexeddb", "database": "shop", "store": "orders"}.',
        )
    asked = told(area=DATABASES, key=arguments.key, database=arguments.database, store=arguments.store)
    result = object_of(await page.ask(CommandName.STORAGE_READ, asked))
    databases = [object_of(each) for each in list_of(result.get("databases")) if isinstance(each, Mapping)]
    fields: dict[str, object] = {"area": DATABASES}
    if result.get("unavailable") is True:
        fields.update(unavailable=[DATABASES], note=UNREAD.format(areas=DATABASES))
    elif arguments.store and databases:
        fields.update(
            {"database": databases[0].get("name"), **_part_of(databases[0], whole=bool(arguments.key))}
        )
    elif result.get("found") is False:
        fields.update(found=False, databases=list_of(result.get("databases"))[:KEYS_SHOWN])
    else:
        shown = [_part_of(each, whole=False) for each in databases]
        fields.update(databases=shown, **told(totalDatabases=result.get("count")))
    text = msgspec.json.encode(fields).decode()
    return ToolAnswer({**fields, **session_note(page), **cost_fields(text)}, text=text)


def _part_of(database: Mapping[str, object], *, whole: bool) -> dict[str, object]:
    """
    One database, store or record; records as many as fit.
    """
    fields = dict(database)
    if not whole and "records" in fields:
        records = [object_of(record) for record in list_of(fields["records"])]
        cuts = [{**record, "value": _cut(record.get("value"))} for record in records]
        fields["records"] = kept = list(reversed(newest_that_fit(cuts[::-1], len(cuts) or 1)))
        fields["truncated"] = database.get("truncated") is True or len(kept) < len(records)
    kept_if_empty = {"name", "found", "value", "count", "records", "stores"}
    return {name: value for name, value in fields.items() if name in kept_if_empty or told(it=value)}


def _cut(value: object) -> object:
    return cut(value, VALUE_SHOWN_CHARS) if isinstance(value, str) else value


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
    if fields.get("databases"):
        kept.append(f"indexeddb: {', '.join(map(one_line, list_of(fields['databases'])))}")
    return "\n".join([*kept, *(f"note: {note}" for note in [fields.get("note")] if note)])


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_storage",
        title="Read what the app stores",
        summary="Reads localStorage, sessionStorage, cookies that scripts see, IndexedDB, whole or by key; "
        "credentials are redacted.",
        arguments=StorageArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=storage,
        advertised=False,
        example={"area": "local", "key": "theme"},
    ),
)
