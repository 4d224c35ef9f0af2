"""
Rows without keys for which React kept what belonged to others.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain.findings.rows_mixed_up import find
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import VerifiedReason
from reticle.model.window import Mixed, Pending, Window
from reticle.testing.windows import WindowBuilder

CLAIM = parse({"kind": "net", "method": "GET", "urlContains": "/api/tasks", "status": 200})


def filtered(*mixed: Mixed) -> Window:
    """
    A list was filtered.
    """
    window = WindowBuilder().click("Done").net("GET", "/api/tasks", 200).build()
    return attrs.evolve(window, pending=Pending(0, mixed=mixed))


def test_rows_that_got_others_elements_hold_a_pass_back() -> None:
    """
    Whoever typed into one row finds it in another.
    """
    window = filtered(Mixed("TaskList", 3))
    (finding,) = find(window, CLAIM)
    assert (finding.kind, finding.detail) == ("rows-mixed-up", {"component": "TaskList", "rows": 3})
    assert finding.counter == "they have no keys, and 3 of them got what React keeps for another row"
    assert decide(CLAIM, window).reason is VerifiedReason.EVIDENCE_INCOMPLETE


@pytest.mark.parametrize(
    "window",
    [
        filtered(),
        attrs.evolve(filtered(Mixed("TaskList", 3)), pending=None),
        attrs.evolve(filtered(Mixed("TaskList", 3)), action=None),
    ],
)
def test_rows_that_stayed_themselves_are_let_be(window: Window) -> None:
    """
    No word of the page, and no action: no doubt.
    """
    assert find(window, CLAIM) == ()
