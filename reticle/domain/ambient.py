"""
What a page does by itself: polls, counters and live texts that beat before the action and go on beating.

Such movement is no reaction to an action, so rules that ask whether *anything* happened look past it, as
past tooling and telemetry. What did not beat before the window may well be the action's doing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from reticle.domain.attribution import Initiator, Thing, initiator_of, initiators, tells_causes, thing_of
from reticle.domain.bookkeeping import is_bookkeeping
from reticle.domain.channels import of_channels
from reticle.domain.facts import text_of
from reticle.domain.memo import once_per_window
from reticle.domain.polls import begun_at, call_name, is_beat
from reticle.domain.predicate.network import body_text
from reticle.domain.requests import Request, answered_request, requests
from reticle.domain.tooling import is_dev_tooling, is_telemetry
from reticle.model.page import PageEvent
from reticle.model.window import Window

_BEATS = 3
_BEATS_BEFORE = 5
"""How many even beats tell it, and how many of those before the window are looked at; one must be."""

_CHANNELS = frozenset({"dom", "visible", "state", "signal"})

_Times = dict[Thing, list[int]]


def of_the_page(window: Window, channels: Iterable[str]) -> Iterator[PageEvent]:
    """
    The window's events of these channels, without what the page does by itself.
    """
    by_itself = _beating(window)
    return (
        event
        for event in of_channels(window, channels)
        if event.seq not in by_itself and not _is_apart(event)
    )


def last_of_the_page(window: Window, channels: Iterable[str]) -> PageEvent | None:
    """
    The newest of what ``of_the_page`` gives, or None.
    """
    by_itself = _beating(window)
    newest_first = reversed(of_channels(window, channels))
    return next(
        (event for event in newest_first if event.seq not in by_itself and not _is_apart(event)), None
    )


def news(window: Window, channels: Iterable[str]) -> Iterator[PageEvent]:
    """
    As ``of_the_page``, and without what the page had done before the window at all, evenly or not, such as
    a call it had made already or the answer to one that was open.

    For rules that only doubt: a busy machine makes every beat uneven, and a doubt too many is honest.
    """
    known = _times_before(window).keys()
    old = {
        event.seq
        for one in requests(window)
        if one.before or _call(one) in known
        for event in (one.begun, one.ended)
        if event is not None
    }
    return (
        event
        for event in of_the_page(window, channels)
        if (event.seq not in old and thing_of(event) not in known)
        or initiator_of(event, window) is Initiator.ACTION
    )


def _is_apart(event: PageEvent) -> bool:
    if is_bookkeeping(event):
        return True
    url = text_of(event.data, "url") if event.type.startswith("net.") else None
    return url is not None and (is_dev_tooling(url) or is_telemetry(url))


@once_per_window
def _beating(window: Window) -> frozenset[int]:
    """
    The numbers of the events that belong to a beat from before the window, or are known to be another's;
    none that is known to be the action's.
    """
    if not tells_causes(window):
        return _by_time(window)
    doers = initiators(window)
    others = {seq for seq, doer in doers.items() if doer is Initiator.OTHER}
    return frozenset(others | {seq for seq in _by_time(window) if doers.get(seq) is not Initiator.ACTION})


def _by_time(window: Window) -> frozenset[int]:
    before = _times_before(window)
    if not before:
        return frozenset()
    calls = [(_call(one), one) for one in requests(window) if not one.before]
    things = [(thing, event) for event in of_channels(window, _CHANNELS) if (thing := thing_of(event))]
    inside: _Times = {}
    for thing, t_ms in itertools.chain(
        ((call, one.t_ms) for call, one in calls), ((thing, event.t_ms) for thing, event in things)
    ):
        if thing in before:
            inside.setdefault(thing, []).append(t_ms)
    beats = {thing for thing, times in inside.items() if _is_beat(before[thing], times)}
    seqs = {event.seq for thing, event in things if thing in beats}
    for call, one in calls:
        if call in beats:
            seqs |= {event.seq for event in (one.begun, one.ended) if event is not None}
    return frozenset(seqs)


def _times_before(window: Window) -> _Times:
    before: _Times = {}
    for answer in _of_this_document(window, window.answers_before):
        before.setdefault(_call(answered_request(answer)), []).append(begun_at(answer))
    for event in _of_this_document(window, window.changes_before):
        thing = thing_of(event)
        if thing is not None:
            before.setdefault(thing, []).append(event.t_ms)
    return before


def _of_this_document(window: Window, events: Iterable[PageEvent]) -> Iterator[PageEvent]:
    return (event for event in events if event.document_id == window.document_id)


def _is_beat(before: Iterable[int], inside: Iterable[int]) -> bool:
    """
    Whether these times are a beat; what came at once, in one batch, is one of them.
    """
    newest = sorted(set(before))[-_BEATS_BEFORE:]
    return bool(newest) and is_beat(sorted({*newest, *inside}), _BEATS)


def _call(one: Request) -> Thing:
    """
    What makes two requests one: with its body for a write, which is only known once it ended.
    """
    return call_name(one.method, one.url), body_text(one, "requestBody") if one.mutating else None
