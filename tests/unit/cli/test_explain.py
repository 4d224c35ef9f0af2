"""
``reticle explain``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from click.testing import CliRunner

import reticle.cli.explain as explain_module
from reticle.cli.exits import ExitCode

STEPS = {
    "verdict_id": "v1", "verified": "no", "verifiedReason": "assertion_failed",
    "steps": [{"step": "what was claimed", "lines": ["a", "b"]}, {"step": "the verdict", "lines": ["no"]}],
}  # fmt: skip
SAME = {"verdict_id": "v1", "verified": "yes", "same": True, "reevaluated": {"verified": "yes"}}
OTHER = {
    "verdict_id": "v1", "verified": "yes", "same": False, "reevaluated": {"verified": "no"},
    "differences": [{"path": "verified", "then": "yes", "now": "no"}], "moreDifferences": 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "answer", "code", "printed"),
    [
        ([], STEPS, ExitCode.OK, "what was claimed\n  a\n  b\n\nthe verdict\n  no\n"),
        (["--again"], SAME, ExitCode.OK, "v1: yes, and judged again nothing differs\n"),
        (
            ["--again"], OTHER, ExitCode.VERDICT_NO,
            "v1: recorded as yes, judged no by this version\n  verified: 'yes' → 'no'\n  and 3 more\n",
        ),
        (["--json"], STEPS, ExitCode.OK, json.dumps(STEPS) + "\n"),
    ],
)  # fmt: skip
def test_steps_and_a_second_judgement_are_printed(
    arguments: list[str],
    answer: Mapping[str, Any],
    code: ExitCode,
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    A person reads how it came about; a script sees by the exit code that it is judged otherwise now.
    """
    asked: list[object] = []

    def ask(_: object, __: object, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
        asked.append((method, params))
        return answer

    monkeypatch.setattr(explain_module, "ask", ask)
    result = CliRunner().invoke(explain_module.command, ["v1", *arguments], standalone_mode=False)
    assert (result.output, result.return_value) == (printed, code)
    action = "reevaluate" if "--again" in arguments else "explain"
    assert asked == [("reticle_verdict", {"verdict_id": "v1", "action": action})]
