"""
A framework says on the console that what it shows may be wrong, because of what the action made it render.

Claim: the page shows what the app holds. Counter-evidence: a complaint during the action that the framework
makes where rows, markup or values can get mixed up: rows without keys, two with the same one, markup that the
server made otherwise, hooks out of order, an update within an update.
Tier: a doubt, for most often nothing is seen of it yet.
Guards: only the complaints listed here; deprecations, hints for tools and style are none; what the claim
names as written to the console; the same one before the action. Frameworks make each once in a page's life.
"""

from __future__ import annotations

import re
from typing import Final

from reticle.domain.channels import of_types
from reticle.domain.facts import brief, text_of
from reticle.domain.findings.judged import asserted
from reticle.domain.findings.uncaught_error import source_of
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.event_leaves import fits_entry
from reticle.domain.predicate.kinds import Console
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "framework-complaint"

_COMPLAINTS: Final = re.compile(
    # React
    r"should have a unique \"key\" prop"
    r"|two children with the same key"
    r"|change in the order of Hooks|Rendered (?:more|fewer) hooks than"
    r"|Cannot update (?:a component|during an existing state transition)|Maximum update depth exceeded"
    r"|changing an? (?:un)?controlled input"
    r"|Hydration failed|hydrat(?:ing|ed) but some attributes"
    r"|(?:Text content|Prop .{1,60}|Expected server HTML .{0,80}) did not match"
    # Vue
    r"|\[Vue warn\]:? (?:Duplicate keys|Unhandled error|Maximum recursive updates|Hydration|Failed to resolve"
    r"|Property .{1,60} was accessed during render)"
    # Svelte, Angular, Solid
    r"|each_key_duplicate|hydration_mismatch|state_unsafe_mutation|effect_update_depth_exceeded"
    r"|\bNG0?(?:100|103|500|501|502|600|955)\b"
    r"|Hydration Mismatch"
)
"""What each says where what is shown may not be what the app holds; in their development builds."""

_CONSOLE: Final = (EventType.CONSOLE_ERROR, EventType.CONSOLE_WARN)

_HIDING: Final = frozenset({"console"})


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per complaint that the action brought about and nobody declared.
    """
    if window.action is None:
        return ()
    declared = [leaf for leaf in asserted(predicate) if isinstance(leaf, Console) and not leaf.absent]
    known = {_gist(event) for event in window.control}
    found: dict[str, Finding] = {}
    for event in of_types(window, *_CONSOLE):
        gist = _gist(event)
        if not gist or gist in known or any(fits_entry(leaf, event) for leaf in declared):
            continue
        said = brief(text_of(event.data, "message") or "", 160)
        claim = "the page shows what the app holds"
        detail = {"message": brief(text_of(event.data, "message") or "", 400)}
        counter = f"its framework complains: {said}"
        found.setdefault(gist, Finding(KIND, FindingTier.ABSENCE, claim, counter, detail, source_of(event)))
    return tuple(found.values())


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:  # noqa: ARG001 -- as ``find``
    """
    The channel whose loss may hide a complaint; a flood of mere log entries hides none.
    """
    dropped = {loss.channel for loss in window.losses}
    return _HIDING if window.action is not None and dropped & {*_CONSOLE} else frozenset()


def _gist(event: PageEvent) -> str:
    """
    By which words two complaints are the same; "" for what is none.
    """
    if event.type not in _CONSOLE:
        return ""
    match = _COMPLAINTS.search(text_of(event.data, "message") or "")
    return "" if match is None else match[0]
