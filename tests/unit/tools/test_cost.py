"""
What an answer costs.
"""

from __future__ import annotations

from reticle.model.limits import COST_TOLD_BYTES
from reticle.tools.cost import cost_fields


def test_only_what_is_worth_knowing_is_told() -> None:
    """
    A small answer says nothing of its size; a large one tells bytes and tokens, letters of any script.
    """
    assert cost_fields("x" * (COST_TOLD_BYTES - 1)) == {}
    assert cost_fields("ü" * COST_TOLD_BYTES) == {
        "cost": {"bytes": 2 * COST_TOLD_BYTES, "tokens": COST_TOLD_BYTES // 4}
    }
    assert cost_fields("x" * 2_001)["cost"] == {"bytes": 2_001, "tokens": 501}
