"""
``reticle escalations``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from click.testing import CliRunner

from reticle.cli import work_calls
from reticle.cli.escalations import command

OPEN = {"escalation_id": "blk_1", "kind": "ambiguous_goal", "open_seconds": 3, "description": "which price?"}


def test_what_waits_is_shown_and_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A person sees what waits, decides it, and hears what became of the job.
    """
    asked: list[tuple[str, Mapping[str, object]]] = []

    def ask(_: object, __: object, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
        asked.append((method, params))
        if method == "escalation.list":
            return {"escalations": [] if "state" in params else [OPEN]}
        return {**OPEN, "state": "resolved", "job_state": "queued"}

    monkeypatch.setattr(work_calls, "ask", ask)

    def said(*arguments: str) -> str:
        return CliRunner().invoke(command, arguments).stdout

    assert said("--repository", "r1") == "blk_1  ambiguous_goal  3 s: which price?\n"
    assert said("--repository", "r1", "--resolved") == "nothing was decided\n"
    decided = ("resolve", "blk_1", "--note", "the lower", "--repository", "r1")
    assert said(*decided) == "blk_1 is resolved; the job is queued\n"
    told = {"escalation_id": "blk_1", "action": "retry", "resolution": "the lower"}
    assert asked[-1] == ("escalation.resolve", {"repository_id": "r1", **told})
