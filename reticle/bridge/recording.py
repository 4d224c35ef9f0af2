"""
The recording of one page: events in, windows out.

It stamps events on arrival (number, time, action), keeps them in the ring, and accounts for everything
that is missing: gaps in the page's own count, what the page says it dropped, floods, evictions.
It knows nothing of sockets and commands; ``reticle.bridge.page`` drives it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from reticle.bridge.apps import Apps
from reticle.bridge.bookkeeping import Bookkeeping
from reticle.bridge.flood import FloodGate
from reticle.bridge.history import History
from reticle.bridge.losses import ANY_CHANNEL, DOCUMENT, FLOOD, PAGE, LossAccount
from reticle.bridge.page_count import PageCount
from reticle.bridge.past import Past
from reticle.bridge.ring import Entry, EventRing
from reticle.bridge.ring_space import RingSpace
from reticle.bridge.tape import Tape, journalled
from reticle.bridge.wire import WireEvent
from reticle.model.codes import EventType
from reticle.model.ids import ActionId, Cursor, DocumentId
from reticle.model.journal import RecordingState
from reticle.model.journal_limits import REQUESTS_JOURNALLED
from reticle.model.limits import ACTIONS_REMEMBERED, CHANGES_REMEMBERED, EVENT_DATA_BYTES, PAGE_EVENTS
from reticle.model.page import App, BufferFill, Loss, PageEvent, PageIdentity
from reticle.model.window import Window

_NAMES: Mapping[str, str] = {name.value: name.value for name in EventType}
"""One text for all events of a type, instead of one per event."""

_CHANGES = ("dom.", "visible.", "state.", "signal")
"""How the types begin of what shows that something moved."""


class Recording:
    """
    All that is known of one page's past.

    Args:
        monotonic: The clock, seconds; time 0 of the recording is now.
        watchers: Called with each recorded event of a type; for types that the recording does not watch.
        max_events: The cap of the event buffer.
        flood: The rate gate; made with the usual rate when None.
        space: What its events share with those of other pages.
    """

    def __init__(
        self,
        monotonic: Callable[[], float],
        *,
        watchers: Mapping[str, Callable[[Entry], None]] | None = None,
        max_events: int = PAGE_EVENTS,
        flood: FloodGate | None = None,
        space: RingSpace | None = None,
    ) -> None:
        self._monotonic = monotonic
        self._born = monotonic()
        self._flood = FloodGate() if flood is None else flood
        self._losses = LossAccount()
        self._ring = EventRing(self._evicted, max_events=max_events, space=space)
        self._documents: History[DocumentId | None] = History(None)
        self._apps = Apps()
        self._acted: deque[tuple[Cursor, int]] = deque(maxlen=ACTIONS_REMEMBERED)
        self._connected: History[bool] = History(initial=True)
        self._counts = PageCount()
        self._books = Bookkeeping(self._losses, self._counts, self.cursor)
        self._newest = 0
        self._evictions = 0
        self._action: ActionId | None = None
        self._watchers = dict(watchers or {})
        self._resumed_from = self._resumed_at = 0
        self._tape: Tape | None = None

    # --- what happens ------------------------------------------------------------------------

    def record(self, events: Sequence[WireEvent], document_id: DocumentId | None, *, counted: bool) -> None:
        """
        Take a batch, oldest first.

        ``counted`` is set for scripts that number their events and name their documents; otherwise every
        event belongs to ``document_id``, and gaps prove nothing.
        """
        now = self._monotonic()
        t_ms = round((now - self._born) * 1000)
        all_fit = self._flood.takes(len(events), now)
        counts = app = None
        document = last_document = None
        watchers, books, action = self._watchers, self._books.watchers, self._action
        entries: list[Entry] = []
        for event in events:
            named = event.document_id if counted else None
            if counts is None or named != last_document:
                last_document = named
                document = DocumentId(named) if named else document_id
                counts, app = self._counts.of(document), self._apps.of(document)
            seq = event.page_seq
            if counted and seq is not None:
                if seq == counts.newest + 1:
                    counts.newest = seq
                else:
                    self._losses.add(ANY_CHANNEL, self._gap_at(), counts.missing_before(seq), PAGE)
            raw = bytes(event.data)
            kind = _NAMES.get(event.type) or event.type
            if len(raw) > EVENT_DATA_BYTES:
                self.lose(kind, 1, PAGE)
                continue
            if not all_fit and not self._flood.admits(kind, now):
                self.lose(kind, 1, FLOOD)
                continue
            self._newest += 1
            cause = event.cause if counted else None
            entry = Entry(
                self._newest, t_ms, kind, raw, event.ref, document, action, event.edit_epoch, app, cause
            )
            entries.append(entry)
            if kind in books:
                books[kind](entry)
            elif kind in watchers:
                watchers[kind](entry)
                counts = None  # it may have learned whose document this is
        self._ring.extend(entries)
        if self._tape is not None:
            self._tape.took(entries)

    def journalled(self, tape: Tape) -> None:
        """
        From now on the journal is told, in chunks.
        """
        self._tape = tape

    def resume(self, past: Past) -> None:
        """
        Go on where an earlier life of the daemon was; before anything is recorded. What was lost meanwhile is
        in the account.
        """
        state = past.state
        self._born = self._monotonic() - past.elapsed_ms / 1000
        self._books.replay(past.entries, state)
        self._documents.restore(state.documents)
        self._apps.restore(state.app_marks, state.app_documents)
        self._connected.restore(state.connected)
        self._acted.extend((Cursor(at), t_ms) for at, t_ms in state.acted)
        self._counts.restore(state.counts)
        self._evictions = state.evictions
        self._losses.restore(past.losses)
        self._ring.extend(past.entries)
        if self._connected.now:
            self._connected.set(value=False, at=state.newest)
        self._resumed_from = state.newest
        self._newest = self._resumed_at = past.resumed_at

    def state(self, last_action: Cursor, *, attested: bool) -> RecordingState:
        """
        How it stands now, for the journal; ``last_action`` and ``attested`` are the page's.
        """
        requests, more = self._books.requests.newest_open(REQUESTS_JOURNALLED)
        app_marks, app_documents = self._apps.marks()
        return RecordingState(
            newest=self._newest,
            t_ms=self.elapsed_ms(),
            resumed_from=self._resumed_from,
            resumed_at=self._resumed_at,
            evictions=self._evictions,
            last_action=last_action,
            document_id=self._documents.now,
            documents=self._documents.marks(),
            connected=self._connected.marks(),
            blind_spots=self._books.blind_spots.marks(),
            app_marks=app_marks,
            app_documents=app_documents,
            acted=[*self._acted],
            losses=self._losses.stretches(),
            counts=self._counts.told(),
            requests=[journalled(entry) for entry in requests],
            more_requests=more,
            attested=attested,
        )

    def forget(self) -> None:
        """
        Let every event go, as if pushed out by newer ones: whoever still reads learns that they are missing.
        """
        self._ring.clear()
        self._books.answers.clear()

    def lose(self, channel: str, dropped: int, where: str) -> None:
        """
        Account for something lost at the present cursor.
        """
        self._losses.add(channel, self._newest, dropped, where)
        self._changed()

    def attribute(self, action_id: ActionId | None) -> None:
        """
        Events from now on belong to this action, or to none.
        """
        self._action = action_id
        if action_id is not None:
            self._acted.append((self.cursor(), self.elapsed_ms()))
            self._changed()

    def document_loaded(self, document_id: DocumentId | None) -> None:
        """
        A new document begins: the old one's requests and blind spots ended with it.
        """
        self._documents.set(document_id, self._newest)
        self._books.requests.end_all(self._newest)
        self._books.blind_spots.clear(self._newest)
        self._changed()

    def shows(self, app: App, document_id: DocumentId | None) -> None:
        """
        The present document, and what comes from now on, is that app's.
        """
        self._apps.shows(app, document_id, self.cursor())
        self._changed()

    def document_ended_unseen(self) -> None:
        """
        The old document ended in a way that may have swallowed its last events.
        """
        self.lose(ANY_CHANNEL, 1, DOCUMENT)

    def connection(self, *, connected: bool) -> None:
        """
        The socket came or went.
        """
        self._connected.set(connected, self._newest)
        self._changed()

    # --- what is known -----------------------------------------------------------------------

    def cursor(self) -> Cursor:
        """
        The number of the newest event.
        """
        return Cursor(self._newest)

    def elapsed_ms(self) -> int:
        """
        Milliseconds since the recording began.
        """
        return round((self._monotonic() - self._born) * 1000)

    def lost(self) -> int:
        """
        How much was ever lost, for status pages.
        """
        return self._losses.total

    def held(self) -> tuple[int, int]:
        """
        Events and bytes in the ring, for status pages.
        """
        return len(self._ring), self._ring.held_bytes

    def buffer(self) -> BufferFill:
        """
        What the ring holds and what it let go.
        """
        return BufferFill(len(self._ring), self._evictions)

    def events(self, since: int, until: int | None = None) -> Sequence[PageEvent]:
        """
        Held events with ``since < seq <= until``.
        """
        return self._ring.between(since, until)

    def apps(self, since: Cursor, until: Cursor | None = None) -> Sequence[tuple[Cursor, App | None]]:
        """
        See ``ports.Page``.
        """
        return self._apps.during(since, self.cursor() if until is None else until)

    def losses(self, since: int, until: int) -> Sequence[Loss]:
        """
        What a window over that stretch may miss.
        """
        return self._losses.between(since, until)

    def window(self, identity: PageIdentity, since: Cursor, until: Cursor | None = None) -> Window:
        """
        See ``ports.Page.window``. A window that ends in the past closes at its last event's time: silence
        after that cannot be proved from the recording.
        """
        end = self.cursor() if until is None else until
        return Window(
            page=identity,
            since=since,
            until=end,
            opened_t_ms=self._time_at(since),
            closed_t_ms=self.elapsed_ms() if end >= self._newest else self._ring.time_at(end),
            events=self.events(since, end),
            losses=self.losses(since, end),
            blind_spots=self._books.blind_spots.during(since, end),
            connection_lost=not self._connected.at(end),
            document_id=self._documents.at(end),
            new_document=self._documents.at(end) != self._reporting_at(since),
            open_requests_before=self._books.requests.open_at(since),
            answers_before=[entry.event() for entry in self._books.answers if entry.seq <= since],
            changes_before=self._changes_until(since),
            acted_at=self._acted_until(end),
        )

    # --- inside ------------------------------------------------------------------------------

    def _changed(self) -> None:
        if self._tape is not None:
            self._tape.changed()

    def _gap_at(self) -> int:
        """
        Where a gap in the page's own count lies. One before the first event after a restart is what the page
        said to nobody: before every cursor of this life.
        """
        return self._newest - 1 if 0 < self._newest == self._resumed_at else self._newest

    def _changes_until(self, cursor: Cursor) -> Sequence[PageEvent]:
        first = cursor - CHANGES_REMEMBERED
        if first < self._resumed_at <= cursor:
            first -= self._resumed_at - self._resumed_from  # numbers that no event had
        newest = self.events(first, cursor)
        return [event for event in newest if event.type.startswith(_CHANGES)]

    def _time_at(self, cursor: Cursor) -> int:
        """
        When a window that begins at a cursor begins: with the action taken there, else with its event.
        """
        acted_at, t_ms = self._acted[-1] if self._acted else (-1, 0)
        return t_ms if cursor == acted_at else self._ring.time_at(cursor)

    def _acted_until(self, cursor: Cursor) -> Sequence[int]:
        """
        When the actions up to a cursor began, oldest first.
        """
        return [t_ms for at, t_ms in self._acted if at <= cursor]

    def _reporting_at(self, cursor: Cursor) -> DocumentId | None:
        """
        The document that the event at a cursor came from; None where there was no event yet.

        A document's own mark lies at the cursor where it was loaded, which may be the very one that an
        action began at: an action that loads it at once would seem to have begun in it.
        """
        last = self._ring.last_until(cursor)
        if last is None:
            return None if cursor <= 0 else self._documents.at(cursor)
        return last.document_id

    def _evicted(self, entries: Sequence[Entry]) -> None:
        self._evictions += len(entries)
        self._losses.add_evicted(entries)
