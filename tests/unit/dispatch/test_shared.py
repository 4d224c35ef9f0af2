"""
What all conversations share.
"""

from __future__ import annotations

import pytest

from reticle.dispatch.gate import Gate
from reticle.dispatch.notices import Notices
from reticle.dispatch.shared import Shared
from reticle.mcp.capabilities import Offered
from reticle.testing.gate import GateBench


def test_a_conversation_without_a_request_makes_no_gate() -> None:
    """
    Whoever only shakes hands and leaves waits for no tool.
    """
    shared = Shared(
        make_gate=lambda: pytest.fail("made"),
        make_features=lambda _: pytest.fail("made"),
        notices=Notices(),
        clock=GateBench().clock,
        offered=Offered(),
    )
    shared.forget("c1")


def test_the_gate_is_made_once() -> None:
    """
    Holds and rights are those of one gate, whoever asks first.
    """
    bench, made = GateBench(), list[str]()

    def make() -> Gate:
        made.append("gate")
        return bench.gate

    shared = Shared(
        make_gate=make,
        make_features=lambda gate: bench.features if gate is bench.gate else pytest.fail("another gate"),
        notices=bench.notices,
        clock=bench.clock,
        offered=Offered(),
    )
    assert shared.features is bench.features
    assert shared.gate is shared.gate is bench.gate
    shared.forget("c1")
    assert made == ["gate"]
