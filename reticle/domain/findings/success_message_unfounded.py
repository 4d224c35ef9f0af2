"""
The app told its user of a success that there was not.

Claim: a message in a place for messages speaks of success. Counter-evidence: the write that it is about
failed, which the app knows and keeps to its state and signals; or, where the same message used to come after
a write, none was sent this time.
Tier: observed for the first, a doubt for the second. A message over a failure that the app knows nothing of
is that of ``ui-advanced-request-failed``.
Guards: a failure that is shown too, a success that may be another write's, words of what is done later
(a draft, a queue); for the missing write everything by which a thing can be kept without a request.
"""

from __future__ import annotations

import re

from reticle.domain.capture import NET_BLIND_SPOTS, blind
from reticle.domain.channels import of_types
from reticle.domain.facts import brief, quoted, spoken_text, text_of
from reticle.domain.findings.acknowledgement import acknowledged, acknowledged_on_screen
from reticle.domain.findings.judged import undeclared_failures
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_writes
from reticle.domain.predicate import Predicate
from reticle.domain.requests import MUTATING, Request, answer_of, requests
from reticle.domain.tooling import is_dev_tooling, is_telemetry
from reticle.domain.voices import LIVE, Voice, voices
from reticle.domain.words import speaks_of_later, speaks_of_success
from reticle.model.codes import ActionName, EventType
from reticle.model.finding_limits import MESSAGE_FOLLOWS_MS
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier, Held
from reticle.model.window import Window

KIND = "success-message-unfounded"

_ACTS = frozenset({ActionName.CLICK, ActionName.SUBMIT, "dblclick", "press"})
_KEEPING = (
    EventType.STORAGE_CHANGE,
    EventType.STATE_CHANGE,
    EventType.NET_STREAM,
    EventType.WORKER_MESSAGE,
    EventType.DOWNLOAD,
    EventType.PAGE_OPENED,
    EventType.DIALOG,
)
"""What tells that a thing went, or may have gone, elsewhere than into a request."""

_MESSAGES = frozenset({"dom", "visible"})
_NUMBER = re.compile(r"\d+")


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per failed write over which a success was told, or one for a success without its write.
    """
    failed = [one for one in undeclared_failures(window, predicate) if one.mutating]
    found = [finding for one in failed if (finding := _over_failure(one, window)) is not None]
    return tuple(found) or _without_a_write(window)


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:
    """
    The channels whose loss may hide such a message.
    """
    failed = any(one.mutating for one in undeclared_failures(window, predicate))
    return _MESSAGES if failed or _may_lack_a_write(window) else frozenset()


@once_per_window
def _successes(window: Window) -> tuple[Voice, ...]:
    return tuple(
        voice
        for voice in voices(window)
        if voice.message and speaks_of_success(voice.text) and not speaks_of_later(voice.text)
    )


def _over_failure(one: Request, window: Window) -> Finding | None:
    lie = next((voice for voice in _successes(window) if voice.seq > one.seq), None)
    if lie is None or acknowledged(one, window) is not Held.YES:
        return None
    if acknowledged_on_screen(one, window) is Held.YES:
        return None
    if any(other.ended is not None and other.ended.seq < lie.seq for other in own_writes(window)):
        return None
    detail = {"method": one.method, "url": one.url, "status": one.status, "said": brief(lie.text)}
    return Finding(KIND, FindingTier.OBSERVED, f"the app says {quoted(lie.text)}", str(one), detail)


def _may_lack_a_write(window: Window) -> bool:
    """
    Whether nothing went out after an action, on a page that told of its writes before.
    """
    action = window.action
    if action is None or action.action not in _ACTS or window.new_document:
        return False
    if of_types(window, *_KEEPING) or blind(window, NET_BLIND_SPOTS):
        return False
    if any(not is_dev_tooling(one.url) and not is_telemetry(one.url) for one in requests(window)):
        return False
    return any(map(_is_write, window.answers_before)) and any(map(_is_message, window.changes_before))


def _without_a_write(window: Window) -> tuple[Finding, ...]:
    if not _may_lack_a_write(window):
        return ()
    for voice in _successes(window):
        write = _write_before(voice.text, window)
        if write is not None:
            claim = f"the app says {quoted(voice.text)}"
            counter = f"nothing was sent; {write} went before the same message"
            detail = {"said": brief(voice.text), "before": write}
            return (Finding(KIND, FindingTier.ABSENCE, claim, counter, detail),)
    return ()


def _write_before(text: str, window: Window) -> str | None:
    """
    The write that the same message, numbers apart, followed before the window, if one did.
    """
    like = _like(text)
    for change in window.changes_before:
        if change.document_id != window.document_id or not _is_message(change):
            continue
        if _like(" ".join(spoken_text(change).split())) != like:
            continue
        for answer in window.answers_before:
            if 0 <= change.t_ms - answer.t_ms <= MESSAGE_FOLLOWS_MS and _is_write(answer):
                return f"{text_of(answer.data, 'method')} {text_of(answer.data, 'url')}"
    return None


def _is_message(event: PageEvent) -> bool:
    return event.type == EventType.VISIBLE_SHOWN or event.data.get("role") in LIVE


def _is_write(answer: PageEvent) -> bool:
    url = text_of(answer.data, "url") or ""
    method = (text_of(answer.data, "method") or "").upper()
    return method in MUTATING and bool(answer_of(answer)[1]) and not is_telemetry(url)


def _like(text: str) -> str:
    return _NUMBER.sub("#", text)
