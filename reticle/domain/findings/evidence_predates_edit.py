"""
The code was changed under the evidence: a hot update came after what would prove the claim.
"""

from __future__ import annotations

from reticle.domain.channels import of_types
from reticle.domain.facts import list_of
from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Animation, Console, Happening, Net, Signal
from reticle.model.codes import EventType
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "evidence-predates-edit"

_QUIET_TYPES = frozenset({EventType.PAGE_HEALTH, EventType.EDIT_APPLIED, EventType.BLIND_SPOT})


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    A finding when a hot update makes the evidence that of other code than now runs.

    An action that the update came after was carried out by the old code. Without an action it is so where
    the claim rests on events and all of them came before the update; what the page is asked now, the new
    code answers.
    """
    edited = _last_edit(window)
    if edited is None:
        return ()
    seq, paths = edited
    if window.action is None and (not _rests_on_events(predicate) or _told_after(window, seq)):
        return ()
    what = f"a hot update of {', '.join(paths[:3])}" if paths else "a hot update"
    claim = "the action was carried out" if window.action is not None else "the claim rests on what happened"
    detail = {"paths": paths[:20], "seq": seq}
    return (Finding(KIND, FindingTier.ABSENCE, claim, f"{what} came after it; do it again", detail),)


def _last_edit(window: Window) -> tuple[int, list[str]] | None:
    """
    Where the present document's code last changed in the window: told by itself, or by later events.
    """
    own = (event for event in reversed(window.events) if event.document_id in (None, window.document_id))
    newest = next(own, None)
    if newest is None or (newest.edit_epoch is None and not of_types(window, EventType.EDIT_APPLIED)):
        return None
    epoch: int | None = 0 if window.page.own_script else None
    edited: tuple[int, list[str]] | None = None
    first = True
    for event in window.events:
        if event.document_id not in (None, window.document_id):
            continue
        if event.type == EventType.EDIT_APPLIED:
            edited = (event.seq, [str(path) for path in list_of(event.data, "paths")])
            epoch = event.edit_epoch or epoch
        elif event.edit_epoch is not None:
            if not first and epoch is not None and event.edit_epoch > epoch:
                edited = (event.seq, [])
            epoch = event.edit_epoch
        first = False
    return edited


def _rests_on_events(predicate: Predicate | None) -> bool:
    return any(
        isinstance(leaf, Net | Signal | Console | Animation | Happening) for leaf in asserted(predicate)
    )


def _told_after(window: Window, seq: int) -> bool:
    return any(event.seq > seq and event.type not in _QUIET_TYPES for event in window.events)
