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
from reticle.model.limits import LONG_POLL_MS, POLL_SPACING_MS
from reticle.model.page import PageEvent

_CACHE_BUSTER = re.compile(
    r"(?<=[?&])(?:(?:_|t|ts|_t|cb|rnd|nocache|timestamp)=[^&]*|[\w.-]+=\d{10,16})(?:&|$)"
)
_BEATS = 3
_UNEVEN = 1.5
"""The longest pause of a regular beat, against its shortest."""

_AT_ONCE_MS = 250
_AT_ONCE_IN_A_ROW = 3
_LASTING_IN_A_ROW = 2
"""How soon after its answer a read is asked again, and how often in a row, to be a long poll."""

_LATE = 2
"""The longest and the shortest pause of a beat, against its middle one."""


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


def regular_polls(seen: Iterable[Request], earlier: Iterable[PageEvent] = ()) -> tuple[str, ...]:
    """
    The reads that were begun at least three times at even pauses, the ``earlier`` answers included.
    """
    begun = _begun(seen)
    for name, ended in _answered(earlier).items():
        if name in begun:
            begun[name] = ended + begun[name]
    found = []
    for name, times in begun.items():
        pauses = _pauses(times)
        if len(times) >= _BEATS and min(pauses) >= POLL_SPACING_MS and max(pauses) <= _UNEVEN * min(pauses):
            found.append(name)
    return tuple(found)


def long_polls(seen: Iterable[Request], earlier: Iterable[PageEvent]) -> tuple[str, ...]:
    """
    The reads that are asked again as soon as they are answered, and were before already, as a page does that
    waits for news: three times in a row, or twice where each answer took ``LONG_POLL_MS`` or more.

    Args:
        seen: Requests of the window; when they begin counts, not how they end.
        earlier: Answers from before it, oldest first.
    """
    spans: dict[str, list[tuple[int, int]]] = {}
    for event in earlier:
        name = _read_name(event)
        if name is not None:
            spans.setdefault(name, []).append((begun_at(event), event.t_ms))
    begun = _begun(seen)
    return tuple(name for name, past in spans.items() if _follows_itself(past, begun.get(name, [])))


def _follows_itself(past: Sequence[tuple[int, int]], begun: Sequence[int]) -> bool:
    starts = [start for start, _ in past[1:]] + list(begun[:1])
    chain = lasting = 0
    for (start, end), again in zip(past, starts, strict=False):
        if not 0 <= again - end <= _AT_ONCE_MS:
            chain = lasting = 0
            continue
        chain += 1
        lasting = lasting + 1 if end - start >= LONG_POLL_MS else 0
    return chain >= _AT_ONCE_IN_A_ROW or lasting >= _LASTING_IN_A_ROW


def _begun(seen: Iterable[Request]) -> dict[str, list[int]]:
    begun: dict[str, list[int]] = {}
    for one in seen:
        if not one.mutating and not is_dev_tooling(one.url):
            begun.setdefault(call_name(one.method, one.url), []).append(one.t_ms)
    return begun


def _answered(earlier: Iterable[PageEvent]) -> dict[str, list[int]]:
    """
    When reads were begun that are only known by their answers.
    """
    begun: dict[str, list[int]] = {}
    for event in earlier:
        name = _read_name(event)
        if name is not None:
            begun.setdefault(name, []).append(begun_at(event))
    return begun


def _read_name(answer: PageEvent) -> str | None:
    method = (text_of(answer.data, "method") or "GET").upper()
    return None if method in MUTATING else call_name(method, text_of(answer.data, "url") or "")


def is_beat(times: Sequence[int], least: int) -> bool:
    """
    Whether these times, in milliseconds and in order, are at ``least`` so many beats of a timer.

    Looser than ``regular_polls``, for what many beats tell: a busy page is late once and in time again, so
    each pause is held against the middle one.
    """
    if len(times) < max(least, 2):
        return False
    pauses = sorted(_pauses(times))
    middle = pauses[len(pauses) // 2]
    return middle <= _LATE * pauses[0] and pauses[-1] <= _LATE * middle


def begun_at(answer: PageEvent) -> int:
    """
    When a request began of which only the answer is known, in milliseconds of the page's time.
    """
    return answer.t_ms - (whole_of(answer.data, "durationMs") or 0)


def _pauses(times: Sequence[int]) -> list[int]:
    return [later - earlier for earlier, later in itertools.pairwise(times)]
