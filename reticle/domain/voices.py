"""
What the page said in words, to the user or to whoever reads its signals and state.

One reading of every event that can speak, shared by the rules that ask whether an app owned up to a failure
and whether it took a claim back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from reticle.domain.bookkeeping import is_bookkeeping
from reticle.domain.channels import of_types
from reticle.domain.facts import mapping_of, spoken_text, text_of
from reticle.domain.memo import once_per_window
from reticle.domain.words import speaks_of_failure, speaks_of_success
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Held
from reticle.model.window import Window

ALERTS = frozenset({"alert", "alertdialog"})
LIVE = ALERTS | {"status", "log"}
"""Roles of messages: what comes up in them is meant to be read, and mostly goes again (WAI-ARIA §5.3)."""

_FIELDS = frozenset(
    {"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "checkbox", "radio", "switch"}
)
"""Roles that ``visible.shown`` reports only when the field became ``aria-invalid`` (page-wire)."""

SHOWING = (EventType.DOM_ADDED, EventType.DOM_TEXT, EventType.VISIBLE_SHOWN)
"""Events that bring text before the user."""

_SPEAKING = (*SHOWING, EventType.DOM_ATTR, EventType.SIGNAL, EventType.STATE_CHANGE)
_NODES = 500


@attrs.frozen
class Voice:
    """
    What one event told.

    ``owns_up`` is YES where it speaks of failure by itself, UNKNOWN for an alert that is not understood;
    else only its ``text`` may, by what it has in common with a failed answer.
    ``about`` is the name of the signal, or the path of the state, that told it.
    ``message`` is set where it stands in a place for messages: an alert, or whatever came into view.
    """

    seq: int
    text: str
    owns_up: Held
    message: bool = False
    about: str = ""


@once_per_window
def voices(window: Window) -> tuple[Voice, ...]:
    """
    Every event that said something, oldest first.
    """
    return tuple(voice for event in of_types(window, *_SPEAKING) if (voice := _voice(event)) is not None)


def strings(value: object) -> Iterator[str]:
    """
    The strings inside a JSON value, breadth first, over at most 500 nodes.
    """
    waiting: list[object] = [value]
    for place in range(_NODES):
        if place >= len(waiting):
            return
        node = waiting[place]
        if isinstance(node, str):
            yield node
        waiting.extend(_parts(node))


def _parts(node: object) -> Iterable[object]:
    if isinstance(node, list | tuple):
        return node
    return mapping_of(node).values()


def _voice(event: PageEvent) -> Voice | None:
    if event.type in SHOWING:
        return _shown(event)
    if event.type == EventType.DOM_ATTR:
        invalid = event.data.get("attr") == "aria-invalid"
        wrong = invalid and str(event.data.get("value")).lower() not in ("false", "none", "")
        return Voice(event.seq, "", Held.YES) if wrong else None
    if event.type == EventType.SIGNAL:
        return _said(event, text_of(event.data, "name"), event.data.get("data"))
    if event.type == EventType.STATE_CHANGE and event.data.get("value") and not is_bookkeeping(event):
        return _said(event, text_of(event.data, "path"), event.data.get("value"))
    return None


def tells_of_field(event: PageEvent) -> bool:
    """
    Whether it tells that a field became invalid, with the name and the description that go with it: what they
    say is read out with the field, and whether anybody sees it is another matter.
    """
    return event.type == EventType.VISIBLE_SHOWN and event.data.get("role") in _FIELDS


def _shown(event: PageEvent) -> Voice | None:
    text = " ".join(spoken_text(event).split())
    role = event.data.get("role")
    came_up = comes_as_message(event)
    message = came_up or role in LIVE
    if tells_of_field(event) or speaks_of_failure(text):
        return Voice(event.seq, text, Held.YES, message)
    # An alert that is put in without a word is a place for messages, not yet one.
    alert = role in ALERTS and bool(text or came_up) and not speaks_of_success(text)
    return Voice(event.seq, text, Held.UNKNOWN if alert else Held.NO, message) if text or alert else None


def comes_as_message(event: PageEvent) -> bool:
    """
    Whether an event tells of a message that came into view; with ``sight`` seen it is any text, which was put
    in before anybody could see it (page-wire).
    """
    return event.type == EventType.VISIBLE_SHOWN and event.data.get("sight") != "seen"


def _said(event: PageEvent, name: str | None, value: object) -> Voice:
    text = " ".join(" ".join(strings(value)).split())
    failure = speaks_of_failure(name or "") or speaks_of_failure(text)
    return Voice(event.seq, text, Held.YES if failure else Held.NO, about=name or "")
