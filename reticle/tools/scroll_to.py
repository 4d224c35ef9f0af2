"""
``reticle_scroll_to``: brings an element into view, also one that its list has not put into the page yet.

It moves the page and lets the app load rows, which is why it needs ``drive`` and a page that nobody holds or
has paused. Where nothing is found, every list is put back to where it stood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import attrs
import msgspec
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import ActionName, Capability, CommandName, RefusalCode
from reticle.model.limits import WAIT_MAX_MS
from reticle.ports import CallContext, Page
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import list_of, object_of, one_line, text_of, told
from reticle.tools.list_walk import Scroller, Scrollers, Walk, put_back, scrollers_of, top_of
from reticle.tools.query import element_line
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.targets import By, is_ref, parse_query

SCROLLS: Final = 20
SCROLLS_MOST: Final = 200
"""A list of 2,000 rows, ten of which show; further down the time of a call ends."""

CANDIDATES: Final = 5
"""Elements that a refusal names when several match."""

_NOT_OF_THE_QUERY: Final = frozenset({"sessionId", "container", "maxScrolls", "targetIndex", "totalCount"})
_Index = Annotated[int, Meta(ge=0)]

UNTOLD: Final = "The published page packages do not tell which lists scroll: name one with container."
MORE: Final = "More lists scroll here than were looked through: name one with container."
SPENT: Final = "It stopped before the end: raise maxScrolls, or give targetIndex and totalCount."
RESTLESS: Final = "The page was still at work at the end of the list: rows may come in later."


class ScrollToArguments(PageArguments, frozen=True, kw_only=True):
    """
    Which element, in which list, and how far to look.
    """

    by: Annotated[By | None, Meta(description="How value finds.")] = None
    value: Annotated[str | None, Meta(description="With by: what to find.")] = None
    role: Annotated[Name | None, Meta(description="Exact role.")] = None
    name: Annotated[str | None, Meta(description="Exact name.")] = None
    text: Annotated[Name | None, Meta(description="Part of its text.")] = None
    label: Annotated[Name | None, Meta(description="Part of its label.")] = None
    testid: Annotated[Name | None, Meta(description="Exact data-testid.")] = None
    container: Annotated[
        Name | None,
        Meta(description="The list that it is in: ref or CSS selector; all that scroll unless said."),
    ] = None
    maxScrolls: Annotated[
        Annotated[int, Meta(ge=1, le=SCROLLS_MOST)], Meta(description="How often to scroll at most.")
    ] = SCROLLS
    targetIndex: Annotated[
        _Index | None, Meta(description="With totalCount: its row, to look there first.")
    ] = None
    totalCount: Annotated[_Index | None, Meta(description="With targetIndex: how many rows there are.")] = (
        None
    )


@attrs.frozen
class Search:
    """
    What a search came to: the elements found, and whether every list was walked to its end.
    """

    found: Sequence[Mapping[str, object]]
    exhausted: bool
    note: str = ""


async def scroll_to(context: CallContext, arguments: ScrollToArguments) -> ToolAnswer:
    """
    Look here, then through the lists, and bring what was found into view.

    Raises:
        Refusal: ``bad_arguments`` for what is no query or half a place; ``no_match`` for a container that is
            not there; ``ambiguous_target`` with the candidates where several match; what the directory and
            the page port raise. A retry makes sense with the argument mended.
    """
    query, place = _query(arguments), _place(arguments)
    scope = arguments.container or None
    page = await present_page(context, arguments.sessionId, [scope] if scope and is_ref(scope) else [])
    deadline = context.clock.monotonic() + WAIT_MAX_MS / 1000
    walk = Walk(context, page, {**query, **told(scope=scope)}, arguments.maxScrolls, deadline)
    container = None if scope is None else await _container(page, scope)
    search = await _search(walk, container, place)
    if len(search.found) > 1:
        raise _ambiguous(search.found)
    element = await _shown(walk, search.found[0]) if search.found else None
    return _answer(walk, search, element, arguments)


def _query(arguments: ScrollToArguments) -> dict[str, object]:
    given = msgspec.to_builtins(arguments)
    return parse_query(
        {
            name: value
            for name, value in given.items()
            if name not in _NOT_OF_THE_QUERY
            and value is not None
            and (value != "" or name in {"name", "value"})
        },
        "The query",
    )


def _place(arguments: ScrollToArguments) -> float | None:
    """
    The share of the list at which the row should be.
    """
    index, total = arguments.targetIndex, arguments.totalCount
    if index is None and total is None:
        return None
    if index is None or not total or index >= total:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "targetIndex counts from 0 and goes with totalCount, which is more. Nothing ran.",
            'For example {"targetIndex": 4200, "totalCount": 10000}.',
        )
    return (index + 0.5) / total


async def _container(page: Page, scope: str) -> str:
    if is_ref(scope):
        return scope
    result = object_of(await page.ask(CommandName.QUERY, {"scope": scope, "self": True, "limit": 1}))
    found = [object_of(each) for each in list_of(result.get("elements"))]
    if not found:
        raise Refusal(
            RefusalCode.NO_MATCH,
            f"container {scope[:200]!r} matches nothing; nothing was scrolled.",
            "Take a snapshot and pass the ref of the list.",
        )
    return text_of(found[0].get("ref"))


async def _search(walk: Walk, container: str | None, place: float | None) -> Search:
    found = await walk.look()
    if found:
        return Search(found, exhausted=False)
    scrollers = Scrollers([Scroller(container, 0, await top_of(walk.page, container))], complete=True)
    if container is None:
        scrollers = await scrollers_of(walk.page)
    for scroller in scrollers.each:
        top = scroller.top
        if top is None:
            top = await top_of(walk.page, scroller.ref)
        there = await walk.through(scroller.ref, place)
        if there:
            return Search(there, exhausted=False)
        await put_back(walk.page, scroller.ref, top)
        if there is None:
            return Search([], exhausted=False, note=SPENT if walk.spent else RESTLESS)
    if not scrollers.complete:
        return Search([], exhausted=False, note=MORE if walk.page.identity.own_script else UNTOLD)
    return Search([], exhausted=True)


def _ambiguous(found: Sequence[Mapping[str, object]]) -> Refusal:
    return Refusal(
        RefusalCode.AMBIGUOUS_TARGET,
        f"The target matches {len(found)} elements here; none was brought into view.",
        "Narrow it with role and name, or pass one of the refs to reticle_act with scrollIntoView.",
        {"candidates": [one_line(element_line(each)) for each in found[:CANDIDATES]]},
    )


async def _shown(walk: Walk, element: Mapping[str, object]) -> Mapping[str, object]:
    """
    The element in view, as it is then: a list may draw its rows anew when it moves.
    """
    asked = {"action": ActionName.SCROLL_INTO_VIEW.value, "ref": text_of(element.get("ref")), "args": {}}
    try:
        await walk.page.ask(CommandName.ACT, asked)
    except Refusal as refusal:
        if refusal.code not in {RefusalCode.STALE_REF, RefusalCode.STALE_REF_AFTER_EDIT}:
            raise
    again = await walk.look()
    return again[0] if len(again) == 1 else element


def _answer(
    walk: Walk, search: Search, element: Mapping[str, object] | None, arguments: ScrollToArguments
) -> ToolAnswer:
    notes = [search.note]
    if element is None and walk.hidden:
        notes.append(f"{walk.hidden} that match do not show.")
    if element is not None:
        notes.append(_part_note(element, arguments))
    note = " ".join(filter(None, notes))
    fields = {
        "found": element is not None,
        **told(element=None if element is None else _element(element)),
        "scrolls": walk.scrolls,
        "exhausted": search.exhausted,
        **told(note=note),
        **session_note(walk.page),
    }
    said = element_line(element) if element is not None else "not found"
    ending = "every list was looked through to its end" if search.exhausted else ""
    lines = [said, f"scrolls {walk.scrolls}", ending, f"note: {note}" if note else ""]
    return ToolAnswer(fields, text="\n".join(filter(None, lines)))


def _element(element: Mapping[str, object]) -> dict[str, object]:
    return told(**{name: element.get(name) for name in ("ref", "role", "name", "text", "testid")})


def _part_note(element: Mapping[str, object], arguments: ScrollToArguments) -> str:
    """
    A word of warning where the text is only a part of the element's: "Row 5" is found in "Row 50".
    """
    wanted = arguments.text or (arguments.value if arguments.by == "text" else None)
    shown = (text_of(element.get("text")), text_of(element.get("name")))
    if not wanted or any(one_line(each).casefold() == one_line(wanted).casefold() for each in shown):
        return ""
    return "The text is a part of its text: another row that is not in the page yet may fit better."


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_scroll_to",
        title="Scroll to an element",
        summary="Brings an element into view, looking through virtual lists for it, and says whether they "
        "were exhausted.",
        arguments=ScrollToArguments,
        capability=Capability.DRIVE,
        annotations=ToolAnnotations(read_only=False, idempotent=True, open_world=True),
        run=scroll_to,
        acts=True,
        advertised=False,
        example={"text": "Order 4711", "container": "#orders"},
    ),
)
