"""
Which reads repeat on their own.

Two measures, because two mistakes are possible. For *settling*, a read that came twice is let be: what
repeats will never end. For *detectors* only a regular beat is: a read that failed and was tried again,
as query libraries do with growing pauses, is the app's own failure and must not be hidden.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Sequence

from reticle.domain.facts import text_of, whole_of
from reticle.domain.requests import MUTATING, Request
from reticle.domain.tooling import is_dev_tooling
from reticle.model.ids import DocumentId
from reticle.model.limits import LONG_POLL_MS, PENDING_WAIT_MS, POLL_SPACING_MS
from reticle.model.page import PageEvent

_CACHE_BUSTER = re.compile(
    r"(?<=[?&])(?:(?:_|t|ts|_t|cb|rnd|nocache|timestamp)=[^&]*|[\w.-]+=\d{10,16})(?:&|$)"
)
_BEATS = 3
_UNEVEN = 1.5
"""The longest pause of a regular beat, against its shortest."""

_TRIES = 4
"""How often a read that fails is tried at most: the pauses between are no beat of a poll's yet."""

_AT_ONCE_MS = 250
_AT_ONCE_IN_A_ROW = 3
_LASTING_IN_A_ROW = 2
"""
How soon after its answer a read is asked again, and how often in a row, to be a long poll. The page tells the
answer when its body was read: that may be after the next one was asked.
"""

_ALONE = 4
_GOES_ON = 8
"""
How often something came before the action, since the last one, to be known to come by itself; and how often
after it where it came before at all.
"""

_LATE_ONCE_IN = 8
_LATE = 2
"""The longest and the shortest pause of a beat, against its middle one; one in so many is not looked at."""


@functools.lru_cache(8_192)
def call_name(method: str, url: str) -> str:
    """
    The method and URL, without what only defeats caches: what makes two polls the same call.

    Other parts of the query stay: searching as one types is not polling.
    """
    return f"{method} {_CACHE_BUSTER.sub('', url).rstrip('?&')}"


def steady_polls(seen: Iterable[Request]) -> tuple[str, ...]:
    """
    The reads that were begun at least twice with a pause between, in order of appearance.

    A pause tells a poll from an effect that runs twice at once; of four polls and more two may fall together,
    as they do on a busy page whose timer was late. Writes are never polls.
    """
    return tuple(
        name
        for name, times in _begun(seen).items()
        if len(times) > 1 and _middle(_pauses(times)) >= POLL_SPACING_MS
    )


