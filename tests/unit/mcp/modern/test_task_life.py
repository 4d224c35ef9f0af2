"""
The life of a task, as a table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reticle.errors import PeerFault
from reticle.mcp.modern.task_life import Outcome, TaskLife, TaskStatus, build_task_life

FAULT = PeerFault("x", "y")
INPUTS: dict[str, Callable[[TaskLife], bool]] = {
    "ask": lambda life: life.ask(),
    "hear": lambda life: life.hear(),
    "complete": lambda life: life.complete(b"{}"),
    "fail": lambda life: life.fail(FAULT),
    "cancel": lambda life: life.cancel(),
}
TABLE = {
    (): {"ask": "input_required", "complete": "completed", "fail": "failed", "cancel": "cancelled"},
    ("ask",): {"hear": "working", "complete": "completed", "fail": "failed", "cancel": "cancelled"},
    ("ask", "hear"): {
        "ask": "input_required",
        "complete": "completed",
        "fail": "failed",
        "cancel": "cancelled",
    },
    ("complete",): {},
    ("fail",): {},
    ("cancel",): {},
    ("ask", "cancel"): {},
}


@pytest.mark.parametrize("before", TABLE)
@pytest.mark.parametrize("given", INPUTS)
def test_every_input_in_every_state(before: tuple[str, ...], given: str) -> None:
    """
    A task that has ended never changes again, and one that works or asks only as the extension says.
    """
    outcome = Outcome()
    life: Any = build_task_life(outcome)
    for name in before:
        INPUTS[name](life)
    was = outcome.status
    expected = TABLE[before].get(given)
    assert INPUTS[given](life) is (expected is not None)
    assert outcome.status.value == (was.value if expected is None else expected)


def test_only_its_own_end_is_kept() -> None:
    """
    A cancelled task has neither result nor error, whatever its work says afterwards.
    """
    outcome = Outcome()
    life = build_task_life(outcome)
    life.cancel()
    life.complete(b"{}")
    life.fail(FAULT)
    assert (outcome.status, outcome.result, outcome.fault) == (TaskStatus.CANCELLED, None, None)
