"""
``framework-complaint``: the framework itself says that what is shown may be mixed up.
"""

from __future__ import annotations

import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.framework_complaint import KIND
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import Verified
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder

KEYS = 'Each child in a list should have a unique "key" prop. Check the render method of `ul`.'


def found(builder: WindowBuilder, claim: object = None) -> list[Finding]:
    told = find_all(builder.build(), None if claim is None else parse(claim))
    return [finding for finding in told if finding.kind == KIND]


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("error", KEYS),
        ("error", "Warning: Encountered two children with the same key, `7`."),
        ("error", "Warning: React has detected a change in the order of Hooks called by Cart."),
        (
            "error",
            "Warning: Cannot update a component (`App`) while rendering a different component (`Row`).",
        ),
        ("error", "Warning: A component is changing an uncontrolled input to be controlled."),
        ("error", 'Warning: Text content did not match. Server: "1" Client: "2"'),
        ("warn", "[Vue warn]: Duplicate keys found during update: 7 Make sure keys are unique."),
        ("warn", "[Vue warn]: Hydration node mismatch"),
        ("error", "NG0100: ExpressionChangedAfterItHasBeenCheckedError: Expression has changed"),
        ("warn", "[svelte] hydration_mismatch"),
    ],
)
def test_a_complaint_that_things_may_be_mixed_up_casts_doubt(level: str, message: str) -> None:
    """
    Rows without keys show rightly until they are sorted: the verdict is unknown, and says why.
    """
    builder = WindowBuilder().click().dom_added().console(level, message).console(level, message)
    (finding,) = found(builder)
    assert finding.tier is FindingTier.ABSENCE
    assert message[:40] in finding.counter


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("warn", "Download the React DevTools for a better development experience"),
        ("warn", "React Router Future Flag Warning: React Router will begin wrapping state updates"),
        ("warn", "Warning: componentWillMount has been renamed, and is not recommended for use."),
        ("error", "Warning: An update to Cart inside a test was not wrapped in act(...)."),
        ("warn", "[Vue warn]: (deprecation COMPONENT_V_MODEL) v-model usage has changed"),
        ("log", KEYS),
        ("error", "Could not load the cart"),
    ],
)
def test_hints_and_other_words_are_no_complaint(level: str, message: str) -> None:
    """
    Near misses: deprecations, tools, tests, and what the app itself writes.
    """
    assert found(WindowBuilder().click().dom_added().console(level, message)) == []


def test_a_complaint_that_is_claimed_is_no_surprise() -> None:
    """
    Whoever knows of it says so, and gets a verdict.
    """
    claim = {"allOf": [
        {"kind": "console", "level": "error", "contains": "unique"}, {"kind": "signal", "name": "saved"},
    ]}  # fmt: skip
    builder = WindowBuilder().click().dom_added().console("error", KEYS).signal("saved")
    assert found(builder, claim) == []
    assert decide(parse(claim), builder.quiet(2_000).build()).verified is Verified.YES


def test_without_an_action_nobody_brought_it_about() -> None:
    """
    A page that is only looked at may complain of what it did long ago.
    """
    assert found(WindowBuilder().dom_added().console("error", KEYS)) == []
