"""
An answer that came too late was shown all the same: two reads of one path overtook each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from urllib.parse import parse_qsl

from reticle.domain.changes import MOVES
from reticle.domain.channels import of_channels
from reticle.domain.echoes import body_of, scalars
from reticle.domain.facts import brief, spoken_text, url_parts
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.requests import Request
from reticle.domain.voices import strings
from reticle.errors import LocalMisuse
from reticle.model.codes import EventType
from reticle.model.limits import OVERLAPPING_READS
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "stale-response-applied"

_PAGING = frozenset(
    {"page", "offset", "cursor", "limit", "size", "per_page", "perPage", "pageSize", "after", "before",
     "start", "end"}
)  # fmt: skip
"""Pages of one list may be asked for side by side."""

_EARLY_MS = 100
_LATE_MS = 500
"""When a page reacts to an answer, around the time we hear of it: the body is read beside the app."""

_TELLING_CHARS = 3


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    One finding per read that was begun before another of its path, ended after it, and was then shown.

    Observed where the page then shows words that only the late answer has; a doubt where its body was not
    recorded, or has no words, and the page merely moved. Where its words did not come up, or those of the
    newer answer came up again after them, it was dropped as it should be.

    A doubt too where both were on their way and came in their order, and after the newer answer the page
    still showed words of the older one alone: what is there is not what was asked for last, or not yet.

    And where what was asked for was typed on, and the newer answer drew nothing after the older one had been
    shown. Of other questions (another row, another tab) the newer may be read ahead, to be drawn later.
    """
    found: list[Finding] = []
    for reads in _by_path(own_requests(window)).values():
        for older, newer in _followed(reads):
            if _applied(older, newer, window) is FindingTier.OBSERVED and _words_of(newer) - _words_of(older):
                counter = f"behind its answer the page showed the older {brief(str(older))}"
                found.append(_finding(FindingTier.ABSENCE, older, newer, counter))
            elif _typed_on(older, newer) and _undrawn(older, newer, window):
                counter = f"the page showed the older {brief(str(older))} before, and nothing of it since"
                found.append(_finding(FindingTier.ABSENCE, older, newer, counter))
        for late, newer in _overtaken(reads):
            tier = _applied(late, newer, window)
            if tier is not None:
                counter = f"the page then showed the older {brief(str(late))}"
                found.append(_finding(tier, late, newer, counter))
    return tuple(found)


def _finding(tier: FindingTier, older: Request, newer: Request, counter: str) -> Finding:
    detail = {"url": older.url, "newer": newer.url}
    return Finding(KIND, tier, f"{newer} was asked for last", counter, detail)


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:  # noqa: ARG001 -- as ``find``
    """
    The channels whose loss may hide that the older answer was shown.
    """
    together = any(
        True
        for reads in _by_path(own_requests(window)).values()
        for _ in (*_overtaken(reads), *_followed(reads))
    )
    return MOVES if together else frozenset()


def _by_path(seen: Iterable[Request]) -> Mapping[tuple[object, str], list[Request]]:
    paths: dict[tuple[object, str], list[Request]] = {}
    for one in seen:
        if one.method == "GET" and one.ok and one.begun is not None and one.initiator != "document":
            parts = url_parts(one.url)
            paths.setdefault((one.document_id, f"{parts.netloc}{parts.path}"), []).append(one)
    return paths


def _overtaken(reads: list[Request]) -> Iterator[tuple[Request, Request]]:
    """
    Each read that ended after one begun later, with the last such.
    """
    reads = reads[-OVERLAPPING_READS:]
    for place, one in enumerate(reads):
        newer = [
            later
            for later in reads[place + 1 :]
            if _end(later).seq < _end(one).seq and _asked(later.url) != _asked(one.url)
        ]
        if newer:
            yield one, newer[-1]


def _followed(reads: list[Request]) -> Iterator[tuple[Request, Request]]:
    """
    Each read that ended while the last was on its way, with that one.
    """
    *earlier, newer = reads[-OVERLAPPING_READS:]
    for one in earlier:
        begun = newer.begun
        if (
            begun is not None
            and begun.seq < _end(one).seq < _end(newer).seq
            and _asked(newer.url) != _asked(one.url)
        ):
            yield one, newer


