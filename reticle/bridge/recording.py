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
from reticle.bridge.flood import FloodGate
from reticle.bridge.history import BlindSpots, History
from reticle.bridge.losses import ANY_CHANNEL, DOCUMENT, FLOOD, PAGE, RING, LossAccount
from reticle.bridge.page_count import PageCount
from reticle.bridge.requests import OpenRequests
from reticle.bridge.ring import Entry, EventRing
from reticle.bridge.wire import WireEvent, read_data
from reticle.model.codes import EventType
from reticle.model.ids import ActionId, Cursor, DocumentId
from reticle.model.limits import ANSWERS_REMEMBERED, CHANGES_REMEMBERED, PAGE_EVENTS
from reticle.model.page import App, BufferFill, Loss, PageEvent, PageIdentity
from reticle.model.window import Window

MAX_BLIND_SPOT_COUNT = 1_000_000
MAX_DROPPED = 1_000_000_000
"""Numbers a page reports are clamped, so that sums stay sensible whatever it sends."""

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
    """

    def __init__(
        self,
        monotonic: Callable[[], float],
        *,
        watchers: Mapping[str, Callable[[Entry], None]] | None = None,
        max_events: int = PAGE_EVENTS,
        flood: FloodGate | None = None,
    ) -> None:
        self._monotonic = monotonic
        self._born = monotonic()
        self._flood = FloodGate() if flood is None else flood
        self._losses = LossAccount()
        self._ring = EventRing(self._evicted, max_events=max_events)
        self._requests = OpenRequests(self._forgotten)
        self._answers: deque[Entry] = deque(maxlen=ANSWERS_REMEMBERED)
        self._blind_spots = BlindSpots()
        self._documents: History[DocumentId | None] = History(None)
        self._apps = Apps()
        self._acted_at = (-1, 0)
        self._connected: History[bool] = History(initial=True)
        self._count = PageCount()
        self._newest = 0
        self._evictions = 0
        self._action: ActionId | None = None
        self._watchers: dict[str, Callable[[Entry], None]] = {
            EventType.NET_PENDING: self._request_started,
            EventType.NET_REQUEST: self._request_ended,
            EventType.BLIND_SPOT: self._blind_spot,
            EventType.TRUNCATED: self._truncated,
            EventType.TRANSPORT_OVERFLOW: self._overflowed,
            **(watchers or {}),
        }

    # --- what happens ------------------------------------------------------------------------

    def record(self, events: Sequence[WireEvent], document_id: DocumentId | None, *, counted: bool) -> None:
        """
        Take a batch, oldest first.

        ``counted`` is set for scripts that number their events and name their documents; otherwise every
        event belongs to ``document_id``, and gaps prove nothing.
        """
        now = self._monotonic()
        t_ms = round((now - self._born) * 1000)
        for event in events:
            document = DocumentId(event.document_id) if counted and event.document_id else document_id
            if counted and event.page_seq is not None:
                self.lose(ANY_CHANNEL, self._count.missing_before(document, event.page_seq), PAGE)
            if not self._flood.admits(event.type, now):
                self.lose(event.type, 1, FLOOD)
                continue
            self._newest += 1
            entry = Entry(
                self._newest,
                t_ms,
                event.type,
                bytes(event.data),
                event.ref,
                document,
                self._action,
                event.edit_epoch,
                self._apps.of(document),
            )
            watcher = self._watchers.get(event.type)
            if watcher is not None:
                watcher(entry)
            self._ring.append(entry)

    def lose(self, channel: str, dropped: int, where: str) -> None:
        """
        Account for something lost at the present cursor.
        """
        self._losses.add(channel, self._newest, dropped, where)

    def attribute(self, action_id: ActionId | None) -> None:
        """
        Events from now on belong to this action, or to none.
        """
        self._action = action_id
        if action_id is not None:
            self._acted_at = (self._newest, self.elapsed_ms())

    def document_loaded(self, document_id: DocumentId | None) -> None:
        """
        A new document begins: the old one's requests and blind spots ended with it.
        """
        self._documents.set(document_id, self._newest)
        self._requests.end_all(self._newest)
        self._blind_spots.clear(self._newest)

    def shows(self, app: App, document_id: DocumentId | None) -> None:
        """
        The present document, and what comes from now on, is that app's.
        """
        self._apps.shows(app, document_id, self.cursor())

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
            blind_spots=self._blind_spots.during(since, end),
            connection_lost=not self._connected.at(end),
            document_id=self._documents.at(end),
            new_document=self._documents.at(end) != self._reporting_at(since),
            open_requests_before=self._requests.open_at(since),
            answers_before=[entry.event() for entry in self._answers if entry.seq <= since],
            changes_before=self._changes_until(since),
        )

    # --- inside ------------------------------------------------------------------------------

    def _changes_until(self, cursor: Cursor) -> Sequence[PageEvent]:
        newest = self.events(cursor - CHANGES_REMEMBERED, cursor)
        return [event for event in newest if event.type.startswith(_CHANGES)]

    def _time_at(self, cursor: Cursor) -> int:
        """
        When a window that begins at a cursor begins: with the action taken there, else with its event.
        """
        acted_at, t_ms = self._acted_at
        return t_ms if cursor == acted_at else self._ring.time_at(cursor)

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

    def _evicted(self, entry: Entry) -> None:
        self._evictions += 1
        self._losses.add(entry.type, entry.seq - 1, 1, RING)

    def _forgotten(self, entry: Entry) -> None:
        self._losses.add(entry.type, self._newest, 1, RING)

    def _request_started(self, entry: Entry) -> None:
        request_id = _scalar(read_data(entry.raw).get("id"))
        if request_id is not None:
            self._requests.started((entry.document_id, request_id), entry)

    def _request_ended(self, entry: Entry) -> None:
        self._answers.append(entry)
        self._requests.ended((entry.document_id, _scalar(read_data(entry.raw).get("id"))), entry.seq)

    def _blind_spot(self, entry: Entry) -> None:
        data = read_data(entry.raw)
        kind, count = data.get("kind"), data.get("count")
        if isinstance(kind, str) and isinstance(count, int):
            self._blind_spots.report(kind[:64], min(max(count, 0), MAX_BLIND_SPOT_COUNT), entry.seq)

    def _truncated(self, entry: Entry) -> None:
        data = read_data(entry.raw)
        channel = data.get("channel")
        self._page_dropped(channel if isinstance(channel, str) else ANY_CHANNEL, data.get("dropped"), entry)

    def _overflowed(self, entry: Entry) -> None:
        data = read_data(entry.raw)
        channels, dropped = data.get("channels"), data.get("dropped")
        named = channels if isinstance(channels, dict) else {}
        told = sum(count for count in named.values() if isinstance(count, int))
        total = max(dropped if isinstance(dropped, int) else 1, told)
        met = self._count.announce(entry.document_id, min(total, MAX_DROPPED))
        self._losses.take_back(ANY_CHANNEL, met, PAGE)
        for channel, count in named.items():
            self._page_dropped(channel, count, entry)
        if total > told:
            self._page_dropped(ANY_CHANNEL, total - told, entry)

    def _page_dropped(self, channel: str, dropped: object, entry: Entry) -> None:
        count = min(dropped, MAX_DROPPED) if isinstance(dropped, int) and dropped > 0 else 1
        self._losses.add(channel[:64], entry.seq - 1, count, PAGE)


def _scalar(value: object) -> str | int | None:
    return value if isinstance(value, str | int) else None
