"""
What ``reticle call`` takes, prints and ends with.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from reticle.cli.call import explain, judge, listed, read_arguments, shown, unknown_tool
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.client import (
    CallResult,
    CannotConnect,
    ClientError,
    ProtocolBroken,
    Refused,
    ReplyOverdue,
    RpcError,
    StreamEnded,
)
from reticle.client.address import parse_address
from reticle.model.limits import HTTP_BODY_BYTES
from reticle.relay.supervisor import Where

HERE = Where(parse_address("http://127.0.0.1:4400/mcp/sse"), None)


def answer(*, is_error: bool = False, **fields: object) -> CallResult:
    """
    A tool's answer.
    """
    return CallResult(fields, "text for people", is_error)


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (answer(ok=True), ExitCode.OK),
        (answer(ok=True, verified="yes"), ExitCode.OK),
        (answer(ok=True, verified="no"), ExitCode.VERDICT_NO),
        (answer(ok=True, verified="unknown"), ExitCode.VERDICT_UNKNOWN),
        (answer(ok=True, verified="maybe"), ExitCode.VERDICT_UNKNOWN),
        (answer(ok=False, is_error=True, error="no_session"), ExitCode.REFUSED),
        (answer(ok=False, is_error=True, error="bad_arguments"), ExitCode.USAGE),
    ],
)
def test_only_a_yes_passes(result: CallResult, code: ExitCode) -> None:
    """
    A script goes on after a verdict only when it was yes; unknown is told apart from no.
    """
    assert judge(result) is code


def test_arguments_come_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    From the command line, a file, standard input, or not at all.
    """
    path = tmp_path / "arguments.json"
    path.write_text('{"a": "ž"}', "utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO('{"b": 2}'))
    assert read_arguments('{"c": [3]}') == {"c": [3]}
    assert read_arguments(f"@{path}") == {"a": "ž"}
    assert read_arguments("-") == {"b": 2}
    assert read_arguments(None) == {}


@pytest.mark.parametrize(
    "given",
    [
        *("", "{", "[1]", "3", "[" * 100_000, "@/no/such/file"),
        *('{"x": NaN}', '{"x": 1e999}', '{"x": "\\ud800"}', '{"x": "%s"}' % ("a" * HTTP_BODY_BYTES)),
    ],
    ids=lambda given: given[:16],
)
def test_what_are_no_arguments_is_a_wrong_command_line(given: str) -> None:
    """
    Nothing is called with arguments that were not understood.
    """
    with pytest.raises(CommandFailure) as raised:
        read_arguments(given)
    assert raised.value.exit_code is ExitCode.USAGE


@pytest.mark.parametrize(
    ("name", "near"), [("reticle_snapsot", "reticle_snapshot"), ("snapshot", "reticle_snapshot"), ("zzz", "")]
)
def test_an_unknown_tool_names_near_ones(name: str, near: str) -> None:
    """
    A misspelt name comes back with the right one, also without its prefix.
    """
    failure = unknown_tool(name, ["reticle_snapshot", "reticle_act"])
    assert (near or "no tool") in failure.message
    assert ("did you mean" in failure.message) is bool(near)


def test_both_outputs() -> None:
    """
    Text for people, one JSON object for programs.
    """
    assert shown(answer(ok=True), "text") == "text for people"
    assert json.loads(shown(answer(ok=True, a="ž"), "json")) == {"ok": True, "a": "ž"}
    tools = [{"name": "a", "description": "First. Second."}, {"name": "longer"}]
    assert listed(tools, "text") == "a       First.\nlonger  ."
    assert json.loads(listed(tools, "json")) == tools


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (CannotConnect("x"), ExitCode.UNREACHABLE),
        (Refused(503, "not ready"), ExitCode.UNREACHABLE),
        (Refused(404, "nginx"), ExitCode.UNREACHABLE),
        (ProtocolBroken("no stream"), ExitCode.UNREACHABLE),
        (Refused(401, "token", "token_missing"), ExitCode.REFUSED),
        (ReplyOverdue("x"), ExitCode.FAILED),
        (StreamEnded(None), ExitCode.FAILED),
        (RpcError(-32603, "x"), ExitCode.FAILED),
        (ClientError("x"), ExitCode.FAILED),
    ],
)
def test_a_script_can_tell_failures_apart(fault: ClientError, code: ExitCode) -> None:
    """
    No daemon, a daemon that refuses, and an outcome that nobody knows are three codes.
    """
    failure = explain(fault, HERE)
    assert failure.exit_code is code
    assert failure.next_step
