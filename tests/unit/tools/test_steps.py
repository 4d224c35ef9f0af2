"""
Steps, checked before the first one runs.
"""

from __future__ import annotations

import json

import pytest

from reticle.errors import Refusal
from reticle.tools.steps import EXAMPLE, parse_steps


def test_sound_steps_keep_their_order_and_budget() -> None:
    """
    Each step has its own budget or the one of the call.
    """
    steps = parse_steps(
        [
            {"action": "fill", "ref": "e1", "args": {"value": "Ada"}, "timeout_ms": 500},
            {"action": "click", "target": {"testid": "go"}, "until": {"kind": "text", "contains": "Hi"}},
        ],
        8_000,
    )
    assert [(step.action.name.value, step.seconds, step.claim is None) for step in steps] == [
        ("fill", 0.5, True), ("click", 8.0, False),
    ]  # fmt: skip


def test_the_example_is_valid() -> None:
    """
    What a refusal shows can be called.
    """
    assert len(parse_steps(json.loads(EXAMPLE)["steps"], 1)) == 2


@pytest.mark.parametrize(
    ("step", "code", "part"),
    [
        (
            {"action": "click", "reff": "e1"},
            "bad_arguments",
            "steps[1] does not take `reff`; did you mean `ref`?",
        ),
        ({"ref": "e1"}, "bad_arguments", "steps[1]: "),
        ({"action": "poke", "ref": "e1"}, "bad_arguments", "steps[1]: "),
        ({"action": "click"}, "bad_arguments", "steps[1]: The call gives neither ref nor target"),
        ({"action": "fill", "ref": "e1"}, "bad_arguments", "steps[1]: fill needs args.value"),
        (
            {"action": "click", "target": {"tezt": "a"}},
            "bad_arguments",
            "steps[1]: target does not take `tezt`",
        ),
        ({"action": "click", "ref": "e1", "until": {"kind": "txt"}}, "bad_predicate", "steps[1]: "),
        ({"action": "click", "ref": "e1", "timeout_ms": -1}, "bad_arguments", "steps[1]: "),
        ({"action": "click", "ref": "e1", "timeout_ms": 60_000}, "bad_arguments", "steps[1]: "),
    ],
)
def test_a_fault_in_a_later_step_is_found_before_the_first(
    step: dict[str, object], code: str, part: str
) -> None:
    """
    No journey ends half-way at a misspelt step: the refusal names the step, and nothing has run.
    """
    with pytest.raises(Refusal) as caught:
        parse_steps([{"action": "click", "ref": "e1"}, step], 8_000)
    assert caught.value.code == code
    assert part in caught.value.message
    assert "Nothing ran." in caught.value.message
