"""
``reticle work``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from reticle.cli import main, work_calls
from reticle.cli.work import command

TOKEN = "dtok_1.secret"

Invoke = Callable[..., Result]


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """
    Runs a sub-command against a daemon that gives this answer.
    """

    def with_answer(answer: Mapping[str, Any], *arguments: str) -> Result:
        monkeypatch.setattr(work_calls, "ask", lambda *_: answer)
        return CliRunner().invoke(command, [*arguments, "--repository", "r1"])

    return with_answer


def test_lists_say_when_they_are_empty(invoke: Invoke) -> None:
    """
    No line at all would look like a fault.
    """
    job = {"job_id": "job_1", "id": "fix", "role": "coder", "state": "queued", "attempt": 1}
    found = {"jobs": [job]}
    assert invoke({"sessions": []}, "sessions", "run_1").stdout == "there are no sessions\n"
    assert invoke(found, "jobs", "run_1").stdout == "job_1  fix  queued (coder)\n"
    assert json.loads(invoke(found, "jobs", "run_1", "--json").stdout) == found
    assert invoke({"requeued": 0, "jobs": []}, "requeue", "run_1").stdout == "nothing had lapsed\n"


def test_a_token_goes_into_a_file_and_nowhere_else(invoke: Invoke, tmp_path: Path) -> None:
    """
    The agent's token is in a file that only its owner reads, and on no screen.
    """
    answer = {
        "session_id": "sess_1", "role": "coder", "slot": 1,
        "session_capability_token": {"token": TOKEN, "token_id": "dtok_1"},
    }  # fmt: skip
    out = tmp_path / "token"
    arguments = ("register", "run_1", "--role", "coder", "--out", str(out))
    ran = invoke(answer, *arguments, "--json")
    assert (out.read_text(), out.stat().st_mode & 0o777) == (f"{TOKEN}\n", 0o600)
    assert TOKEN not in ran.stdout
    assert json.loads(ran.stdout)["token_file"] == str(out)
    again = main.run(["work", *arguments])
    assert (again, out.read_text()) == (2, f"{TOKEN}\n")
