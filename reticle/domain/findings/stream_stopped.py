"""
A stream that the page lives on broke off, or stopped ticking, and the page goes on as if it were fresh.

Claim: what the page shows is live. Counter-evidence: its stream ended and was not opened again, a steady
beat of messages fell silent for many beats while the stream stayed open, or the action made the app close a
stream whose messages the page had shown.
Tier: a doubt: what did not come is not known.
Guards: a stream that was opened again, a page that says that it is offline, one that left the view or that
the browser slows, an end that comes at once with the action or was claimed, a body that was read to its end,
messages that say that they are the last, and any loss among network events. For a stream that the app closes
also an action or a claim that is about stopping, another stream that is opened, and anything taken out of the
page or put out of sight, as another tab does, which may be what it fed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from reticle.domain.attribution import Initiator, initiator_of
from reticle.domain.capture import lost
from reticle.domain.channels import of_types
from reticle.domain.facts import flag_of, text_of, url_parts, whole_of
from reticle.domain.findings.control_names import control_names
from reticle.domain.findings.judged import asserted
from reticle.domain.findings.shown_claims import claimed_words
from reticle.domain.memo import once_per_window
from reticle.domain.polls import is_beat
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Stream
from reticle.domain.throttling import hidden, silent
from reticle.domain.tooling import is_dev_tooling, is_telemetry
from reticle.domain.voices import voices
from reticle.domain.words import speaks_of_failure, speaks_of_the_server
from reticle.model.codes import EventType
from reticle.model.finding_limits import (
    STREAM_BEATS,
    STREAM_FED,
    STREAM_RETURNS_MS,
    STREAM_SILENT_BEATS,
    STREAM_SILENT_MS,
)
from reticle.model.limits import REACTION_GRACE_MS
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "stream-stopped"

_LAST = re.compile(r"done|complete|finish|final|end|stop|close|bye|100|\b0\b|success|result", re.IGNORECASE)
"""Words of a message after which none may be expected: that of a job's progress, a countdown's zero."""

_STOPPING = re.compile(
    r"(?i)stop|paus|disconnect|leav|clos|log.?(?:out|off)|sign.?(?:out|off)|unsubscrib|unfollow|mut|end|cancel|"
    r"finish|quit|exit|hang|off|hid|dismiss|collaps|freez|disabl|live|stream|feed|watch|connect|reset|clear"
)
"""Words of an action, or of a claim, that is about a stream's end."""

