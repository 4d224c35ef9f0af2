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


def of_types(window: Window, *types: str) -> tuple[PageEvent, ...]:
    """
    The window's events of these types, oldest first.
    """
    found = _by_type(window)
    return _merged([found[type_] for type_ in types if type_ in found])


def of_channels(window: Window, channels: Iterable[str]) -> tuple[PageEvent, ...]:
    """
    The window's events of these channels, oldest first.
    """
    wanted = frozenset(channels)
    return _merged([events for type_, events in _by_type(window).items() if channel_of(type_) in wanted])


def _merged(parts: list[tuple[PageEvent, ...]]) -> tuple[PageEvent, ...]:
    if len(parts) == 1:
        return parts[0]
    return tuple(sorted((event for part in parts for event in part), key=_seq))
