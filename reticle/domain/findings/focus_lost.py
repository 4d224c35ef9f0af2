"""
A dialog closed and took the focus with it: who uses a keyboard or a screen reader is nowhere.

Claim: the dialog is gone and the page goes on. Counter-evidence: the focus fell to the body and went to
nothing after it (WAI-ARIA Authoring Practices, "Dialog": it goes back to what opened it).
Tier: a doubt, since where it should have gone was not seen.
Guards: an element with the focus that is still there, a focus that moved on, a page that left or that nobody
looks at, an action that takes the focus away by its nature, and a dialog that took other things with it:
what had opened it may be among them. A removed row alone is none: most pages leave it at that.
"""

from __future__ import annotations

from reticle.domain.calm import calm_in_ms
from reticle.domain.changes import standing
from reticle.domain.channels import of_types
from reticle.domain.facts import flag_of, text_of
from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Element
from reticle.domain.scheduled import quiet_ahead_ms
from reticle.domain.throttling import hidden, silent
from reticle.model.codes import ActionName, EventType
from reticle.model.limits import CALM_MS, REACTION_GRACE_MS
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "focus-lost"

_DIALOGS = frozenset({"dialog", "alertdialog"})
_TAKES_IT = frozenset({ActionName.BLUR})


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    A finding when the last that was heard of the focus is that it fell to the body with a dialog.
    """
    moves = of_types(window, EventType.FOCUS_CHANGE)
    if not moves or not _is_nowhere(moves[-1]) or window.action is None or window.action.action in _TAKES_IT:
        return ()
    fell = moves[-1]
    if window.new_document or of_types(window, EventType.ROUTE_CHANGE):
        return ()
    if hidden(window) or silent(window) or window.closed_t_ms - fell.t_ms < _grace_ms(window):
        return ()
    removed = [event for event in standing(window) if event.type == EventType.DOM_REMOVED]
    dialogs = [event for event in removed if event.data.get("role") in _DIALOGS]
    if len(dialogs) != 1 or len(removed) != 1 or _is_claimed(predicate):
        return ()
    name = text_of(dialogs[0].data, "name") or ""
    claim = f"{dialogs[0].data.get('role')} {name!r} was closed"
    detail = {"dialog": name, "seq": fell.seq}
    counter = "the focus that was in it fell to the body and went nowhere"
    return (Finding(KIND, FindingTier.ABSENCE, claim, counter, detail, window.action.source),)


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:  # noqa: ARG001 -- as ``find``
    """
    The channels whose loss may hide such a fall, or the dialog that went with the focus.
    """
    if window.action is None:
        return frozenset()
    moves = of_types(window, EventType.FOCUS_CHANGE)
    return frozenset({"focus", "dom"} if moves and _is_nowhere(moves[-1]) else {"focus"})


def _grace_ms(window: Window) -> int:
    """
    How long the page has to put the focus somewhere: two frames where it has nothing else to do, and no
    longer than until it is known that nothing is left to come.
    """
    if calm_in_ms(window, strictly=False) == 0:
        return 0
    ahead = quiet_ahead_ms(window)
    return REACTION_GRACE_MS if ahead is None or ahead < REACTION_GRACE_MS else CALM_MS


def _is_nowhere(event: PageEvent) -> bool:
    """
    Whether the element with the focus went: one that is still there is named as where it came from.
    """
    return flag_of(event.data, "toBody") is True and "from" not in event.data


def _is_claimed(predicate: Predicate | None) -> bool:
    """
    Whether the claim itself says who has the focus: then it decides.
    """
    return any(isinstance(leaf, Element) and "focus" in str(leaf.state) for leaf in asserted(predicate))
