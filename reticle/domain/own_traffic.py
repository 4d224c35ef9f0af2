"""
Which requests are the app's own doing: no tooling, no telemetry, no beacon, no regular poll.

A poll may beat too rarely to be known by one window, so the answers from before it count as beats too: one
that failed before the action already, and goes on failing at its own pace, is not the action's fault.
What the page followed to its cause is no matter of pace (``domain.attribution``).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from reticle.domain.attribution import Initiator, initiator_of_request
from reticle.domain.channels import of_types
from reticle.domain.facts import text_of
from reticle.domain.memo import once_per_window
from reticle.domain.polls import call_name, long_polls, regular_polls
from reticle.domain.requests import Request, answer_of, ended_requests, requests
from reticle.domain.tooling import is_dev_tooling, is_long_lived, is_telemetry
from reticle.model.codes import EventType
from reticle.model.ids import DocumentId
from reticle.model.limits import BODIES_JUDGED, LONG_POLL_MS
from reticle.model.page import PageEvent
from reticle.model.window import Window

_WireName = tuple[DocumentId | None, str] | None


@once_per_window
def own_requests(window: Window) -> tuple[Request, ...]:
    """
    The app's own requests that ended in the window.
    """
    return tuple(one for one in ended_requests(window) if _is_own(one, window))


@once_per_window
def open_reads(window: Window) -> tuple[Request, ...]:
    """
    The reads that ``own_requests`` would have if they had been answered: how they end may still matter, and
    how one would have ended that its document left behind.
    """
    return tuple(
        one
        for one in requests(window)
        if one.ended is None
        and not one.mutating
        and not (one.before and window.action is not None)
        and not is_stream(one, window)
        and _is_own(one, window)
    )


@once_per_window
def own_writes(window: Window) -> tuple[Request, ...]:
    """
    The app's own writes that succeeded, at most ``BODIES_JUDGED`` of them, the earliest.
    """
    written = (one for one in own_requests(window) if one.mutating and one.ok)
    return tuple(itertools.islice(written, BODIES_JUDGED))


def failed_before(one: Request, window: Window) -> bool:
    """
    Whether the same read had failed already when it was last answered before the window.
    """
    return not one.mutating and _last_before(window).get(call_name(one.method, one.url)) is False


@once_per_window
def _last_before(window: Window) -> Mapping[str, bool | None]:
    """
    How each call went when it was last answered before the window.
    """
    last: dict[str, bool | None] = {}
    for event in window.answers_before:
        method = (text_of(event.data, "method") or "GET").upper()
        last[call_name(method, text_of(event.data, "url") or "")] = answer_of(event)[1]
    return last


def _is_own(one: Request, window: Window) -> bool:
    if one.initiator == "beacon" or is_dev_tooling(one.url) or is_telemetry(one.url):
        return False
    doer = initiator_of_request(one, window)
    if doer is Initiator.OTHER:
        return False
    if one.mutating:
        return True
    if doer is Initiator.ACTION:
        return not is_meant_to_last(one, window)
    return not is_meant_to_last(one, window) and call_name(one.method, one.url) not in polls_of(window)


@once_per_window
def polls_of(window: Window) -> frozenset[str]:
    """
    What repeats by its beginnings alone, so that a call is a poll or none however long its answer takes.
    """
    earlier = window.answers_before
    acted = [*window.acted_at, *([window.opened_t_ms] if window.action is not None else [])]
    return frozenset(
        [*regular_polls(requests(window), earlier, acted), *long_polls(requests(window), earlier)]
    )


def is_meant_to_last(one: Request, window: Window) -> bool:
    """
    Whether nobody waits for a request to end: a transport that stays open, or a read that was open for long
    before the window.
    """
    if is_long_lived(one.url):
        return True
    return one.before and not one.mutating and window.opened_t_ms - one.t_ms >= LONG_POLL_MS


def is_stream(one: Request, window: Window) -> bool:
    """
    Whether the answer has begun and goes on, as server-sent events do.
    """
    return _wire_name(one.begun) in _streams(window)


@once_per_window
def _streams(window: Window) -> frozenset[_WireName]:
    return frozenset(_wire_name(event) for event in of_types(window, EventType.NET_STREAM)) - {None}


def _wire_name(event: PageEvent | None) -> _WireName:
    """
    What pairs the events of one channel; None where the page names none.
    """
    wire_id = event.data.get("id") if event is not None else None
    return None if event is None or wire_id is None else (event.document_id, str(wire_id))