def _typed_on(older: Request, newer: Request) -> bool:
    """
    Whether one word of the question was made longer or shorter, and nothing else of it: no number, for such
    names another thing.
    """
    before, after = _asked(older.url), _asked(newer.url)
    if before.keys() != after.keys():
        return False
    changed = [(before[name], after[name]) for name in before if before[name] != after[name]]
    return len(changed) == 1 and all(
        (one.startswith(other) or other.startswith(one)) and not (one + other).isdigit()
        for one, other in changed
    )


def _undrawn(older: Request, newer: Request, window: Window) -> bool:
    """
    Whether the page showed words that only the older answer has, before the newer one came, and since then
    none of those that only the newer has in the same fields.

    What was taken away again was not left to stand. Other fields may not be meant for showing.
    """
    told = _texts_of(older)
    words = _words_of(older) - _words_of(newer)
    moves = [event for event in of_channels(window, MOVES) if event.seq > newer.seq]
    ended = _end(older).t_ms
    first = [
        event
        for event in moves
        if event.seq < _end(newer).seq
        and ended - _EARLY_MS <= event.t_ms <= ended + _LATE_MS
        and _shows(event, words)
    ]
    if not first:
        return False
    fields = {field for field, text in told if text in words and any(_shows(one, {text}) for one in first)}
    fresh = {text for field, text in _texts_of(newer) if field in fields} - _words_of(older)
    later = [event for event in moves if event.seq > first[-1].seq]
    return bool(fresh) and not any(_shows(event, fresh) or _takes_away(event, words) for event in later)


def _texts_of(one: Request) -> frozenset[tuple[str, str]]:
    """
    The telling words of an answer with the names of the fields that they stand in.
    """
    body = body_of(one.answer, "responseBody")
    named = ((name, value) for name, value in scalars(body) if isinstance(value, str))
    within = {(name, " ".join(text.split())) for name, text in named}
    listed = {("", text) for text in _words_of(one) - {text for _, text in within}}
    return frozenset({(name, text) for name, text in within if len(text) >= _TELLING_CHARS} | listed)


def _asked(url: str) -> Mapping[str, str]:
    query = parse_qsl(url_parts(url).query, keep_blank_values=True)
    return {name: value for name, value in query if name not in _PAGING}


def _applied(late: Request, newer: Request, window: Window) -> FindingTier | None:
    reactions = _reactions(late, newer, window)
    if not reactions:
        return None
    words = _words_of(late) - _words_of(newer)
    if not words:
        return FindingTier.ABSENCE if not _words_of(late) else None
    shown = [event.seq for event in reactions if _shows(event, words)]
    if not shown:
        return None
    fresh = _words_of(newer) - _words_of(late)
    later = (event for event in of_channels(window, MOVES) if event.seq > shown[-1])
    return None if any(_shows(event, fresh) for event in later) else FindingTier.OBSERVED


def _reactions(late: Request, newer: Request, window: Window) -> list[PageEvent]:
    ended = _end(late).t_ms
    return [
        event
        for event in of_channels(window, MOVES)
        if event.seq > _end(newer).seq and ended - _EARLY_MS <= event.t_ms <= ended + _LATE_MS
    ]


def _words_of(one: Request) -> frozenset[str]:
    said = (" ".join(text.split()) for text in strings(body_of(one.answer, "responseBody")))
    return frozenset(text for text in said if len(text) >= _TELLING_CHARS)


def _shows(event: PageEvent, words: AbstractSet[str]) -> bool:
    return event.type != EventType.DOM_REMOVED and _says(event, words)


def _takes_away(event: PageEvent, words: AbstractSet[str]) -> bool:
    return event.type == EventType.DOM_REMOVED and _says(event, words)


def _says(event: PageEvent, words: AbstractSet[str]) -> bool:
    said = " ".join([spoken_text(event), *strings(event.data.get("value"))])
    return any(text in said for text in words)


def _end(one: Request) -> PageEvent:
    if one.ended is None:
        raise LocalMisuse("a read that was not answered")
    return one.ended
