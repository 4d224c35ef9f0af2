"""
A meter that says one thing and shows another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.domain.findings.drawn_otherwise import find
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import VerifiedReason
from reticle.model.verdict import FindingTier
from reticle.testing.windows import WindowBuilder

METER: Mapping[str, Any] = {"kind": "element", "query": {"role": "meter", "attrs": {"aria-valuenow": "47"}}}
OFF: Mapping[str, Any] = {"kind": "value-mismatch", "tag": "div", "sample": "47 of 0 to 100, drawn at 0.47%"}


def seen(claim: Mapping[str, Any], *faults: Mapping[str, Any], state: str = "visible") -> WindowBuilder:
    """
    The meter came up, with such faults.
    """
    element = {
        "ref": "e5",
        "role": "meter",
        "name": "share",
        "states": ["present", state],
        "chart": list(faults),
    }
    answer = {"matched": True, "count": 1, "candidates": 1, "perceivable": True, "elements": [element]}
    nothing = {"matched": False, "count": 0, "candidates": 0, "perceivable": False, "elements": []}
    builder = WindowBuilder().click().dom_added("meter", "share")
    return builder.answers(claim, nothing, before=True).answers(claim, answer)


def test_a_bar_of_another_length_than_its_value_is_doubted() -> None:
    """
    "47 percent" is no pass over a bar that nobody can see.
    """
    window = seen(METER, OFF).wait(1_000).build()
    (finding,) = find(window, parse(METER))
    assert (finding.tier, finding.detail["ref"]) == (FindingTier.ABSENCE, "e5")
    assert finding.counter == "it is drawn otherwise (value-mismatch: 47 of 0 to 100, drawn at 0.47%)"
    assert decide(parse(METER), window).reason is VerifiedReason.EVIDENCE_INCOMPLETE


@pytest.mark.parametrize(
    ("builder", "claim"),
    [
        (seen(METER), METER),
        (seen(METER, {"kind": "overlapping-labels", "sample": "a / b"}), METER),
        (seen(METER, OFF, state="hidden"), METER),
        (seen({**METER, "absent": True}, OFF), {**METER, "absent": True}),
        (seen(METER, OFF), {"kind": "text", "contains": "47"}),
    ],
)
def test_what_the_claim_does_not_name_is_let_be(builder: WindowBuilder, claim: Mapping[str, Any]) -> None:
    """
    A drawing that is all right, other faults, what is hidden, what is claimed to be absent: no doubt.
    """
    assert find(builder.build(), parse(claim)) == ()
