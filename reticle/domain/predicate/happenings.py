"""
Leaves about one event of the window each: ``storage``, ``stream``, ``perf``, ``dialog``, ``download``.

One that fits is enough, an exact count must hold for a while, and a loss of the channel keeps a lack open
(``counting``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.facts import brief, literal, text_of
from reticle.domain.json_text import TooDeepError, read_json
from reticle.domain.predicate.counting import Tally, at_least_one, exactly
from reticle.domain.predicate.kinds import UNSET, Dialog, Download, Happening, Perf, Storage, Stream
from reticle.domain.predicate.patterns import conjunction, fits
from reticle.domain.predicate.watching import events_after
from reticle.domain.predicate.whole_messages import is_whole_in_message
from reticle.domain.predicate.whole_numbers import is_whole_part
from reticle.model.codes import NOT_OBSERVED, EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

_SHOWN: Final = 8
_READ_AS_TEXT: Final = frozenset({"$matches"})
_EMPTIES: Final = frozenset({"clear", "delete-database"})
_TAKEN_AWAY: Final = _EMPTIES | {"delete"}
_MESSAGES: Final = frozenset({"in", "out"})


@attrs.frozen
class _Seen:
    """
    The events that a leaf is about, in words too, and why more of them cannot be known.
    """

    events: Sequence[PageEvent]
    named: Sequence[tuple[PageEvent, Held]]
    deaf: str | None = None


def evaluate_happening(leaf: Happening, window: Window) -> Outcome:
    """
    Whether such events came in the window, or exactly so many.
    """
    seen = _seen(leaf, window)
    kind, wanted = _KIND_OF[type(leaf)], _wanted(leaf)
    fitting = [event for event, held in seen.named if held is Held.YES]
    maybe = [f"{_words(event)} {_doubt(event)}" for event, held in seen.named if held is Held.UNKNOWN]
    told = "; ".join(dict.fromkeys(_words(event) for event in seen.events[:_SHOWN]))
    miss = f"no {wanted}; " + (f"seen: {told}" if told else "none was seen")
    if seen.deaf is not None and not fitting:
        maybe.append(f"{miss}, but {seen.deaf}")
    tally = Tally(
        channel=_CHANNEL_OF[type(leaf)],
        expected=wanted,
        fitting=[{"seq": event.seq, kind: _words(event)} for event in fitting],
        last_t_ms=max((event.t_ms for event in fitting), default=None),
        maybe=maybe,
        miss=miss,
        observed=[_words(event) for event in seen.events[:_SHOWN]],
    )
    if leaf.count is not None:
        return exactly(leaf.count, tally, window, f"{kind}.count")
    return at_least_one(tally, window, f"{kind}.present", f"{kind}.present")


def _seen(leaf: Happening, window: Window) -> _Seen:
    match leaf:
        case Storage():
            events = events_after(window, leaf.since, EventType.STORAGE_CHANGE)
            named = [(event, _wrote(leaf, event)) for event in events if _is_place(leaf, event)]
            untold = _untold(window, "IndexedDB") if leaf.area == "indexeddb" else None
            kept = named if leaf.count is not None or leaf.equals is UNSET else _kept(named, events)
            return _Seen(events, kept, untold if kept == named else "it was written and then changed again")
        case Stream():
            events = events_after(window, leaf.since, EventType.NET_STREAM)
            return _Seen(events, [(event, _carried(leaf, event)) for event in events])
        case Perf():
            events = events_after(window, leaf.since, EventType.PERF)
            of = [event for event in events if event.data.get("metric") == leaf.metric]
            return _Seen(of, [(event, _fits(leaf.value, event.data.get("value", UNSET))) for event in of])
        case Dialog():
            dialogs = _opened(events_after(window, leaf.since, EventType.DIALOG))
            judged = [(event, _says(leaf, event)) for event in dialogs]
            return _Seen(dialogs, judged, _untold(window, "dialogs"))
        case Download():
            files = _files(events_after(window, leaf.since, EventType.DOWNLOAD), leaf.state)
            return _Seen(files, [(event, _is_file(leaf, event)) for event in files])


def _kept(
    named: Sequence[tuple[PageEvent, Held]], events: Sequence[PageEvent]
) -> Sequence[tuple[PageEvent, Held]]:
    """
    Writes of a value, where one that is not known to have stayed is none: a theme that is set and taken back
    at once. A later write of the database that was aborted changed nothing.
    """
    last = {_stored_at(event): held for event, held in named if _is_complete(event)}
    emptied = {
        (str(event.data.get("database")), text_of(event.data, "store")): event.seq
        for event in events
        if event.data.get("op") in _EMPTIES and _is_complete(event)
    }
    return [
        (event, Held.NO if held is Held.YES and not _stayed(event, last, emptied) else held)
        for event, held in named
    ]


def _stayed(
    event: PageEvent,
    last: Mapping[tuple[str, ...], Held],
    emptied: Mapping[tuple[str, str | None], int],
) -> bool:
    """
    Whether what was written is there still; ``emptied`` are databases, and stores of them, and when last.
    """
    database, store = str(event.data.get("database")), text_of(event.data, "store")
    gone = max(emptied.get((database, store), -1), emptied.get((database, None), -1))
    return last[_stored_at(event)] is Held.YES and gone < event.seq


def _is_complete(event: PageEvent) -> bool:
    return event.data.get("outcome", "complete") == "complete"


def _stored_at(event: PageEvent) -> tuple[str, ...]:
    return tuple(str(event.data.get(name)) for name in ("area", "database", "store", "key"))


def _untold(window: Window, what: str) -> str | None:
    page = window.page
    if page.own_script or page.script_hash is not None or page.attested is not None:
        return None
    return f"the published @reticlehq package of this page does not tell of {what}"


def _is_place(leaf: Storage, event: PageEvent) -> bool:
    data = event.data
    return (
        (leaf.area is None or data.get("area") == leaf.area)
        and (leaf.key is None or data.get("key") == leaf.key)
        and (leaf.store is None or data.get("store") == leaf.store)
    )


def _wrote(leaf: Storage, event: PageEvent) -> Held:
    data = event.data
    if not _is_complete(event):
        return Held.NO
    gone = data.get("op") in _TAKEN_AWAY or ("op" not in data and data.get("new") is None)
    if gone is not (leaf.removed is True) and not (leaf.removed is None and leaf.equals is UNSET):
        return Held.NO
    return Held.YES if leaf.equals is UNSET else _fits_stored(leaf.equals, data.get("new"))


def _fits_stored(pattern: object, stored: object) -> Held:
    """
    Whether a stored text fits; a pattern that is no text is about the JSON in it.
    """
    if not isinstance(stored, str) or isinstance(pattern, str):
        return fits(pattern, stored)
    if isinstance(pattern, Mapping) and set(pattern) <= _READ_AS_TEXT:
        return fits(pattern, stored)
    if any(placeholder in stored for placeholder in NOT_OBSERVED):
        return Held.UNKNOWN
    try:
        return fits(pattern, read_json(stored))
    except TooDeepError:
        return Held.UNKNOWN
    except ValueError:
        return fits(pattern, stored)


def _carried(leaf: Stream, event: PageEvent) -> Held:
    data = event.data
    direction = data.get("direction")
    if leaf.transport is not None and data.get("transport") != leaf.transport:
        return Held.NO
    if direction != leaf.direction and not (leaf.direction is None and direction in _MESSAGES):
        return Held.NO
    if leaf.url_contains is not None and not is_whole_part(leaf.url_contains, text_of(data, "url") or ""):
        return Held.NO
    return Held.YES if leaf.contains is None else _has_part(leaf.contains, event)


def _has_part(part: str, event: PageEvent) -> Held:
    """
    Whether a message has a part; of a longer one only the beginning is seen.
    """
    preview, size = text_of(event.data, "preview"), event.data.get("bytes")
    if preview is None:
        return Held.UNKNOWN
    cut = isinstance(size, int) and size > len(preview)
    if part in preview:
        return Held.YES if is_whole_in_message(part, preview, cut=cut) else Held.UNKNOWN
    unread = cut or any(placeholder in preview for placeholder in NOT_OBSERVED)
    return Held.UNKNOWN if unread else Held.NO


def _opened(events: Sequence[PageEvent]) -> Sequence[PageEvent]:
    """
    One event for each dialog: as it opened, or as it closed where only that was told.
    """
    first: dict[object, PageEvent] = {}
    for event in events:
        first.setdefault(event.data.get("id", event.seq), event)
    return tuple(first.values())


def _says(leaf: Dialog, event: PageEvent) -> Held:
    if leaf.dialog is not None and event.data.get("kind") != leaf.dialog:
        return Held.NO
    if leaf.contains is None:
        return Held.YES
    return _contains(leaf.contains, text_of(event.data, "message"))


def _files(events: Sequence[PageEvent], state: str | None) -> Sequence[PageEvent]:
    """
    One event for each file: the one of that state, else the last word about it.

    A driven page's are told twice, by page and daemon: the daemon's count.
    """
    driven = [event for event in events if "state" in event.data]
    if not driven:
        return events
    told: dict[object, PageEvent] = {}
    for event in driven:
        known = told.get(event.data.get("id"))
        if known is None or state is None or known.data.get("state") != state:
            told[event.data.get("id")] = event
    return tuple(told.values())


def _is_file(leaf: Download, event: PageEvent) -> Held:
    named = Held.YES if leaf.contains is None else _contains(leaf.contains, text_of(event.data, "filename"))
    return conjunction([named, _came_so(leaf, event)])


def _came_so(leaf: Download, event: PageEvent) -> Held:
    """
    Whether a download came as far as claimed; without a state the file has to have come.

    A page's own word has no state: a link was followed. That none came is contradicted by any that began.
    """
    state = text_of(event.data, "state")
    if leaf.state is not None:
        if state is None:
            return Held.YES if leaf.state == "begun" else Held.UNKNOWN
        return Held.YES if state == leaf.state else Held.NO
    if leaf.count == 0 or state == "kept":
        return Held.YES
    if state in {"begun", "failed"}:
        return Held.NO if state == "failed" else Held.UNKNOWN
    return Held.YES if _is_of_page(event) else Held.UNKNOWN


def _is_of_page(event: PageEvent) -> bool:
    """
    Whether the file is the page's own (a ``blob:`` or ``data:`` URL), so that no server can fail to send it.
    """
    return (text_of(event.data, "url") or "").startswith(("blob:", "data:"))


def _doubt(event: PageEvent) -> str:
    """
    Why it cannot be told whether an event is what was claimed.
    """
    if event.type != EventType.DOWNLOAD:
        return "cannot be read whole"
    match text_of(event.data, "state"):
        case None:
            return "was asked for by a link, and a page that dialled in does not see whether the file came"
        case "begun":
            return "and not over"
        case "refused":
            return "by the rule of the browser lease, so that the file never came (downloads: keep)"
        case _:
            return "cannot be read whole"


def _contains(part: str, text: str | None) -> Held:
    if text is None:
        return Held.UNKNOWN
    if part in text:
        return Held.YES if is_whole_in_message(part, text) else Held.UNKNOWN
    return Held.UNKNOWN if any(placeholder in text for placeholder in NOT_OBSERVED) else Held.NO


def _fits(pattern: object, value: object) -> Held:
    return Held.YES if pattern is UNSET else fits(pattern, value)


def _wanted(leaf: Happening) -> str:
    said = {
        field.name: getattr(leaf, field.name)
        for field in attrs.fields(type(leaf))
        if field.name not in {"count", "since"} and getattr(leaf, field.name) not in (None, UNSET)
    }
    named = ", ".join(f"{name} {brief(literal(value), 60)}" for name, value in said.items())
    return f"{_KIND_OF[type(leaf)]}{f' ({named})' if named else ''}"


def _words(event: PageEvent) -> str:
    """
    An event in a few words, by its type.
    """
    data = event.data
    match event.type:
        case EventType.STORAGE_CHANGE:
            names = [data.get(name) for name in ("area", "store", "key")]
            place, new = ".".join(str(name) for name in names if name is not None), data.get("new")
            return f"{place} removed" if new is None else f"{place} = {brief(str(new), 60)}"
        case EventType.NET_STREAM:
            said = brief(text_of(data, "preview") or "", 60)
            what = f"{data.get('transport')} {data.get('direction')} {data.get('url')}"
            return f"{what} {said}" if said else what
        case EventType.PERF:
            return f"{data.get('metric')} {data.get('value')}"
        case EventType.DIALOG:
            return f"{data.get('kind')} {brief(str(data.get('message', '')), 80)!r}"
        case _:
            state = data.get("state")
            return f"{data.get('filename') or '?'}{f' {state}' if state else ''}"


_KIND_OF: Final[Mapping[type[Happening], str]] = {
    Storage: "storage",
    Stream: "stream",
    Perf: "perf",
    Dialog: "dialog",
    Download: "download",
}
_CHANNEL_OF: Final[Mapping[type[Happening], str]] = {
    Storage: "storage",
    Stream: "net",
    Perf: "perf",
    Dialog: "dialog",
    Download: "download",
}
