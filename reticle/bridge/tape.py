"""
The way of one page's recording into the journal: in chunks, so that an event costs next to nothing here.

What is handed over is never changed afterwards, and is encoded in the journal's own thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from twisted.internet.interfaces import IDelayedCall, IReactorTime

from reticle.bridge.ring import Entry
from reticle.model.ids import PageId
from reticle.model.journal import JournalChunk, JournalEvent, JournalNote, RecordingState
from reticle.model.journal_limits import CHUNK_BYTES, CHUNK_EVENTS, CHUNK_NOTES, CHUNK_SECONDS
from reticle.ports import Journal

_TELLING: Final = frozenset({"ref", "action", "kind", "by", "depth", "limit", "direction", "mode", "state"})

STATE_BYTES: Final = 500
"""What the standing of a recording and a row cost, for the rate."""


class Tape:
    """
    One page's.

    Args:
        page_id: Its name.
        tapes: Whose it is.
        state: How the recording stands now.
    """

    def __init__(self, page_id: PageId, tapes: Tapes, state: Callable[[], RecordingState]) -> None:
        self._page_id = page_id
        self._tapes = tapes
        self._state = state
        self._entries: list[Entry] = []
        self._bytes = 0
        self._notes: list[JournalNote] = []
        self._dirty = False
        self._ended = False

    def took(self, entries: Sequence[Entry]) -> None:
        """
        The recording has these too now, and may stand otherwise than before.
        """
        self._entries += entries
        for entry in entries:
            self._bytes += len(entry.raw)
        if not self._dirty:
            self.changed()
        if len(self._entries) >= CHUNK_EVENTS or self._bytes >= CHUNK_BYTES:
            self.hand_over()

    def changed(self) -> None:
        """
        The recording stands otherwise than before.
        """
        if not self._dirty and not self._ended:
            self._dirty = True
            self._tapes.wrote(self)

    def note(self, at: int, t_ms: int, kind: str, fields: Mapping[str, object]) -> None:
        """
        Something happened that is no event; ``fields`` hold JSON values and no secret.
        """
        self._notes.append(JournalNote(at, t_ms, kind, fields))
        self.changed()
        if len(self._notes) >= CHUNK_NOTES:
            self.hand_over()

    def hand_over_if_dirty(self) -> None:
        """
        The time is over: as ``hand_over``, unless that was done already.
        """
        if self._dirty:
            self.hand_over()

    def hand_over(self, *, clean: bool = False) -> None:
        """
        Give the journal what there is. ``clean``: the recording ends with it.
        """
        entries, self._entries = self._entries, []
        notes, self._notes = self._notes, []
        size, self._bytes, self._dirty = self._bytes, 0, False
        if self._ended:
            return
        self._ended = clean
        size += STATE_BYTES + len(entries) * 40
        if self._tapes.journal.admits(len(entries), size):
            self._tapes.keep(self._page_id, entries, notes, self._state(), size, clean=clean)


class Tapes:
    """
    Those of all pages: one timer, and the journal.

    Args:
        journal: Where chunks go.
        clock: For the timer.
        now: Seconds since the epoch.
    """

    def __init__(self, journal: Journal, clock: IReactorTime, now: Callable[[], float]) -> None:
        self.journal = journal
        self._clock = clock
        self._now = now
        self._dirty: list[Tape] = []
        self._timer: IDelayedCall | None = None
        self._stopped = False

    def wrote(self, tape: Tape) -> None:
        """
        That one has something to hand over.
        """
        self._dirty.append(tape)
        if self._timer is None and not self._stopped:
            self._timer = self._clock.callLater(CHUNK_SECONDS, self._hand_over)

    def keep(
        self,
        page_id: PageId,
        entries: Sequence[Entry],
        notes: Sequence[JournalNote],
        state: RecordingState,
        size: int,
        *,
        clean: bool,
    ) -> None:
        """
        Hand a chunk to the journal, which has admitted it.
        """
        make = partial(_chunk, page_id, entries, notes, state, at=self._now(), clean=clean)
        self.journal.keep(page_id, len(entries), size, make)

    def stop(self) -> None:
        """
        No timer any more; what comes after is not journalled.
        """
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hand_over(self) -> None:
        self._timer = None
        dirty, self._dirty = self._dirty, []
        for tape in dirty:
            tape.hand_over_if_dirty()


def _chunk(
    page_id: PageId,
    entries: Sequence[Entry],
    notes: Sequence[JournalNote],
    state: RecordingState,
    *,
    at: float,
    clean: bool,
) -> JournalChunk:
    """
    In the journal's thread.
    """
    return JournalChunk(
        page_id=page_id,
        first=entries[0].seq if entries else state.newest + 1,
        newest=state.newest,
        at=at,
        resumed_from=state.resumed_from,
        resumed_at=state.resumed_at,
        clean=clean,
        events=[journalled(entry) for entry in entries],
        notes=notes,
        state=state,
    )


def without_values(args: Mapping[str, object]) -> Mapping[str, object]:
    """
    A command's arguments for the journal: which ones, with the value of those alone that name a place or a
    manner. What is typed, chosen or looked for may be a secret.
    """
    return {
        name: value if name in _TELLING and isinstance(value, str | int | bool) else "…"
        for name, value in args.items()
    }


def journalled(entry: Entry) -> JournalEvent:
    """
    An entry of the ring as the journal has it.
    """
    return JournalEvent(
        entry.seq,
        entry.t_ms,
        entry.type,
        entry.raw,
        entry.ref,
        entry.document_id,
        entry.action_id,
        entry.edit_epoch,
        entry.app,
        entry.cause,
    )
