"""
What some events mean for the recording that they are in: which requests are open, what cannot be watched,
what the page dropped itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Final

import msgspec

from reticle.bridge.history import BlindSpots
from reticle.bridge.losses import ANY_CHANNEL, PAGE, RING, LossAccount
from reticle.bridge.newest import NewestEntries
from reticle.bridge.page_count import PageCount
from reticle.bridge.past import entries_of
from reticle.bridge.requests import OpenRequests
from reticle.bridge.ring import Entry
from reticle.bridge.wire import read_data
from reticle.model.bridge_limits import ANSWERS_REMEMBERED_BYTES
from reticle.model.codes import EventType
from reticle.model.journal import RecordingState
from reticle.model.limits import ANSWERS_REMEMBERED, LOSS_CHANNELS

MAX_BLIND_SPOT_COUNT: Final = 1_000_000
MAX_DROPPED: Final = 1_000_000_000
"""Numbers a page reports are clamped, so that sums stay sensible whatever it sends."""


class _Numbered(msgspec.Struct, gc=False):
    """
    The one thing of a request that is wanted at once; the rest of its data stays undecoded.
    """

    id: str | int | None = None


_decode_numbered = msgspec.json.Decoder(_Numbered).decode


class Bookkeeping:
    """
    Follows the events of one page.

    Args:
        losses: Where is noted what the page dropped, and which open requests were forgotten.
        counts: The page's own count, which a page that dropped events has told about.
        cursor: The number of the newest event.
    """

    def __init__(self, losses: LossAccount, counts: PageCount, cursor: Callable[[], int]) -> None:
        self._losses = losses
        self._counts = counts
        self._cursor = cursor
        self.requests = OpenRequests(self._forgotten)
        self.answers: NewestEntries[Entry] = NewestEntries(
            lambda entry: entry, ANSWERS_REMEMBERED, ANSWERS_REMEMBERED_BYTES
        )
        self.blind_spots = BlindSpots()
        self.watchers: Mapping[str, Callable[[Entry], None]] = {
            EventType.NET_PENDING: self._request_started,
            EventType.NET_REQUEST: self._request_ended,
            EventType.BLIND_SPOT: self._blind_spot,
            EventType.TRUNCATED: self._truncated,
            EventType.TRANSPORT_OVERFLOW: self._overflowed,
        }

    def replay(self, entries: Sequence[Entry], state: RecordingState) -> None:
        """
        Know again, from the journal, which requests were open when: those of ``state`` are now.
        """
        documents = deque(at for at, _ in state.documents[1])
        for entry in entries:
            while documents and documents[0] < entry.seq:
                self.requests.end_all(documents.popleft())
            if entry.type == EventType.NET_PENDING:
                self._request_started(entry)
            elif entry.type == EventType.NET_REQUEST:
                self._request_ended(entry)
        for at in documents:
            self.requests.end_all(at)
        self._take_over(state)
        self.blind_spots.restore(state.blind_spots)

    def _take_over(self, state: RecordingState) -> None:
        """
        Where chunks are missing, the present ones are known all the same.
        """
        still_open = {(told.document_id, _request_id(told.raw)): told for told in state.requests}
        if not state.more_requests:
            for key in self.requests.open_keys():
                if key not in still_open:
                    self.requests.ended(key, state.newest)
        for key, told in still_open.items():
            if not self.requests.is_open(key):
                self.requests.started(key, entries_of([told])[0])

    def _forgotten(self, entry: Entry) -> None:
        self._losses.add(entry.type, self._cursor(), 1, RING)

    def _request_started(self, entry: Entry) -> None:
        request_id = _request_id(entry.raw)
        if request_id is not None:
            self.requests.started((entry.document_id, request_id), entry)

    def _request_ended(self, entry: Entry) -> None:
        self.answers.append(entry)
        self.requests.ended((entry.document_id, _request_id(entry.raw)), entry.seq)

    def _blind_spot(self, entry: Entry) -> None:
        data = read_data(entry.raw)
        kind, count = data.get("kind"), data.get("count")
        if isinstance(kind, str) and isinstance(count, int):
            self.blind_spots.report(kind[:64], min(max(count, 0), MAX_BLIND_SPOT_COUNT), entry.seq)

    def _truncated(self, entry: Entry) -> None:
        data = read_data(entry.raw)
        channel = data.get("channel")
        self._page_dropped(channel if isinstance(channel, str) else ANY_CHANNEL, data.get("dropped"), entry)

    def _overflowed(self, entry: Entry) -> None:
        data = read_data(entry.raw)
        channels, dropped = data.get("channels"), data.get("dropped")
        everything = channels if isinstance(channels, dict) else {}
        named = dict(islice(everything.items(), LOSS_CHANNELS))
        told = _sum(named)
        total = max(dropped if isinstance(dropped, int) else 1, _sum(everything))
        met = self._counts.of(entry.document_id).announce(min(total, MAX_DROPPED))
        self._losses.take_back(ANY_CHANNEL, met, PAGE)
        for channel, count in named.items():
            self._page_dropped(channel, count, entry)
        if total > told:
            self._page_dropped(ANY_CHANNEL, total - told, entry)

    def _page_dropped(self, channel: str, dropped: object, entry: Entry) -> None:
        count = min(dropped, MAX_DROPPED) if isinstance(dropped, int) and dropped > 0 else 1
        self._losses.add(channel[:64], entry.seq - 1, count, PAGE)


def _sum(counts: Mapping[str, object]) -> int:
    return sum(count for count in counts.values() if isinstance(count, int))


def _request_id(raw: bytes) -> str | int | None:
    try:
        return _decode_numbered(raw).id
    except msgspec.MsgspecError:
        return None
