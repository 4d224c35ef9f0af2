"""
Which requests are the app's own doing: no tooling, no telemetry, no beacon, no regular poll.

A poll may beat too rarely to be known by one window, so the answers from before it count as beats too: one
that failed before the action already, and goes on failing at its own pace, is not the action's fault.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from reticle.domain.facts import text_of
from reticle.domain.memo import once_per_window
from reticle.domain.polls import call_name, regular_polls
from reticle.domain.requests import Request, answer_of, ended_requests
from reticle.domain.tooling import is_dev_tooling, is_telemetry
from reticle.model.limits import BODIES_JUDGED
from reticle.model.window import Window


@once_per_window
def own_requests(window: Window) -> tuple[Request, ...]:
    """
    The app's own requests that ended in the window.
    """
    ended = ended_requests(window)
    polls = regular_polls(ended, window.answers_before)
    return tuple(
        one
        for one in ended
        if one.initiator != "beacon"
        and not is_dev_tooling(one.url)
        and not is_telemetry(one.url)
        and call_name(one.method, one.url) not in polls
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
