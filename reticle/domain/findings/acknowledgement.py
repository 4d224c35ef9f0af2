"""
Did the app own up to a failure: does the user, or whoever reads its state, get to know of it.

Counted, from the failed request's beginning on (its body may be read after the screen has changed):
an ``aria-invalid`` field that came up, whatever the language; text that came up and is part of the failed
answer, or quotes its error; error words, or the very status, in changed text; a signal or a state value
that speaks of failure.
A role ``alert`` is where both errors and success toasts come up. One that speaks of success is no
acknowledgement; one in words that are understood neither way might be, so nothing can be told from it.
What the app sent with the request is not the server's word: an optimistic row shows it too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote_plus

import attrs

from reticle.domain.channels import of_types
from reticle.domain.facts import mapping_of, spoken_text, text_of
from reticle.domain.memo import once_per_window
from reticle.domain.predicate.network import body_text
from reticle.domain.requests import Request
from reticle.domain.words import speaks_of_failure, speaks_of_success
from reticle.model.codes import NOT_OBSERVED, EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Held
from reticle.model.window import Window

_ALERTS = frozenset({"alert", "alertdialog"})
_FIELDS = frozenset(
    {"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "checkbox", "radio", "switch"}
)
"""Roles that ``visible.shown`` reports only when the field became ``aria-invalid`` (page-wire)."""

_SHOWING = frozenset({EventType.DOM_ADDED, EventType.DOM_TEXT, EventType.VISIBLE_SHOWN})
_SPEAKING = (*_SHOWING, EventType.DOM_ATTR, EventType.SIGNAL, EventType.STATE_CHANGE)
_ECHO_BYTES = 8
"""Shorter words ("order", "ok") stand in answer and page by chance; in bytes, for scripts that say more."""

_QUOTED_BYTES = 12
_QUOTED_FROM_CHARS = 300
"""A page may show part of what the server said, but a whole debug page contains every word."""

_NODES = 500


@attrs.frozen
class _Voice:
    """
    What one event told the user, or whoever reads state and signals.

    ``owns_up`` is YES where it speaks of failure by itself, UNKNOWN for an alert that is not understood;
    else only its ``text`` may, by what it has in common with the failed answer.
    """

    seq: int
    text: str
    owns_up: Held


def acknowledged(failed: Request, window: Window) -> Held:
    """
    Whether anything after the request's beginning owns up to its failure.

    UNKNOWN: an alert came up whose words say neither failure nor success.
    """
    later = [voice for voice in _voices(window) if voice.seq > failed.seq]
    if any(voice.owns_up is Held.YES for voice in later):
        return Held.YES
    said = tuple(_server_words(failed))
    if any(_quotes(voice.text, said) or _shows_status(voice.text, failed) for voice in later):
        return Held.YES
    return Held.UNKNOWN if any(voice.owns_up is Held.UNKNOWN for voice in later) else Held.NO


@once_per_window
def _voices(window: Window) -> tuple[_Voice, ...]:
    return tuple(voice for event in of_types(window, *_SPEAKING) if (voice := _voice(event)) is not None)


def _voice(event: PageEvent) -> _Voice | None:
    if event.type in _SHOWING:
        return _shown(event)
    if event.type == EventType.DOM_ATTR:
        invalid = event.data.get("attr") == "aria-invalid"
        wrong = invalid and str(event.data.get("value")).lower() not in ("false", "none", "")
        return _Voice(event.seq, "", Held.YES) if wrong else None
    if event.type == EventType.SIGNAL:
        return _said(event, text_of(event.data, "name"), event.data.get("data"))
    if event.type == EventType.STATE_CHANGE and event.data.get("value"):
        return _said(event, text_of(event.data, "path"), event.data.get("value"))
    return None


def _shown(event: PageEvent) -> _Voice | None:
    text = " ".join(spoken_text(event).split())
    role = event.data.get("role")
    came_up = event.type == EventType.VISIBLE_SHOWN
    if (came_up and role in _FIELDS) or speaks_of_failure(text):
        return _Voice(event.seq, text, Held.YES)
    # An alert that is put in without a word is a place for messages, not yet one.
    alert = role in _ALERTS and bool(text or came_up) and not speaks_of_success(text)
    return _Voice(event.seq, text, Held.UNKNOWN if alert else Held.NO) if text or alert else None


def _said(event: PageEvent, name: str | None, value: object) -> _Voice:
    text = " ".join(" ".join(strings(value)).split())
    failure = speaks_of_failure(name or "") or speaks_of_failure(text)
    return _Voice(event.seq, text, Held.YES if failure else Held.NO)


def _quotes(text: str, said: tuple[str, ...]) -> bool:
    if any(words in text for words in said):
        return True
    quoting = [words for words in said if len(words) <= _QUOTED_FROM_CHARS and text in words]
    return bool(quoting) and len(text.encode()) >= _QUOTED_BYTES


def _shows_status(text: str, failed: Request) -> bool:
    """
    Whether a text shows the failure's own status, such as "Error 500"; "Order 512" shows none.
    """
    if not failed.status or str(failed.status) not in text:
        return False
    alone = re.search(rf"(?<!\d){failed.status}(?!\d)", text) is not None
    return alone and not speaks_of_success(text)


def _server_words(failed: Request) -> Iterator[str]:
    """
    What the server, or the network, said about the failure and was not told: strings of its body, folded.
    """
    error = text_of(failed.answer, "error")
    if error:
        yield error
    sent = unquote_plus(body_text(failed, "requestBody") or "")
    body = failed.answer.get("responseBody")
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except ValueError:
            body = [body]
    for text in strings(body):
        folded = " ".join(text.split())
        if len(folded.encode()) >= _ECHO_BYTES and folded not in NOT_OBSERVED and folded not in sent:
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