_CHOOSING = frozenset({"aria-selected", "aria-pressed", "aria-checked", "aria-current", "aria-expanded"})
"""What tells that the user looks at something else now, or switched it."""


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per stream that ended for good or fell silent, where nothing says that it should.
    """
    streams = _streams(window)
    if not streams or window.new_document or lost(window, ("net",)) or _is_slowed(window):
        return ()
    if of_types(window, EventType.ROUTE_CHANGE) or any(
        isinstance(leaf, Stream) for leaf in asserted(predicate)
    ):
        return ()
    stopped = [
        (told, how)
        for told in streams.values()
        if (how := _stopped(told, streams, window, predicate)) is not None
    ]
    if not stopped or _owned_up(window):
        return ()
    return tuple(_finding(told, how) for told, how in stopped)


def _is_slowed(window: Window) -> bool:
    """
    Whether the browser may have held messages back; that what the page said of it was lost is no excuse.
    """
    return hidden(window) or silent(window)


@once_per_window
def _streams(window: Window) -> Mapping[object, Sequence[PageEvent]]:
    """
    The events of each stream of the app's own, by document and name.
    """
    streams: dict[object, list[PageEvent]] = {}
    for event in of_types(window, EventType.NET_STREAM):
        url = text_of(event.data, "url") or ""
        if not is_dev_tooling(url) and not is_telemetry(url):
            streams.setdefault((event.document_id, str(event.data.get("id", url))), []).append(event)
    return streams


def _stopped(
    told: Sequence[PageEvent],
    streams: Mapping[object, Sequence[PageEvent]],
    window: Window,
    predicate: Predicate | None,
) -> str | None:
    if told[-1].data.get("by") == "app":
        return _was_closed(told[-1], streams, window, predicate)
    return _ended(told, streams, window) or _fell_silent(told, window)


def _was_closed(
    end: PageEvent,
    streams: Mapping[object, Sequence[PageEvent]],
    window: Window,
    predicate: Predicate | None,
) -> str | None:
    """
    How the action made the app close a stream that the page lived on, although nothing of it is about that.
    """
    fed = whole_of(end.data, "fed") or 0
    if fed < STREAM_FED or initiator_of(end, window) is not Initiator.ACTION:
        return None
    if of_types(window, EventType.DOM_REMOVED) or _turned_away(window):
        return None
    if any(event.data.get("direction") == "open" for event in _of_all(streams)):
        return None
    if _STOPPING.search(" ".join([*control_names(window), *claimed_words(predicate)])):
        return None
    return f"the app closed it with this action, after {fed} of its messages had changed the page"


def _turned_away(window: Window) -> bool:
    """
    Whether something was hidden, or another tab, choice or fold was taken.
    """
    changed = of_types(window, EventType.DOM_ATTR)
    return any(
        event.data.get("attr") in _CHOOSING
        or (event.data.get("attr") == "hidden" and event.data.get("value") is not None)
        for event in changed
    )


def _ended(
    told: Sequence[PageEvent], streams: Mapping[object, Sequence[PageEvent]], window: Window
) -> str | None:
    """
    How a stream ended that had been in use, was not closed at once by the action, and did not return.
    """
    last = told[-1]
    if last.data.get("direction") != "close" or window.closed_t_ms - last.t_ms < STREAM_RETURNS_MS:
        return None
    if last.data.get("transport") == "fetch" and not flag_of(last.data, "broken"):
        return None
    heard = [event for event in told if event.data.get("direction") == "in"]
    if not heard or last.t_ms - window.opened_t_ms < REACTION_GRACE_MS or _says_it_is_the_last(heard[-1]):
        return None
    if any(_opens_again(event, last) for event in _of_all(streams)):
        return None
    return f"it {'broke off' if flag_of(last.data, 'broken') else 'ended'} and was not opened again"


def _of_all(streams: Mapping[object, Sequence[PageEvent]]) -> Iterator[PageEvent]:
    return (event for told in streams.values() for event in told)


def _opens_again(event: PageEvent, ended: PageEvent) -> bool:
    same = (
        url_parts(text_of(event.data, "url") or "").path == url_parts(text_of(ended.data, "url") or "").path
    )
    return same and event.seq > ended.seq


def _fell_silent(told: Sequence[PageEvent], window: Window) -> str | None:
    if told[-1].data.get("direction") == "close":
        return None
    beats = [event for event in told if event.data.get("direction") == "in"]
    times = [event.t_ms for event in beats]
    if len(beats) < STREAM_BEATS or not is_beat(times, STREAM_BEATS) or _says_it_is_the_last(beats[-1]):
        return None
    pause = (times[-1] - times[0]) / (len(times) - 1)
    silent_ms = window.closed_t_ms - times[-1]
    if silent_ms < max(STREAM_SILENT_MS, STREAM_SILENT_BEATS * pause):
        return None
    return f"a message came every {pause:.0f} ms, and then none for {silent_ms} ms"


def _says_it_is_the_last(event: PageEvent) -> bool:
    """
    Also where its words were not seen: then nobody knows.
    """
    said = text_of(event.data, "preview")
    return said is None or _LAST.search(said) is not None


def _owned_up(window: Window) -> bool:
    return any(
        speaks_of_failure(f"{voice.about} {voice.text}")
        or speaks_of_the_server(f"{voice.about} {voice.text}")
        for voice in voices(window)
    )


def _finding(told: Sequence[PageEvent], how: str) -> Finding:
    data = told[-1].data
    detail = {"transport": data.get("transport"), "url": data.get("url"), "messages": len(told)}
    claim = f"the page lives on {data.get('transport')} {data.get('url')}"
    return Finding(KIND, FindingTier.ABSENCE, claim, how, detail)
