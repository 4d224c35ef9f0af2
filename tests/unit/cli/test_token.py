"""
``reticle token``.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import reticle.cli.token as token_module
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.model.limits import TOKENS_LISTED

MADE = {
    "token": "dtok_a.secret", "token_id": "dtok_a", "display_name": "lane",
    "expires_at": "2030-01-01T00:00:00Z",
    "capabilities": [{"capability": "read", "repository_id": "r1"}], "note": "Keep it now.",
}  # fmt: skip

Run = Callable[..., Result]


@pytest.fixture
def asked() -> list[tuple[str, Mapping[str, object]]]:
    """
    What the daemon was asked.
    """
    return []


@pytest.fixture
def run(
    asked: list[tuple[str, Mapping[str, object]]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Run:
    """
    Runs a sub-command against a daemon that answers as the test says.
    """
    monkeypatch.chdir(tmp_path)

    def with_answer(*arguments: str, answer: Mapping[str, Any] = MADE) -> Result:
        def ask(_: object, __: object, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
            asked.append((method, params))
            return answer

        monkeypatch.setattr(token_module, "ask", ask)
        return CliRunner().invoke(token_module.command, list(arguments))

    return with_answer


def test_a_token_is_printed_once_and_alone(run: Run, asked: list[Any]) -> None:
    """
    ``$(reticle token create …)`` is the token; what it is stands on standard error.
    """
    done = run(
        "create", "--capability", "read", "--capability", "claim", "--repository", "r1", "--name", "lane"
    )
    assert done.stdout == "dtok_a.secret\n"
    assert "dtok_a, shown this once" in done.stderr
    assert asked == [
        (
            "daemon.token.create",
            {"capabilities": ["read", "claim"], "repository_id": "r1", "display_name": "lane"},
        )
    ]


def test_as_json_it_is_one_object_with_the_token(run: Run) -> None:
    """
    As the second seed shows it.
    """
    done = run("create", "--capability", "read", "--expires-in", "1h", "--json")
    assert json.loads(done.stdout)["token"] == "dtok_a.secret"


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_a_token_can_go_straight_into_a_file(run: Run, tmp_path: Path, as_json: list[str]) -> None:
    """
    Then it is printed nowhere, and the file is for its owner alone.
    """
    done = run("rotate", "dtok_old", "--out", "lane", *as_json)
    assert "secret" not in done.output
    assert (tmp_path / "lane").read_text() == "dtok_a.secret\n"
    assert (tmp_path / "lane").stat().st_mode & 0o777 == 0o600


def test_a_place_that_cannot_be_written_is_told_before_anything_is_made(
    run: Run, asked: list[Any], tmp_path: Path
) -> None:
    """
    No token is made that nobody could keep.
    """
    (tmp_path / "lanes").mkdir()
    for command, out in (("create", "nowhere/lane"), ("create", "lanes"), ("rotate", "lanes")):
        named = ["dtok_b"] if command == "rotate" else ["--capability", "read"]
        failed = run(command, *named, "--out", out).exception
        assert isinstance(failed, CommandFailure)
        assert failed.exit_code == ExitCode.USAGE
    assert asked == []


def test_a_token_that_could_not_be_kept_is_named_to_be_revoked(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Whoever lost a secret learns which token to end.
    """

    def full(path: Path, _: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(token_module, "write_private", full)
    failed = run("create", "--capability", "read", "--out", "lane").exception
    assert isinstance(failed, CommandFailure)
    assert failed.next_step == "reticle token revoke dtok_a"


def test_the_list_says_what_each_may_do_and_until_when(run: Run, asked: list[Any]) -> None:
    """
    One line per token; one that has ended says why.
    """
    listed = {
        "tokens": [
            {**MADE, "last_used_at": "2029-12-31T00:00:00Z"},
            {"token_id": "dtok_b", "display_name": "", "expires_at": None, "ended": "token_revoked",
             "capabilities": [{"capability": "admin", "repository_id": None, "ended": True}]},
        ]
    }  # fmt: skip
    done = run("list", "--ended", answer=listed)
    assert done.stdout.splitlines() == [
        "dtok_a 'lane': read in r1; until 2030-01-01T00:00:00Z; used 2029-12-31T00:00:00Z",
        "dtok_b: admin (ended); token_revoked; never used",
    ]
    assert asked == [("daemon.token.list", {"ended": True, "limit": TOKENS_LISTED})]
    assert run("list", answer={"tokens": []}).stdout == "there are no tokens\n"
    assert json.loads(run("list", "--json", answer=listed).stdout) == listed


def test_a_list_that_is_cut_says_so(run: Run) -> None:
    """
    Whoever looks for tokens to revoke does not take a part of them for all.
    """
    cut = run("list", answer={"tokens": [MADE], "total": 3, "truncated": True})
    assert cut.stderr == "these are 1 of 3; --all shows the older ones too\n"
    assert run("list", answer={"tokens": [MADE], "total": 1}).stderr == ""


def test_a_token_is_revoked_by_its_public_half(run: Run, asked: list[Any]) -> None:
    """
    Twice is no fault.
    """
    assert run("revoke", "dtok_a", "--reason", "lost", answer={"already_revoked": False}).stdout == (
        "dtok_a is revoked\n"
    )
    assert "already" in run("revoke", "dtok_a", answer={"already_revoked": True}).stdout
    assert asked[0] == ("daemon.token.revoke", {"token_id": "dtok_a", "reason": "lost"})
