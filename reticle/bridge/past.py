"""
What the journal knows of a page that comes back after a restart: with which number and time to go on, and
what is missing.

The last moments before a daemon is killed are in no journal, and somebody may hold a cursor out of them. So
the numbers go on beyond every one that can have been given out, and all between is a declared loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import attrs

from reticle.bridge.losses import ANY_CHANNEL, JOURNAL
from reticle.bridge.ring import Entry
from reticle.model.codes import EventType
from reticle.model.journal import JournalChunk, JournalEvent, LossStretch, RecordingState, missing_between
from reticle.model.limits import PAGE_EVENTS_PER_SECOND
from reticle.model.page import App

MOST_PER_SECOND: Final = 2 * PAGE_EVENTS_PER_SECOND
"""Of one page, the reserve for what decides included (``bridge.flood``)."""

_SECONDS_MORE: Final = 2
"""The gate counts whole seconds, and the first and the last one are only begun."""

_CLOCK_WENT_BACK_SECONDS: Final = 86_400.0


@attrs.frozen
class Past:
    """
    Where to go on.

    ``entries`` are the events to keep, oldest first; ``losses`` the whole account; ``resumed_at`` the number
    behind which the next event comes, ``elapsed_ms`` the page's time now.
    """

    state: RecordingState
    entries: Sequence[Entry]
    losses: Sequence[LossStretch]
    resumed_at: int
    elapsed_ms: int


def past_of(chunks: Sequence[JournalChunk], now: float) -> Past:
    """
    What to restore from the newest chunks of a page, oldest first, at least one; ``now`` in seconds since the
    epoch.
    """
    last = chunks[-1]
    state = last.state
    losses = [*state.losses, *_gaps(chunks)]
    away_seconds = now - last.at
    resumed_at = state.newest + 1
    if not last.clean:
        span = away_seconds if away_seconds >= 0 else _CLOCK_WENT_BACK_SECONDS
        resumed_at += math.ceil((span + _SECONDS_MORE) * MOST_PER_SECOND)
        losses.append(LossStretch(ANY_CHANNEL, JOURNAL, state.newest, resumed_at - 1, 1))
    if state.more_requests:
        losses.append(LossStretch(EventType.NET_PENDING, JOURNAL, resumed_at, resumed_at, 1))
    return Past(
        state,
        entries_of([event for chunk in chunks for event in chunk.events]),
        losses,
        resumed_at,
        state.t_ms + round(max(away_seconds, 0.0) * 1000),
    )


def entries_of(events: Sequence[JournalEvent]) -> list[Entry]:
    """
    Events of the journal as the ring holds them; few apps, so that each is one object.
    """
    apps: dict[App | None, App | None] = {}
    return [
        Entry(
            event.seq,
            event.t_ms,
            event.type,
            event.raw,
            event.ref,
            event.document_id,
            event.action_id,
            event.edit_epoch,
            apps.setdefault(event.app, event.app),
            event.cause,
        )
        for event in events
    ]


def _gaps(chunks: Sequence[JournalChunk]) -> list[LossStretch]:
    """
    What lies between chunks, and before the first: left out, or made room.
    """
    found, newest = [], 0
    for chunk in chunks:
        missing = missing_between(newest, chunk)
        if missing is not None:
            first, last = missing
            found.append(LossStretch(ANY_CHANNEL, JOURNAL, first - 1, last - 1, last - first + 1))
        newest = chunk.newest
    return found
