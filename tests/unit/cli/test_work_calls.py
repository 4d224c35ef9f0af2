"""
What the operator's commands about work share.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reticle.cli import work_calls
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.work_calls import WorkCalls


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, Mapping[str, object]]]:
    """
    What the daemon was asked; it knows one repository, the working directory.
    """
    calls: list[tuple[str, Mapping[str, object]]] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RETICLE_REPOSITORY_ID", raising=False)

    def ask(_: object, __: object, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
        calls.append((method, params))
        return {"repository_id": "r1", "repo_root": str(tmp_path)}

    monkeypatch.setattr(work_calls, "ask", ask)
    return calls


def test_the_repository_is_named_or_the_one_we_are_in(asked: list[Any], tmp_path: Path) -> None:
    """
    Nobody types an id in the folder of the repository; a folder names one as well as an id does.
    """
    WorkCalls({}, as_json=False).call("status", run_id=None)
    WorkCalls({"repository": "r2"}, as_json=False).call("status", run_id="run_1")
    WorkCalls({"repository": "./web"}, as_json=False).call("status")
    assert asked == [
        ("repo.resolve", {"path": str(tmp_path)}),
        ("status", {"repository_id": "r1"}),
        ("status", {"repository_id": "r2", "run_id": "run_1"}),
        ("repo.resolve", {"path": str(tmp_path / "web")}),
        ("status", {"repository_id": "r1"}),
    ]


def test_a_plan_is_named_from_the_root(asked: list[Any], tmp_path: Path) -> None:
    """
    A plan beside the shell's folder is the daemon's file of the repository.
    """
    calls = WorkCalls({}, as_json=False)
    assert calls.path_in_repository(Path("plans/fix.toml")) == "plans/fix.toml"
    assert calls.path_in_repository(tmp_path / "fix.toml") == "fix.toml"
    assert calls.path_in_repository(Path("/elsewhere/fix.toml")) == "/elsewhere/fix.toml"
    assert len(asked) == 3


def test_a_long_list_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An operator sees all jobs of a large run, and not the first part of them.
    """
    asked = []

    def ask(_: object, __: object, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
        asked.append(params.get("after"))
        number = len(asked)
        more = {"truncated": True, "next_cursor": number} if number < 3 else {}
        return {"method": method, "jobs": [number], "next": {"after": number}, **more}

    monkeypatch.setattr(work_calls, "ask", ask)
    found = WorkCalls({"repository": "r1"}, as_json=True).whole("list.jobs", "jobs", run_id="run_1")
    assert found == {"method": "list.jobs", "jobs": [1, 2, 3]}
    assert asked == [None, 1, 2]


def test_a_watch_ends_with_its_reader(asked: list[Any]) -> None:
    """
    Behind ``| head -1`` nothing goes on asking because nothing changes.
    """
    del asked
    reader, writer = os.pipe()
    os.close(reader)
    calls = WorkCalls({}, as_json=True, watch=0.5, sleep=lambda _: pytest.fail("it went on"))
    looks = iter([{"state": "ready"}])
    with os.fdopen(writer, "w") as gone, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", gone)
        patch.setattr("click.echo", lambda _: None)
        with pytest.raises(BrokenPipeError):
            calls.show(lambda: next(looks), lambda _: iter([]))


def test_a_watch_shows_what_has_changed(asked: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    """
    Whoever watches sees each state once, in the form asked for, until the interrupt.
    """
    del asked
    states = iter(["ready", "ready", "running"])
    looks = []

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            raise KeyboardInterrupt

    calls = WorkCalls({}, as_json=True, watch=0.5, sleep=sleep)
    with pytest.raises(KeyboardInterrupt):
        calls.show(lambda: {"state": next(states)}, lambda _: iter([]))
    assert [json.loads(line)["state"] for line in capsys.readouterr().out.splitlines()] == [
        "ready",
        "running",
    ]
    assert looks == [0.5, 0.5, 0.5]


def test_a_watch_outlives_a_restart_of_the_daemon(
    asked: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Whoever watches is told once that the daemon is away, and sees on when it is back; at the first look it
    must be there.
    """
    del asked
    away = CommandFailure(ExitCode.UNREACHABLE, "no daemon answers", "reticle serve")
    looks: list[object] = [{"state": "ready"}, away, away, {"state": "running"}, KeyboardInterrupt()]

    def look() -> Mapping[str, Any]:
        found = looks.pop(0)
        if isinstance(found, BaseException):
            raise found
        assert isinstance(found, dict)
        return found

    calls = WorkCalls({}, as_json=True, watch=0.5, sleep=lambda _: None)
    with pytest.raises(KeyboardInterrupt):
        calls.show(look, lambda _: iter([]))
    printed = capsys.readouterr()
    assert [json.loads(line)["state"] for line in printed.out.splitlines()] == ["ready", "running"]
    assert printed.err.count("no daemon answers") == 1
    looks.append(away)
    with pytest.raises(CommandFailure):
        calls.show(look, lambda _: iter([]))


def test_what_agents_write_is_obeyed_by_no_terminal(
    asked: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A reason with control characters of a terminal is shown, and does nothing to it.
    """
    del asked
    nasty = "clear\x1b[2J title\x1b]0;x\x07 line\r\ud800"
    WorkCalls({}, as_json=False).show(dict, lambda _: iter([nasty, "two"]))
    assert capsys.readouterr().out == "clear\\u001b[2J title\\u001b]0;x\\u0007 line\\u000d\\ud800\ntwo\n"
