"""
``reticle run``: which of its two uses is meant, and what an operator asks of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from click.testing import CliRunner, Result

from reticle.cli import run_server, work_calls
from reticle.cli.run import command

RUN = {"run_id": "run_1", "state": "ready", "jobs_by_state": {"queued": 2}}

Invoke = Callable[..., Result]


@pytest.fixture
def asked() -> list[tuple[str, Mapping[str, object]]]:
    """
    What the daemon was asked.
    """
    return []


@pytest.fixture
def invoke(asked: list[tuple[str, Mapping[str, object]]], monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """
    Runs the command against a daemon that answers as the test says.
    """

    def with_answer(*arguments: str, answer: Mapping[str, Any] = RUN) -> Result:
        def ask(_: object, __: object, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
            asked.append((method, params))
            return answer

        monkeypatch.setattr(work_calls, "ask", ask)
        return CliRunner().invoke(command, [*arguments, "--repository", "r1"])

    return with_answer


@pytest.mark.parametrize(
    ("arguments", "command_line"),
    [
        (["--", "python", "serve.py"], ["python", "serve.py"]),
        (["python", "serve.py", "--port", "8"], ["python", "serve.py", "--port", "8"]),
        (["--", "start", "now"], ["start", "now"]),
    ],
)
def test_a_server_is_started_as_before(
    arguments: list[str], command_line: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A command line is started, also one that begins with a word of ours behind the two dashes.
    """
    seen: list[tuple[str, ...]] = []

    def started(command_line: tuple[str, ...]) -> None:
        seen.append(command_line)

    monkeypatch.setattr(run_server.command, "callback", started)
    assert CliRunner().invoke(command, arguments).exit_code == 0
    assert seen == [tuple(command_line)]


def test_runs_are_started_shown_and_given_up(invoke: Invoke, asked: list[Any]) -> None:
    """
    The words of runs ask the daemon, and say what became of it.
    """
    started = {**RUN, "already_started": True, "next_action": "session.register for each agent"}
    assert invoke("start", "run_1", answer=started).stdout == (
        "run_1  ready already\nnext: reticle agent-loop --role ROLE -- COMMAND for each agent\n"
    )
    assert invoke("show", "run_1").stdout == "run_1  ready  2 queued\n"
    assert invoke("list", answer={"runs": []}).stdout == "there is no run\n"
    assert invoke("cancel", "run_1", "--reason", "wrong plan").exit_code == 0
    assert asked == [
        ("run.start", {"repository_id": "r1", "run_id": "run_1"}),
        ("run.detail", {"repository_id": "r1", "run_id": "run_1"}),
        ("list.runs", {"repository_id": "r1", "limit": 200}),
        ("run.cancel", {"repository_id": "r1", "run_id": "run_1", "reason": "wrong plan"}),
    ]
