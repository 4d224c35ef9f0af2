"""
What the journal keeps of one page, chunk by chunk: events, commands and replies, and how its recording stood.

Every chunk carries the whole standing of the recording (documents, losses, counts), so that the newest one
alone says where to go on, whatever became of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from reticle.model.ids import ActionId, DocumentId, PageId
from reticle.model.page import App


class JournalEvent(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """
    One event as the recording took it in; the fields are those of ``PageEvent``, ``raw`` its data as JSON.
    """

    seq: int
    t_ms: int
    type: str
    raw: bytes
    ref: str | None = None
    document_id: DocumentId | None = None
    action_id: ActionId | None = None
    edit_epoch: int | None = None
    app: App | None = None
    cause: str | None = None


class JournalNote(msgspec.Struct, frozen=True, array_like=True):
    """
    What was no event of the page: ``kind`` is ``command``, ``reply`` or ``action``.

    ``at`` is the number of the newest event then, ``t_ms`` the page's time; ``fields`` hold JSON values and
    never what was typed.
    """

    at: int
    t_ms: int
    kind: str
    fields: Mapping[str, Any]


class LossStretch(msgspec.Struct, frozen=True, array_like=True):
    """
    Losses of one channel and cause between two cursors, both inclusive.
    """

    channel: str
    where: str
    first: int
    last: int
    dropped: int


class DocumentNumbers(msgspec.Struct, frozen=True, array_like=True):
    """
    A document's own count of its events, as ``bridge.page_count`` keeps it.
    """

    document_id: DocumentId | None
    newest: int
    announced: int
    unannounced: int


class RecordingState(msgspec.Struct, frozen=True, kw_only=True):
    """
    How the recording of a page stood.

    Marks are pairs of a cursor and the value from there on. ``newest`` is the number of the newest event,
    ``t_ms`` the page's time, ``resumed_at`` the number from which this life of the daemon went on (0: it
    began with the page), ``resumed_from`` the last one that it knew of the life before. ``more_requests``
    says that more requests were open than are listed, ``attested`` that the daemon had opened the page.
    """

    newest: int
    t_ms: int
    resumed_from: int = 0
    resumed_at: int = 0
    evictions: int = 0
    last_action: int = 0
    document_id: DocumentId | None = None
    documents: tuple[DocumentId | None, Sequence[tuple[int, DocumentId | None]]] = (None, ())
    connected: tuple[bool, Sequence[tuple[int, bool]]] = (True, ())
    blind_spots: tuple[Mapping[str, int], Sequence[tuple[int, Mapping[str, int]]]] = ({}, ())
    app_marks: Sequence[tuple[int, App]] = ()
    app_documents: Sequence[tuple[DocumentId | None, App]] = ()
    acted: Sequence[tuple[int, int]] = ()
    losses: Sequence[LossStretch] = ()
    counts: Sequence[DocumentNumbers] = ()
    requests: Sequence[JournalEvent] = ()
    more_requests: bool = False
    attested: bool = False


class JournalChunk(msgspec.Struct, frozen=True, kw_only=True):
    """
    One row of the journal.

    ``first`` is the number of its first event, or of the next one where it has none; between it and the
    ``newest`` of the chunk before lies what was lost (see ``missing_between``). ``at`` is seconds since the
    epoch. ``clean`` says that the recording ended with it: nothing came after. ``life`` is the number of the
    daemon's life, which the store gives it.
    """

    page_id: PageId
    first: int
    newest: int
    at: float
    resumed_from: int = 0
    resumed_at: int = 0
    clean: bool = False
    life: int = 0
    events: Sequence[JournalEvent] = ()
    notes: Sequence[JournalNote] = ()
    state: RecordingState


def judged_clean(chunks: Sequence[JournalChunk], life: int) -> Sequence[JournalChunk]:
    """
    Chunks that are recalled in this life, oldest first: the last one's word that nothing came after counts
    only when it was said in the life right before. In a life between, or earlier in this one, the page may
    have been there without one chunk that could be written.
    """
    if not chunks or not chunks[-1].clean or chunks[-1].life == life - 1:
        return chunks
    return [*chunks[:-1], replace(chunks[-1], clean=False)]


def missing_between(newest: int, following: JournalChunk) -> tuple[int, int] | None:
    """
    The first and the last number that are missing between a chunk and the one that follows, or None.

    Numbers that no event had, because the daemon went on beyond them, are no gap: what may be missing there
    is in the following chunk's own losses.
    """
    reached = max(newest, following.resumed_at) if newest >= following.resumed_from else newest
    return None if following.first <= reached + 1 else (reached + 1, following.first - 1)


class JournalPart(msgspec.Struct, frozen=True, kw_only=True):
    """
    What is read of one page at once: chunks oldest first; ``next`` is where the journal goes on behind them,
    None where it does not.
    """

    chunks: Sequence[JournalChunk]
    next: int | None = None


class JournalFigures(msgspec.Struct, frozen=True, kw_only=True):
    """
    The journal since the start: what was committed, what was left out, and why at present, if it is so.
    """

    chunks: int = 0
    events: int = 0
    bytes: int = 0
    lost_chunks: int = 0
    lost_events: int = 0
    fault: str | None = None
