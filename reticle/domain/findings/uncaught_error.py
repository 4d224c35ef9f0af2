"""
The app threw, or rejected a promise, and nobody caught it.
"""

from __future__ import annotations

import re

from reticle.domain.channels import of_types
from reticle.domain.facts import brief, text_of, whole_of
from reticle.domain.findings.judged import declares_console_error
from reticle.domain.libraries import is_library_name
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.event_leaves import fits_entry
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "uncaught-error"

_HARMLESS = ("resizeobserver loop", "aborterror")
"""A browser notice without an effect, and requests that the page itself took back."""

_CUT_OFF = ("failed to fetch", "networkerror", "load failed")
"""What a fetch says that its document's end cut off."""

_FOREIGN = ("chrome-extension://", "moz-extension://", "safari-web-extension://")
_OPAQUE = "script error."

_IN_STACK = re.compile(r"([^\s()@]+:\d+:\d+)\)?$")
_OWN_ORIGIN = re.compile(r"^https?://[^/]+(?=/)")

_NAMES_LINE = re.compile(r":\d+$")
"""How a place ends that names its line, with or without the column."""


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per uncaught error that nobody declared.

    An error of another origin without any detail may be a stranger's: it only makes the verdict unknown.
    """
    declared = list(declares_console_error(predicate))
    return tuple(
        _finding(event)
        for event in of_types(window, EventType.ERROR_UNCAUGHT)
        if not _harmless(event, window) and not any(fits_entry(leaf, event) for leaf in declared)
    )


def _finding(event: PageEvent) -> Finding:
    message = text_of(event.data, "message") or "an error without a message"
    kind = text_of(event.data, "kind") or "error"
    opaque = message.strip().lower() == _OPAQUE
    tier = FindingTier.ABSENCE if opaque else FindingTier.OBSERVED
    what = "unhandled rejection" if kind == "unhandledrejection" else "uncaught error"
    counter = f"{what}: {brief(message)}"
    return Finding(KIND, tier, "the app ran", counter, {"message": brief(message, 400)}, source_of(event))


def source_of(event: PageEvent) -> str | None:
    """
    The ``file:line`` that an error or console event names, with the column where it tells it, or None.
    """
    source, line = text_of(event.data, "source"), whole_of(event.data, "line")
    if not source or line is None or _NAMES_LINE.search(source):
        return source
    return f"{source}:{line}"


def entered_at(event: PageEvent) -> str | None:
    """
    The outermost ``file:line`` of the app's own on an error's stack: where what led to it began.
    """
    found = (_IN_STACK.search(line.rstrip()) for line in (text_of(event.data, "stack") or "").split("\n"))
    own = [one[1] for one in found if one is not None and not is_library_name(one[1])]
    return _OWN_ORIGIN.sub("", own[-1]) if own else None


def _harmless(event: PageEvent, window: Window) -> bool:
    message = (text_of(event.data, "message") or "").lower()
    if any(word in message for word in _HARMLESS):
        return True
    if (text_of(event.data, "source") or "").startswith(_FOREIGN):
        return True
    ended = event.document_id is not None and event.document_id != window.document_id
    return ended and any(word in message for word in _CUT_OFF)
