"""
A window's events sorted out by type once, so that each rule reads only what it is about.

A full ring holds 10,000 events and a verdict asks some twenty rules; each would else read all of them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from operator import attrgetter

from reticle.domain.memo import once_per_window
from reticle.model.page import PageEvent
from reticle.model.window import Window

_seq = attrgetter("seq")

_FEW = 6
"""Of so many events one: then sorting the few is quicker than going through all."""


@functools.lru_cache(1_024)
def channel_of(event_type: str) -> str:
    """
    The channel an event type, or the family name of a loss, belongs to: the part before its first dot.
    """
    return event_type.split(".", 1)[0]


@once_per_window
def _by_type(window: Window) -> Mapping[str, tuple[PageEvent, ...]]:
    sorted_out: dict[str, list[PageEvent]] = {}
    for event in window.events:
        of_its_type = sorted_out.get(event.type)
        if of_its_type is None:
            sorted_out[event.type] = [event]
        else:
            of_its_type.append(event)
    return {type_: tuple(events) for type_, events in sorted_out.items()}


@once_per_window
def _joined(_window: Window) -> dict[tuple[str, ...], tuple[PageEvent, ...]]:
    """
    Where what was merged once is kept, by its types: several rules ask for the same ones.
    """
    return {}


def of_types(window: Window, *types: str) -> tuple[PageEvent, ...]:
    """
    The window's events of these types, oldest first.
    """
    found = _by_type(window)
    if len(types) == 1:
        return found.get(types[0], ())
    joined = _joined(window)
    events = joined.get(types)
    if events is None:
        events = joined[types] = _merged(window, [found[type_] for type_ in types if type_ in found])
    return events


def of_channels(window: Window, channels: Iterable[str]) -> tuple[PageEvent, ...]:
    """
    The window's events of these channels, oldest first.
    """
    wanted = frozenset(channels)
    found = _by_type(window)
    return of_types(window, *[type_ for type_ in found if channel_of(type_) in wanted])


def _merged(window: Window, parts: list[tuple[PageEvent, ...]]) -> tuple[PageEvent, ...]:
    if len(parts) == 1:
        return parts[0]
    if sum(map(len, parts)) * _FEW > len(window.events):
        types = {part[0].type for part in parts}
        # lists, for generators take twice as long
        return tuple([event for event in window.events if event.type in types])
    return tuple(sorted([event for part in parts for event in part], key=_seq))