def _middle(pauses: Sequence[int]) -> int:
    """
    The middle one; the smaller one of two.
    """
    return sorted(pauses)[(len(pauses) - 1) // 2]


def regular_polls(
    seen: Iterable[Request], earlier: Iterable[PageEvent] = (), acted: Sequence[int] = ()
) -> tuple[str, ...]:
    """
    The reads that were begun at least three times at even pauses, the ``earlier`` answers included.

    In two of the pauses the page was left alone: what an agent asks for by acting at an even pace is no poll,
    nor is what is tried again at one after an action (query libraries try four times).

    Args:
        seen: Requests of the window; when they begin counts, not how they end.
        earlier: Answers from before it, oldest first.
        acted: When somebody acted on the page, that of the window included, in its milliseconds.
    """
    begun: dict[str, list[_Beat]] = {}
    for one in seen:
        if not one.mutating and not is_dev_tooling(one.url):
            begun.setdefault(call_name(one.method, one.url), []).append((one.t_ms, one.document_id))
    for event in earlier:
        name = _read_name(event)
        if name in begun:
            begun[name].append((begun_at(event), event.document_id))
    return tuple(
        name
        for name, beats in begun.items()
        if len(beats) >= _BEATS and _is_even(beats) and _left_alone(beats, acted) >= _BEATS - 1
    )


_Beat = tuple[int, DocumentId | None]
"""When a read was begun, and in which document."""


def _is_even(beats: Sequence[_Beat]) -> bool:
    pauses = _pauses(sorted(t_ms for t_ms, _ in beats))
    return min(pauses) >= POLL_SPACING_MS and max(pauses) <= _UNEVEN * min(pauses)


def _left_alone(beats: Iterable[_Beat], acted: Sequence[int]) -> int:
    """
    In how many pauses nobody acted and no document was loaded; the first ones are not counted where an action
    came shortly before them.
    """
    in_order = sorted(beats, key=lambda beat: beat[0])
    brought_about = any(0 <= in_order[0][0] - act <= PENDING_WAIT_MS for act in acted)
    return sum(
        document == next_document and not any(start < act <= end for act in acted)
        for (start, document), (end, next_document) in itertools.islice(
            itertools.pairwise(in_order), _TRIES if brought_about else 0, None
        )
    )


def long_polls(seen: Iterable[Request], earlier: Iterable[PageEvent]) -> tuple[str, ...]:
    """
    The reads that are asked again as soon as they are answered, as a page does that waits for news.

    That must have been so before the window, and one was waiting when it began: three times in a row, or
    twice where each answer took ``LONG_POLL_MS`` or more. It never asks while it waits.

    Args:
        seen: Requests of the window, in order of beginning.
        earlier: Answers from before it, oldest first.
    """
    spans: dict[str, list[tuple[int, int]]] = {}
    for event in earlier:
        name = _read_name(event)
        if name is not None:
            spans.setdefault(name, []).append((begun_at(event), event.t_ms))
    asked: dict[str, list[Request]] = {}
    for one in seen:
        if not one.mutating:
            asked.setdefault(call_name(one.method, one.url), []).append(one)
    return tuple(
        name
        for name, past in spans.items()
        if name in asked and _follows_itself(past, asked[name][0]) and _waits_in_turn(asked[name])
    )


def _follows_itself(past: Sequence[tuple[int, int]], waiting: Request) -> bool:
    if not waiting.before:
        return False
    chain = lasting = 0
    for (start, end), again in zip(past, [*(start for start, _ in past[1:]), waiting.t_ms], strict=True):
        if abs(again - end) > _AT_ONCE_MS:
            chain = lasting = 0
            continue
        chain += 1
        lasting = lasting + 1 if end - start >= LONG_POLL_MS else 0
    return chain >= _AT_ONCE_IN_A_ROW or lasting >= _LASTING_IN_A_ROW


def _waits_in_turn(asked: Iterable[Request]) -> bool:
    """
    Whether each was answered when the next one was asked.
    """
    return all(
        one.ended is not None and one.ended.t_ms - following.t_ms <= _AT_ONCE_MS
        for one, following in itertools.pairwise(asked)
    )


def _begun(seen: Iterable[Request]) -> dict[str, list[int]]:
    begun: dict[str, list[int]] = {}
    for one in seen:
        if not one.mutating and not is_dev_tooling(one.url):
            begun.setdefault(call_name(one.method, one.url), []).append(one.t_ms)
    return begun


def _read_name(answer: PageEvent) -> str | None:
    method = (text_of(answer.data, "method") or "GET").upper()
    return None if method in MUTATING else call_name(method, text_of(answer.data, "url") or "")


def is_beat(times: Sequence[int], least: int) -> bool:
    """
    Whether these times, in milliseconds and in order, are at ``least`` so many beats of a timer.

    Looser than ``regular_polls``, for what many beats tell: a busy page is late once and in time again, so
    each pause is held against the middle one, and of eight one may be as long as it likes.
    """
    if len(times) < max(least, 2):
        return False
    pauses = sorted(_pauses(times))
    middle = pauses[len(pauses) // 2]
    longest = pauses[-1 - len(pauses) // _LATE_ONCE_IN]
    return middle <= _LATE * pauses[0] and longest <= _LATE * middle


def goes_on(before: Sequence[int], inside: Sequence[int]) -> bool:
    """
    Whether what came by itself before, at these times in milliseconds, goes on at the same pace.

    Looser than ``is_beat``, for a machine that is so busy that timers come late by more than their own pause:
    only the middle pauses count. It takes ``_ALONE`` times before that nobody's action brought, or one and
    then ``_GOES_ON`` without a break.
    """
    if not before or len(inside) < 2:
        return False
    now = _middle(_pauses(inside))
    if now < POLL_SPACING_MS:
        return False
    if len(before) >= _ALONE:
        return _middle(_pauses(before)) <= _LATE * now
    return len(inside) >= _GOES_ON and inside[0] - before[-1] <= _LATE * now


def begun_at(answer: PageEvent) -> int:
    """
    When a request began of which only the answer is known, in milliseconds of the page's time.
    """
    return answer.t_ms - (whole_of(answer.data, "durationMs") or 0)


def _pauses(times: Sequence[int]) -> list[int]:
    return [later - earlier for earlier, later in itertools.pairwise(times)]
