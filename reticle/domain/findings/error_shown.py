"""
An error message came up beside a success that is claimed.

Claim: the action succeeded (a text that says so, or a write that was answered well). Counter-evidence: after
it an alert, a status or a live region that speaks of failure came up, in the page or in a frame of it; or a
field became invalid, and nothing was written.
Tier: a doubt, for the message may be about another thing.
Guards: a failure that is claimed, the message's own words in the claim, what comes by itself or came before
again and again, a message that was gone when the success came, "0 failed" and "this cannot be undone", words
that the user sent or that the action is called by, and what a field lacks while a write went well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from reticle.domain.attribution import Initiator, initiator_of
from reticle.domain.channels import of_types
from reticle.domain.facts import brief, quoted, spoken_text, text_of
from reticle.domain.findings.judged import asserted, declares_console_error
from reticle.domain.findings.own_words import without_own_words
from reticle.domain.findings.shown_claims import claimed_words
from reticle.domain.good_news import speaks_of_a_failure_now
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_writes
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Element, Leaf, Net
from reticle.domain.predicate.network import names_failure
from reticle.domain.requests import MUTATING
from reticle.domain.voices import ALERTS, SHOWING, comes_as_message, tells_of_field
from reticle.domain.words import speaks_of_failure, speaks_of_success
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "error-shown"

_SAYING: Final = ALERTS | {"status"}
_NOT_SAYING: Final = frozenset(
    {"dialog", "log", "marquee", "timer", "list", "listitem", "table", "grid", "feed"}
)
_SHORT: Final = 120
"""So long at most is what a live region without a role of its own says as a message; else it is contents."""

_AGAIN: Final = 2
"""A message that came so often before the action comes by itself."""

_DONE: Final = re.compile(
    r"(?i)\b(?:deleted|removed|submitted|applied|uploaded|imported|accepted|approved|booked|published|paid|"
    r"cancell?ed|moved|renamed|archived|restored|registered|gel\u00f6scht|entfernt|supprim\u00e9|eliminad|removid)"
)
"""Words of what was done, beside those that speak of success."""

_OFF: Final = frozenset({"false", "none", ""})
_HAS_MANNERS: Final = re.compile(r"\?\s*$")
"""An alert that ends by asking is the question before a deed."""


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    At most one finding, of the first such message.
    """
    if window.action is None:
        return ()
    words = claimed_words(predicate)
    claim = _claimed_success(words, predicate)
    if claim is None or _claims_failure(words, predicate):
        return ()
    # "Saved, but 2 rows failed" has the claimed word of success and is no pass
    folded = [" ".join(said.split()).casefold() for said in words if not _is_of_success(said)]
    for event in _errors(window):
        text = " ".join(spoken_text(event).split())
        if not any(said in text.casefold() for said in folded if said):
            return (_finding(claim, event, text),)
    return ()


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:
    """
    The channels whose loss may hide such a message.
    """
    claimed = window.action is not None and _claimed_success(claimed_words(predicate), predicate)
    return frozenset({"visible"}) if claimed else frozenset()


def _claimed_success(words: tuple[str, ...], predicate: Predicate | None) -> str | None:
    """
    The success that a claim is about, in words.
    """
    said = next((one for one in words if _is_of_success(one)), None)
    if said is not None:
        return f"{quoted(brief(said, 60))} is claimed"
    for leaf in asserted(predicate):
        if isinstance(leaf, Net) and (leaf.method or "").upper() in MUTATING and leaf.count != 0:
            well = leaf.ok is True or (leaf.status is not None and 200 <= leaf.status < 300)
            if well:
                return f"a {(leaf.method or '').upper()} that succeeds is claimed"
    return None


def _is_of_success(said: str) -> bool:
    return speaks_of_success(said) or _DONE.search(said) is not None


def _claims_failure(words: tuple[str, ...], predicate: Predicate | None) -> bool:
    if any(speaks_of_failure(said) for said in words) or any(declares_console_error(predicate)):
        return True
    return any(_is_of_failure(leaf) for leaf in asserted(predicate))


def _is_of_failure(leaf: Leaf) -> bool:
    if isinstance(leaf, Net):
        return names_failure(leaf)
    if not isinstance(leaf, Element) or leaf.absent:
        return False
    return leaf.state == "invalid" or leaf.query.get("role") in ALERTS or "aria-invalid" in str(leaf.query)


