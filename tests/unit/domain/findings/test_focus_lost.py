"""
``focus-lost``: a dialog closes and leaves the focus on nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.focus_lost import KIND
from reticle.domain.predicate import parse
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Pending
from reticle.testing.windows import WindowBuilder


def found(builder: WindowBuilder, claim: Mapping[str, object] | None = None) -> list[Finding]:
    told = find_all(builder.build(), None if claim is None else parse(claim))
    return [finding for finding in told if finding.kind == KIND]


def closed(role: str = "dialog", **more: object) -> WindowBuilder:
    """
    A dialog that was closed by its button, with the focus in it.
    """
    builder = WindowBuilder().click("Close", source="dialog.js:12").dom_removed(role, "Settings")
    return builder.event("focus.change", {"toBody": True, **more})


def test_a_focus_that_falls_to_the_body_with_its_dialog_is_in_doubt() -> None:
    """
    A keyboard user who closes a dialog starts anew at the top of the page.
    """
    (finding,) = found(closed())
    assert (finding.tier, finding.detail["dialog"]) == (FindingTier.ABSENCE, "Settings")
    assert (finding.claim, finding.source) == ("dialog 'Settings' was closed", "dialog.js:12")
    assert found(closed("alertdialog")) != []


def test_a_page_that_rests_puts_the_focus_nowhere_any_more() -> None:
    """
    A verdict that comes a moment after the dialog went is in doubt like one that comes late.
    """
    window = closed().build()
    resting = attrs.evolve(window, pending=Pending(window.closed_t_ms, quiet_ms=60_000, rested=True))
    assert [finding.kind for finding in find_all(resting, None)] == [KIND]


@pytest.mark.parametrize(
    "builder",
    [
        closed().event("focus.change", {"to": 'button "Open settings"', "toBody": False}),
        closed(**{"from": 'button "Close"'}),
        closed("listitem"),
        closed().dom_removed("listitem", "Row 1"),
        closed().dom_added("dialog", "Settings"),
        closed().route("/elsewhere"),
        closed().new_document(),
        closed().hidden(),
        closed().quiet(200),
        WindowBuilder().dom_removed("dialog", "Settings").event("focus.change", {"toBody": True}),
        WindowBuilder().action("blur").dom_removed("dialog", "").event("focus.change", {"toBody": True}),
        WindowBuilder().click().dom_removed("dialog", "Settings"),
    ],
)
def test_a_focus_that_went_on_or_that_nobody_can_tell_of_is_let_be(builder: WindowBuilder) -> None:
    """
    It moved on, the page left, a row went, the opener may have gone too, or it was not watched.
    """
    assert found(builder) == []


@pytest.mark.parametrize(("quiet_ms", "watched_ms", "doubts"), [(500, 40, 1), (500, 20, 0), (100, 40, 0)])
def test_a_page_with_nothing_left_to_do_needs_no_longer_watch(
    quiet_ms: int, watched_ms: int, doubts: int
) -> None:
    """
    A claim that is judged early does not pass over the focus that nobody is going to put anywhere.
    """
    window = closed().quiet(watched_ms).build()
    told = attrs.evolve(window, pending=Pending(t_ms=window.closed_t_ms, quiet_ms=quiet_ms))
    assert len([one for one in find_all(told, None) if one.kind == KIND]) == doubts


@pytest.mark.parametrize(
    ("claim", "doubts"),
    [
        ({"kind": "element", "role": "button", "name": "Open", "state": "focused"}, 0),
        ({"kind": "element", "role": "dialog", "absent": True}, 1),
    ],
)
def test_a_claim_about_the_focus_decides_by_itself(claim: Mapping[str, object], doubts: int) -> None:
    """
    Who names what must have the focus is answered by the page.
    """
    assert len(found(closed(), claim)) == doubts
