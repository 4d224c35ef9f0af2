"""
Evidence of code that was replaced.
"""

from __future__ import annotations

import pytest

from reticle.domain.findings import evidence_predates_edit
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.verdict import FindingTier
from reticle.testing.windows import WindowBuilder, WindowStep, without

POSTED = {"kind": "net", "method": "POST"}
TEXT = {"kind": "text", "contains": "Saved"}


def predates(builder: WindowBuilder, claim: object = POSTED) -> bool:
    return bool(evidence_predates_edit.find(builder.build(), parse(claim)))


def test_an_action_that_a_hot_update_overtook_was_the_old_codes() -> None:
    """
    The agent edited, clicked too soon, and must click again: unknown, and the sentence says so.
    """
    builder = WindowBuilder().click().net("POST", "/a", responseBody="{}").dom_added().edit().dom_added()
    [finding] = evidence_predates_edit.find(builder.build(), parse(POSTED))
    assert (finding.kind, finding.tier) == ("evidence-predates-edit", FindingTier.ABSENCE)
    assert finding.counter == "a hot update of /src/a.js came after it; do it again"
    assert decide(parse(POSTED), builder.build()).reason.value == "evidence_incomplete"


@pytest.mark.parametrize(
    ("step", "claim", "expected"),
    [
        (lambda b: b.net("POST", "/a").edit(), POSTED, True),
        (lambda b: b.net("POST", "/a").edit().event("page.health", {}), POSTED, True),
        (lambda b: b.net("POST", "/a").edit().net("POST", "/a"), POSTED, False),
        (lambda b: b.net("POST", "/a").edit(), TEXT, False),
        (lambda b: b.net("POST", "/a"), POSTED, False),
        (lambda b: b.net("POST", "/a").edit().new_document().dom_added(), POSTED, False),
    ],
)
def test_without_an_action_only_old_events_are_doubted(
    step: WindowStep,
    claim: object,
    expected: bool,  # noqa: FBT001 -- a table column
) -> None:
    """
    What the page answers now, and what came after the update, is the new code's; a new document is whole.
    """
    assert predates(step(WindowBuilder()), claim) is expected


def test_an_update_before_the_window_is_the_code_that_acted() -> None:
    """
    Edit, wait, click: nothing to doubt, however many updates there were.
    """
    builder = WindowBuilder().edit().click().net("POST", "/a")
    window = builder.build()
    later = without(window, [11])
    assert evidence_predates_edit.find(later, parse(POSTED)) == ()


def test_an_update_whose_event_was_lost_is_known_by_later_events() -> None:
    """
    Each event says after how many updates it came.
    """
    window = WindowBuilder().click().net("POST", "/a").edit().dom_added().build()
    assert len(evidence_predates_edit.find(without(window, [13]), parse(POSTED))) == 1
