"""
Evidence of documents that are gone.
"""

from __future__ import annotations

import pytest

from reticle.domain.findings import evidence_superseded
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.verdict import FindingTier
from reticle.testing.windows import WindowBuilder, WindowStep


def test_events_of_a_document_that_is_gone_are_not_of_this_page() -> None:
    """
    A page that was reloaded under an assertion has not yet told how it is now.
    """
    window = WindowBuilder().net("POST", "/a").dom_added().new_document().build()
    [finding] = evidence_superseded.find(window, None)
    assert (finding.kind, finding.tier) == ("evidence-superseded", FindingTier.ABSENCE)
    decision = decide(parse({"kind": "net", "method": "POST"}), window)
    assert (decision.verified.value, decision.reason.value) == ("unknown", "evidence_incomplete")


@pytest.mark.parametrize(
    ("step", "superseded"),
    [
        (lambda b: b.dom_added().new_document().event("page.health", {"hidden": False}), True),
        (lambda b: b.loss("dom").new_document(), True),
        (lambda b: b.dom_added().new_document().net("GET", "/", initiator="document"), False),
        (lambda b: b.click().dom_added().new_document(), False),
        (lambda b: b.dom_added(), False),
        (lambda b: b.new_document(), False),
    ],
)
def test_a_new_document_that_told_something_or_was_the_action_is_evidence(
    step: WindowStep,
    superseded: bool,  # noqa: FBT001 -- a table column
) -> None:
    """
    A heartbeat tells nothing; an arrival does; what an action leads to is what it did.
    """
    assert bool(evidence_superseded.find(step(WindowBuilder()).build(), None)) is superseded
