"""
What a page in memory has reported: its events, what was lost of them, when it was connected.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from reticle.model.codes import EventType
from reticle.model.ids import Cursor
from reticle.model.page import Loss, PageEvent, PageIdentity
from reticle.model.window import Window

_CHANGES = ("dom.", "visible.", "state.", "signal")


@attrs.define
class PagePast:
    """
    One page's reports, from which windows are cut.
    """

    reported: list[PageEvent] = attrs.field(factory=list, init=False)
    _losses: list[Loss] = attrs.field(factory=list, init=False)
    _socket_at: list[tuple[int, bool]] = attrs.field(factory=list, init=False)
    _loaded_at: int = attrs.field(default=-1, init=False)

    def cursor(self) -> Cursor:
        """
        The number of the latest event.
        """
        return Cursor(len(self.reported))

    def lost(self, channel: str, dropped: int, where: str) -> None:
        """
        Evidence was lost at the present cursor.
        """
        self._losses.append(Loss(self.cursor(), channel, dropped, where))

    def loaded(self) -> None:
        """
        Another document was loaded.
        """
        self._loaded_at = self.cursor()

    def connected(self, *, now: bool) -> None:
        """
        The page's socket was opened, or ended.
        """
        self._socket_at.append((self.cursor(), now))

    def events(self, since: Cursor, until: Cursor | None) -> Sequence[PageEvent]:
        """
        The events after one cursor up to another, or to the present.
        """
        return self.reported[max(since, 0) : until]

    def window(self, page: PageIdentity, since: Cursor, until: Cursor | None, now_ms: int) -> Window:
        """
        What was reported between two cursors, the second being the present where it is not given.
        """
        end = self.cursor() if until is None else until
        events = self.events(since, end)
        before = self.reported[: max(since, 0)]
        return Window(
            page=page,
            since=since,
            until=end,
            opened_t_ms=self.reported[since - 1].t_ms if 0 < since <= len(self.reported) else 0,
            closed_t_ms=now_ms if until is None or not events else events[-1].t_ms,
            events=events,
            losses=[loss for loss in self._losses if since <= loss.since <= end],
            blind_spots=self._blind_spots(end),
            connection_lost=not self._connected_at(end),
            document_id=page.document_id,
            new_document=any(event.document_id != page.document_id for event in events)
            or self._loaded_at >= since,
            open_requests_before=self._open_requests(since),
            answers_before=[event for event in before if event.type == EventType.NET_REQUEST],
            changes_before=[event for event in before if event.type.startswith(_CHANGES)],
        )

    def _connected_at(self, cursor: Cursor) -> bool:
        past = [connected for at, connected in self._socket_at if at <= cursor]
        return past[-1] if past else True

    def _blind_spots(self, until: Cursor) -> dict[str, int]:
        spots: dict[str, int] = {}
        for event in self.reported[:until]:
            kind, count = event.data.get("kind"), event.data.get("count")
            if event.type == EventType.BLIND_SPOT and isinstance(kind, str) and isinstance(count, int):
                spots[kind] = count
        return {kind: count for kind, count in spots.items() if count}

    def _open_requests(self, since: Cursor) -> list[PageEvent]:
        pending: dict[object, PageEvent] = {}
        for event in self.reported[:since]:
            if event.type == EventType.NET_PENDING:
                pending[event.document_id, event.data.get("id")] = event
            elif event.type == EventType.NET_REQUEST:
                pending.pop((event.document_id, event.data.get("id")), None)
        return list(pending.values())
