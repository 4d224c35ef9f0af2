"""
``reticle audit``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from click.testing import CliRunner, Result

import reticle.cli.audit as audit_module
from reticle.cli.exits import ExitCode

ROW = {
    "seq": 7, "audit_id": "audit_a", "at_us": 1_764_460_800_123_456, "principal": "token:t1",
    "transport": "rpc", "carrier": "socket", "tool": "repo.add", "repository_id": None,
    "decision": "refused", "reason": "conflict", "arguments_sha256": "00", "duration_us": 5,
    "verdict_id": None, "row_hash": "ab",
}  # fmt: skip
WHOLE = {"whole": True, "why": "all 7 rows are as they were written", "head": "ab", "seq": 7}

Run = Callable[..., Result]


@pytest.fixture
def asked() -> list[tuple[str, Mapping[str, object]]]:
    """
    What the daemon was asked.
    """
    return []


@pytest.fixture
def run(asked: list[tuple[str, Mapping[str, object]]], monkeypatch: pytest.MonkeyPatch) -> Run:
    """
    Runs a sub-command against a daemon that gives the test's answers, one after the other.
    """

    def with_answers(*arguments: str, answers: list[Mapping[str, Any]]) -> Result:
        waiting = iter(answers)

        def ask(
            _: object, __: object, method: str, params: Mapping[str, object], **___: object
        ) -> Mapping[str, Any]:
            asked.append((method, params))
            return next(waiting)

        monkeypatch.setattr(audit_module, "ask", ask)
        return CliRunner().invoke(audit_module.command, list(arguments), standalone_mode=False)

    return with_answers


def test_rows_are_shown_a_line_each(run: Run, asked: list[Any]) -> None:
    """
    Who, when, how, what and how it was decided; the place and the verdict where there is one.
    """
    proved = {**ROW, "decision": "allowed", "reason": "", "repository_id": "r1", "verdict_id": "verdict_1"}
    shown = run("list", "--limit", "2", "--before", "9", answers=[{"rows": [ROW, proved], "next": None}])
    assert shown.stdout.splitlines() == [
        "7  2025-11-30T00:00:00.123Z  token:t1  socket  repo.add  refused:conflict",
        "7  2025-11-30T00:00:00.123Z  token:t1  socket  repo.add  allowed  in r1  verdict_1",
    ]
    assert asked == [("audit.list", {"limit": 2, "before": 9})]
    assert run("list", answers=[{"rows": [], "next": None}]).stdout == "no call was made yet\n"
    assert json.loads(run("list", "--json", answers=[{"rows": [ROW]}]).stdout) == {"rows": [ROW]}
    counted = run("list", answers=[{"rows": [ROW], "next": None, "factBatches": 7}]).stdout
    assert "(7 batches of facts from servers are not shown; --facts shows them)" in counted
    run("list", "--facts", answers=[{"rows": [], "next": None}])
    assert asked[-1] == ("audit.list", {"limit": 50, "facts": True})


def test_a_made_up_tool_name_does_not_steer_the_terminal(run: Run) -> None:
    """
    Anybody may call a tool by escape codes; an administrator who lists the log sees them as text.
    """
    forged = {**ROW, "tool": "\x1b[2Jx\u202ey\n"}
    assert "\\u001b[2Jx\\u202ey\\u000a" in run("list", answers=[{"rows": [forged]}]).stdout


def test_a_check_ends_as_it_found_the_log(run: Run, asked: list[Any]) -> None:
    """
    A script sees by the exit code whether the log is whole; a person reads the head to note.
    """
    good = run("verify", answers=[WHOLE])
    assert good.stdout == "all 7 rows are as they were written\nhead: ab (row 7)\n"
    assert good.return_value == ExitCode.OK
    bad = {**WHOLE, "whole": False, "why": "row 3 is missing"}
    assert run("verify", "--expect", "cd", answers=[bad]).return_value == ExitCode.VERDICT_NO
    assert json.loads(run("verify", "--json", answers=[bad]).stdout) == bad
    assert [params for _, params in asked] == [{}, {"expect": "cd"}, {}]


def test_an_export_asks_for_every_page(run: Run, asked: list[Any]) -> None:
    """
    The lines of all pages and nothing else, from the row that was named.
    """
    pages = [
        {"ndjson": '{"seq": 5}\n{"seq": 6}\n', "next": {"after": 6, "until": 7}},
        {"ndjson": '{"seq": 7}\n', "next": None},
    ]
    exported = run("export", "--after", "4", answers=pages)
    assert [json.loads(line)["seq"] for line in exported.stdout.splitlines()] == [5, 6, 7]
    assert asked == [("audit.export", {"after": 4}), ("audit.export", {"after": 6, "until": 7})]
