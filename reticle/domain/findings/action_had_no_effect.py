"""
A control was used and nothing at all happened.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.domain.ambient import of_the_page
from reticle.domain.channels import of_types
from reticle.domain.facts import mapping_of, text_of, whole_of
from reticle.domain.predicate import Predicate
from reticle.model.codes import ActionName, EventType
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "action-had-no-effect"

_EXPECTED_TO_ACT = frozenset({ActionName.CLICK, ActionName.SUBMIT, "dblclick"})
_EFFECTS = frozenset(
    {"dom", "visible", "net", "route", "state", "signal", "console", "error", "download", "dialog"}
)


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    A finding when a click or submit left no trace that we watch for, but what went on by itself.

    It may have written to the clipboard or opened a tab that nobody saw, so it is never more than "cannot
    tell" (field report VD-11). A tab that the driven browser opened for the page is told (``page.opened``).
    """
    action = window.action
    if action is None or action.action not in _EXPECTED_TO_ACT:
        return ()
    if window.losses or window.connection_lost:
        return ()
    report = mapping_of(action.effect.fields) if action.effect is not None else {}
    if _is_told(mapping_of(report.get("effect")), window):
        return ()
    if any(of_the_page(window, _EFFECTS)) or window.new_document:
        return ()
    if window.page.attested is not None and of_types(window, EventType.PAGE_OPENED):
        return ()
    target = (
        text_of(report, "name") or text_of(action.target, "name") or text_of(action.target, "ref") or "it"
    )
    detail = {"action": action.action, "target": target}
    claim = f"{action.action} on {target!r}"
    return (Finding(KIND, FindingTier.ABSENCE, claim, "nothing happened", detail, action.source),)


def _is_told(effect: Mapping[str, object], window: Window) -> bool:
    """
    Whether the page's own report names an effect that has no event: a text or value, what is wrong with a
    field (the browser's bubble), a window that was asked for, a style.

    Changes of the page are only counted there, so that beside changes that were told, a clock's perhaps, the
    count says nothing.
    """
    if any(effect.get(name) for name in ("valueChanged", "appeared", "invalid", "opened")):
        return True
    told = any(event.type.startswith("dom.") for event in window.events)
    return not told and bool(whole_of(effect, "domMutatedWithin"))
