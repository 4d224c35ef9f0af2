"""
Calls of the operator's commands.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import attrs
import pytest

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.rpc import ask, choose_daemon, whole_list
from reticle.settings import SecretText, Settings
from reticle.storage.daemon_file import DaemonRecord, announce
from reticle.storage.process_identity import process_identity

OPERATORS, NAMED = "dtok_operator.secret", "dtok_named.secret"


@attrs.define
class Machine:
    """
    A runtime directory, and what the socket says.
    """

    runtime: Path
    answer: object = None
    sent: list[tuple[str, dict[str, Any], float]] = attrs.field(factory=list)

    def daemon(self, port: int = 4400, socket: str = "daemon.sock") -> None:
        """
        One that lives: this very process.
        """
        token = self.runtime / "client-token"
        token.touch(mode=0o600)
        token.write_text(f"{OPERATORS}\n")
        pid = os.getpid()
        announce(
            self.runtime,
            DaemonRecord(
                url=f"http://127.0.0.1:{port}", port=port, pid=pid, identity=process_identity(pid) or "",
                started_at=0.0, version="0", state_dir="/", socket=socket, client_token=token.name,
            ),
        )  # fmt: skip

    def settings(self, token: str | None = None) -> Settings:
        """
        What a command was told.
        """
        return Settings(runtime_dir=self.runtime, token=None if token is None else SecretText(token))

    def send(self, path: str, line: bytes, timeout_seconds: float) -> bytes:
        """
        In place of the socket.
        """
        self.sent.append((path, json.loads(line), timeout_seconds))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer if isinstance(self.answer, bytes) else json.dumps(self.answer).encode() + b"\n"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """
    Without a daemon.
    """
    tmp_path.chmod(0o700)
    return Machine(tmp_path)


def test_a_command_calls_as_the_operator(machine: Machine) -> None:
    """
    The token in the daemon's own file is presented, unless the command line names another.
    """
    machine.daemon()
    machine.answer = {"ok": True, "data": {"tokens": []}}
    assert ask(machine.settings(), None, "m", {"a": 1}, timeout_seconds=2, send=machine.send) == {
        "tokens": []
    }
    ask(machine.settings(NAMED), 4400, "m", {}, send=machine.send)
    ask(machine.settings("pairing"), 4400, "m", {}, send=machine.send)
    [(path, request, timeout), *_] = machine.sent
    assert (path, timeout) == (str(machine.runtime / "daemon.sock"), 7)
    assert request == {
        "schema_version": 1, "request_id": 1, "method": "m", "params": {"a": 1},
        "capability_token": OPERATORS, "deadline_ms": 2000,
    }  # fmt: skip
    assert [one["capability_token"] for _, one, _ in machine.sent] == [OPERATORS, NAMED, OPERATORS]


@pytest.mark.parametrize(
    ("code", "exit_code"), [("capability_missing", ExitCode.REFUSED), ("bad_arguments", ExitCode.USAGE)]
)
def test_a_refusal_is_told_with_its_next_step(machine: Machine, code: str, exit_code: ExitCode) -> None:
    """
    A script tells a wrong command line from a call that was refused.
    """
    machine.daemon()
    machine.answer = {"ok": False, "error": {"code": code, "message": "no", "suggestion": "do"}}
    with pytest.raises(CommandFailure) as caught:
        ask(machine.settings(), None, "m", {}, send=machine.send)
    assert (caught.value.exit_code, caught.value.message) == (exit_code, f"{code}: no")
    assert caught.value.next_step == "do"
    machine.answer = {"ok": False, "error": {"code": code, "message": "no", "suggestion": ""}}
    with pytest.raises(CommandFailure) as caught:
        ask(machine.settings(), None, "m", {}, send=machine.send)
    assert caught.value.next_step == "reticle doctor"


@pytest.mark.parametrize(
    ("code", "named"), [("capability_missing", True), ("token_expired", True), ("conflict", False)]
)
def test_a_token_that_stands_in_the_operators_way_is_named(
    machine: Machine,
    code: str,
    named: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """
    An operator whose shell has an agent's token learns which variable to unset; nobody else hears of it.
    """
    machine.daemon()
    machine.answer = {"ok": False, "error": {"code": code, "message": "no", "suggestion": "do."}}
    told = machine.settings(NAMED)
    told = replace(told, origins={"token": "environment RETICLE_MCP_TOKEN_FILE"})
    with pytest.raises(CommandFailure) as caught:
        ask(told, None, "m", {}, send=machine.send)
    assert ("RETICLE_MCP_TOKEN_FILE" in caught.value.next_step) is named
    with pytest.raises(CommandFailure) as caught:
        ask(machine.settings(), None, "m", {}, send=machine.send)
    assert caught.value.next_step == "do."


@pytest.mark.parametrize("answer", [OSError("refused"), b"", b"[]\n", b"{}\n"])
def test_a_daemon_that_does_not_answer_is_told(machine: Machine, answer: object) -> None:
    """
    The token is not in the message.
    """
    machine.daemon()
    machine.answer = answer
    with pytest.raises(CommandFailure) as caught:
        ask(machine.settings(), None, "m", {}, send=machine.send)
    assert caught.value.exit_code == ExitCode.UNREACHABLE
    assert "secret" not in caught.value.message


def test_which_daemon_is_meant_is_asked_rather_than_guessed(machine: Machine) -> None:
    """
    With several the port says which; without any, and without a socket, the next step is named.
    """
    with pytest.raises(CommandFailure, match="no reticle daemon runs here"):
        choose_daemon(machine.settings(), None)
    machine.daemon(4500)
    assert choose_daemon(machine.settings(), None).port == 4500
    machine.daemon(4600, socket="")
    with pytest.raises(CommandFailure, match="4500, 4600"):
        choose_daemon(machine.settings(), None)
    with pytest.raises(CommandFailure, match="could not open its Unix socket"):
        choose_daemon(machine.settings(), 4600)
    with pytest.raises(CommandFailure, match="on port 4700"):
        choose_daemon(machine.settings(), 4700)
    machine.daemon(4400)
    assert choose_daemon(machine.settings(), None).port == 4400


def test_a_list_in_parts_is_put_together() -> None:
    """
    What was asked for as a whole comes as one answer, each part asked for as the one before says.
    """
    parts: list[dict[str, Any]] = [
        {"rows": [1, 2], "total": 5, "truncated": True, "next": {"after": 2}},
        {"rows": [3, 4], "total": 5, "truncated": True, "next": {"after": 4}},
        {"rows": [5], "total": 5},
    ]
    asked: list[Mapping[str, object]] = []

    def call(arguments: Mapping[str, object]) -> Mapping[str, Any]:
        asked.append(arguments)
        return parts[len(asked) - 1]

    assert whole_list(call, {"limit": 2}, "rows") == {"rows": [1, 2, 3, 4, 5], "total": 5}
    assert asked == [{"limit": 2}, {"after": 2}, {"after": 4}]