@once_per_window
def _errors(window: Window) -> tuple[PageEvent, ...]:
    """
    The messages of failure that came up and stood, and the fields that became invalid, oldest first.
    """
    came = [*of_types(window, EventType.VISIBLE_SHOWN, EventType.DOM_ATTR)]
    return tuple(
        event
        for event in sorted(came, key=lambda one: one.seq)
        if (_is_message_of_failure(event, window) or (_is_invalid_field(event) and not own_writes(window)))
        and initiator_of(event, window) is not Initiator.OTHER
        and not _came_before(event, window)
        and not _was_taken_back(event, window)
        and not _is_of_another_field(event, window)
    )


def _is_message_of_failure(event: PageEvent, window: Window) -> bool:
    if (
        event.type != EventType.VISIBLE_SHOWN
        or not comes_as_message(event)
        or event.data.get("sight") == "none"
    ):
        return False
    text = " ".join(spoken_text(event).split())
    role = event.data.get("role")
    if role not in _SAYING and (role in _NOT_SAYING or tells_of_field(event) or len(text) > _SHORT):
        return False
    return _HAS_MANNERS.search(text) is None and speaks_of_a_failure_now(without_own_words(text, window))


def _is_invalid_field(event: PageEvent) -> bool:
    if event.type == EventType.VISIBLE_SHOWN:
        return tells_of_field(event)
    return (
        event.data.get("attr") == "aria-invalid"
        and str(event.data.get("value")).lower() not in _OFF
        and str(event.data.get("old")).lower() in _OFF
    )


def _came_before(event: PageEvent, window: Window) -> bool:
    """
    Whether the same was told again and again before the action.
    """
    text = spoken_text(event)
    same = [
        one
        for one in window.changes_before
        if one.type == event.type and one.document_id == event.document_id and spoken_text(one) == text
    ]
    return bool(text) and len(same) >= _AGAIN


def _was_taken_back(event: PageEvent, window: Window) -> bool:
    """
    Whether a message was gone, or its place says something else, when a success came, as after a second try;
    or the field is valid again.
    """
    if event.type == EventType.DOM_ATTR:
        return any(
            later.data.get("attr") == "aria-invalid" and str(later.data.get("value")).lower() in _OFF
            for later in _at_its_place(event, window)
        )
    gone = _gone_at(event, window)
    return gone is not None and any(
        one.seq >= gone and _is_of_success(spoken_text(one)) and not speaks_of_failure(spoken_text(one))
        for one in of_types(window, *SHOWING)
    )


def _gone_at(event: PageEvent, window: Window) -> int | None:
    """
    The number of the event by which a message went.
    """
    replaced = (
        one.seq
        for one in _at_its_place(event, window)
        if one.type in {EventType.DOM_TEXT, EventType.VISIBLE_SHOWN}
        and not speaks_of_failure(spoken_text(one))
    )
    return min([*replaced, *_removals(event, window)], default=None)


def _removals(event: PageEvent, window: Window) -> Iterator[int]:
    """
    The removals by which a message went: one with its words, or as many of its role as had come up.
    """
    role, text = event.data.get("role"), spoken_text(event)
    removed = 0
    for one in of_types(window, EventType.DOM_REMOVED):
        if one.data.get("role") != role or one.document_id != event.document_id:
            continue
        removed += 1
        came = [shown for shown in _of_role(role, window) if shown.seq < one.seq]
        named = spoken_text(one)
        if one.seq > event.seq and (named == text or (not named and removed >= len(came))):
            yield one.seq


def _of_role(role: object, window: Window) -> Iterator[PageEvent]:
    return (one for one in of_types(window, EventType.VISIBLE_SHOWN) if one.data.get("role") == role)


def _at_its_place(event: PageEvent, window: Window) -> Iterator[PageEvent]:
    return (
        one
        for one in of_types(window, *SHOWING, EventType.DOM_ATTR)
        if one.seq > event.seq and one.ref is not None and one.ref == event.ref
    )


def _is_of_another_field(event: PageEvent, window: Window) -> bool:
    """
    Whether a message only says what a field lacks while a write went well: leaving a field checks it.
    """
    text = spoken_text(event)
    return bool(own_writes(window)) and any(
        tells_of_field(one) and text in spoken_text(one) for one in of_types(window, EventType.VISIBLE_SHOWN)
    )


def _finding(claim: str, event: PageEvent, text: str) -> Finding:
    if _is_invalid_field(event):
        named = text_of(event.data, "name")
        counter = (
            f"{f'the field {quoted(named)}' if named else 'a field'} became invalid and nothing was written"
        )
        join = '{"kind": "element", "query": …, "state": "invalid"}'
    else:
        counter = f"the page says {quoted(brief(text, 100))}"
        join = '{"kind": "text", "contains": …}'
    detail = {"said": brief(text), "role": event.data.get("role")}
    return Finding(
        KIND, FindingTier.ABSENCE, claim, f"{counter}; if that is meant, join {join} to the claim", detail
    )
