"""
The journal of one page for administrators: what it reported and was asked, also before a restart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode, RepositoryScope, Toolset
from reticle.model.ids import PageId
from reticle.model.journal import JournalChunk, JournalEvent, JournalNote, missing_between
from reticle.model.journal_limits import JOURNAL_SHOWN_CHARS
from reticle.ports import CallContext
from reticle.tools.arguments import CursorNumber
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer


class ReadArguments(Arguments, frozen=True, kw_only=True):
    """
    Which part of it.
    """

    page: Annotated[str, Meta(min_length=1, description="The page, by the name that tools call sessionId.")]
    since: Annotated[CursorNumber | None, Meta(description="Only what came after this cursor.")] = None
    after: Annotated[CursorNumber | None, Meta(description="As next of the part before says.")] = None
    newest: Annotated[CursorNumber | None, Meta(description="As next of the part before says.")] = None


async def read(context: CallContext, arguments: ReadArguments) -> ToolAnswer:
    """
    Events, commands, replies and what is missing, oldest first; ``next`` goes on.

    Raises:
        Refusal: ``not_found``: there is no journal, or nothing of that page in it.
    """
    journal, page_id = context.journal, PageId(arguments.page)
    if journal is None:
        raise Refusal(
            RefusalCode.NOT_FOUND,
            "This daemon keeps no journal.",
            "Start it with --journal on, where a restart shall not lose what pages reported.",
        )
    if not journal.holds(page_id):
        raise Refusal(
            RefusalCode.NOT_FOUND,
            f"The journal has nothing of a page {page_id}.",
            "Call reticle_sessions for the pages that are connected; older ones have made room.",
        )
    since, newest = arguments.since or 0, arguments.newest
    part = await journal.read(page_id, since, arguments.after or 0)
    entries: list[Mapping[str, object]] = []
    for chunk in part.chunks:
        entries += _gap(chunk, since if newest is None else newest)
        entries += _entries(chunk, since)
        newest = chunk.newest
    following = {"page": arguments.page, "since": since, "after": part.next, "newest": newest}
    return ToolAnswer({"entries": entries, "next": None if part.next is None else following})


def _gap(chunk: JournalChunk, newest: int) -> list[Mapping[str, object]]:
    missing = missing_between(newest, chunk)
    return [] if missing is None else [{"kind": "lost", "first": missing[0], "last": missing[1]}]


def _entries(chunk: JournalChunk, since: int) -> Iterator[Mapping[str, object]]:
    """
    In the order of time; a note stands behind the event that it names.
    """
    notes = iter(chunk.notes)
    note = next(notes, None)
    for event in chunk.events:
        while note is not None and note.at < event.seq:
            yield from _note(note, since)
            note = next(notes, None)
        if event.seq > since:
            yield _event(event)
    while note is not None:
        yield from _note(note, since)
        note = next(notes, None)


def _event(event: JournalEvent) -> Mapping[str, object]:
    told = {
        "kind": "event",
        "cursor": event.seq,
        "t_ms": event.t_ms,
        "type": event.type,
        "ref": event.ref,
        "documentId": event.document_id,
        "action": event.action_id,
        "data": _data(event.raw),
    }
    return {name: value for name, value in told.items() if value is not None}


def _note(note: JournalNote, since: int) -> Iterator[Mapping[str, object]]:
    if note.at >= since:
        yield {**note.fields, "kind": note.kind, "cursor": note.at, "t_ms": note.t_ms}


def _data(raw: bytes) -> object:
    """
    As JSON; what is long is cut, and then a text.
    """
    if len(raw) > JOURNAL_SHOWN_CHARS:
        return raw.decode("utf-8", "replace")[:JOURNAL_SHOWN_CHARS] + "…"
    try:
        return msgspec.json.decode(raw)
    except msgspec.MsgspecError:
        return None


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="journal.read",
        title="Read a page's journal",
        summary="Gives what a page reported and was asked, also before a restart, and what is missing of it.",
        arguments=ReadArguments,
        capability=Capability.ADMIN,
        annotations=ToolAnnotations(read_only=True),
        run=read,
        scope=RepositoryScope.DAEMON_GLOBAL,
        toolset=Toolset.WORK,
        example={"page": "a1b2c3", "since": 120},
    ),
)
