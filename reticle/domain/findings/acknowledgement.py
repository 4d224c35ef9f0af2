"""
Did the app own up to a failure: does the user, or whoever reads its state, get to know of it.

Counted, from the failed request's beginning on (its body may be read after the screen has changed):
a role ``alert`` or an ``aria-invalid`` field that came up, whatever the language; text that came up and is
part of the failed answer, or quotes its error; error words, or the status, in changed text; a signal or a
state value that speaks of failure.
An alert that speaks of success alone is no acknowledgement: many toasts carry that role.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from reticle.domain.facts import mapping_of, spoken_text, text_of
from reticle.domain.requests import Request
from reticle.domain.words import names_status, speaks_of_failure, speaks_of_success
from reticle.model.codes import NOT_OBSERVED, EventType
from reticle.model.page import PageEvent
from reticle.model.window import Window

_ALERTS = frozenset({"alert", "alertdialog"})
_FIELDS = frozenset(
    {"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "checkbox", "radio", "switch"}
)
"""Roles that ``visible.shown`` reports only when the field became ``aria-invalid`` (page-wire)."""

_SHOWING = frozenset({EventType.DOM_ADDED, EventType.DOM_TEXT, EventType.VISIBLE_SHOWN})
_ECHO_CHARS = 4
_NODES = 500


def acknowledged(failed: Request, window: Window) -> bool:
    """
    Whether anything after the request's beginning owns up to its failure.
    """
    said = tuple(_server_words(failed))
    return any(event.seq > failed.seq and _owns_up(event, said) for event in window.events)


def _owns_up(event: PageEvent, said: tuple[str, ...]) -> bool:
    if event.type in _SHOWING:
        return _shows_failure(event, said)
    if event.type == EventType.DOM_ATTR:
        invalid = event.data.get("attr") == "aria-invalid"
        return invalid and str(event.data.get("value")).lower() not in ("false", "none", "")
    if event.type == EventType.SIGNAL:
        return _speaks(text_of(event.data, "name") or "", said) or _speaks(
            _flat(event.data.get("data")), said
        )
    if event.type == EventType.STATE_CHANGE:
        value = event.data.get("value")
        if value in (None, False, "", 0):
            return False
        return _speaks(text_of(event.data, "path") or "", said) or _speaks(_flat(value), said)
    return False


def _shows_failure(event: PageEvent, said: tuple[str, ...]) -> bool:
    text = spoken_text(event)
    role = event.data.get("role")
    came_up = event.type == EventType.VISIBLE_SHOWN
    # An alert that is put in without a word is a place for messages, not yet one.
    if role in _ALERTS and (text or came_up) and not speaks_of_success(text):
        return True
    invalid_field = came_up and role in _FIELDS
    return invalid_field or _speaks(text, said) or names_status(text)


def _speaks(text: str, said: tuple[str, ...]) -> bool:
    folded = " ".join(text.split())
    if speaks_of_failure(folded):
        return True
    return len(folded) >= _ECHO_CHARS and any(words in folded or folded in words for words in said)


def _server_words(failed: Request) -> Iterator[str]:
    """
    What the server, or the network, said about the failure: strings of its body, folded.
    """
    error = text_of(failed.answer, "error")
    if error:
        yield error
    body = failed.answer.get("responseBody")
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except ValueError:
            yield " ".join(str(body).split())
            return
    for text in strings(body):
        folded = " ".join(text.split())
        if len(folded) >= _ECHO_CHARS and folded not in NOT_OBSERVED:
            yield folded


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


def _flat(value: object) -> str:
    return " ".join(strings(value))
