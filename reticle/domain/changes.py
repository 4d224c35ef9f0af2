"""
What of the page's movements is left standing at a window's end.

A row that was put in and taken out again, a button that was disabled and enabled again: the page is
where it was, and has claimed nothing (field report VD-05 a).
A loss of such events is itself a sign that the page moved, so it counts as movement; a new document is
one even if it reports nothing: all that the user sees was put there.
"""

from __future__ import annotations

from collections.abc import Iterable

from reticle.domain.bookkeeping import is_bookkeeping
from reticle.domain.capture import lost
from reticle.domain.channels import of_types
from reticle.domain.memo import once_per_window
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.window import Window

MOVES = frozenset({"dom", "visible", "state", "route"})
"""Channels whose events change what a user sees, or what the app holds."""

_VALUES: dict[str, tuple[str, ...]] = {
    EventType.DOM_ATTR: ("attr",),
    EventType.DOM_TEXT: (),
    EventType.STATE_CHANGE: ("store", "path"),
}
"""Changes that carry old and new value, with the fields that say of what."""

_FIELD_OF_VALUE: dict[str, str] = {EventType.DOM_TEXT: "text"}


def moved(window: Window) -> bool:
    """
    Whether anything is left standing of what changed, or might be.
    """
    return window.new_document or bool(lost(window, MOVES)) or bool(standing(window))


@once_per_window
def standing(window: Window) -> tuple[PageEvent, ...]:
    """
    The changes that later ones did not take back, oldest first.
    """
    kept = [*_values(of_types(window, *_VALUES))]
    kept += _nodes(of_types(window, EventType.DOM_ADDED, EventType.DOM_REMOVED))
    kept += of_types(window, EventType.ROUTE_CHANGE, EventType.VISIBLE_SHOWN)
    return tuple(sorted(kept, key=lambda event: event.seq))


def _values(events: Iterable[PageEvent]) -> Iterable[PageEvent]:
    """
    The last change of each thing whose value is not the one it began with.
    """
    first: dict[tuple[object, ...], object] = {}
    last: dict[tuple[object, ...], PageEvent] = {}
    for event in events:
        if is_bookkeeping(event):
            continue
        named = [event.data.get(field) for field in _VALUES[event.type]]
        key: tuple[object, ...] = (event.type, event.document_id, event.ref, *map(str, named))
        first.setdefault(key, event.data.get("old"))
        last[key] = event
    for key, event in last.items():
        field = _FIELD_OF_VALUE.get(event.type, "value")
        if "old" not in event.data or event.data.get(field) != first[key]:
            yield event


def _nodes(events: Iterable[PageEvent]) -> Iterable[PageEvent]:
    """
    Elements put in and not taken out, or taken out and not put back.
    """
    waiting: dict[tuple[str, str], list[PageEvent]] = {}
    for event in events:
        key = (str(event.data.get("role") or ""), str(event.data.get("name") or ""))
        like = waiting.setdefault(key, [])
        if like and like[-1].type != event.type:
            like.pop()
        else:
            like.append(event)
    for like in waiting.values():
        yield from like
