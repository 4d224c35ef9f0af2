"""
``reticle repo``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import reticle.cli.repo as repo_module

SHOP = {
    "repository_id": "r1", "repo_root": "/src/shop", "origins": ["http://localhost:3000"],
    "already_registered": False, "revoked_capabilities": 2,
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

    def with_answer(*arguments: str, answer: Mapping[str, Any] = SHOP) -> Result:
        def ask(_: object, __: object, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
            asked.append((method, params))
            return answer

        monkeypatch.setattr(repo_module, "ask", ask)
        return CliRunner().invoke(repo_module.command, list(arguments))

    return with_answer


def test_a_folder_is_named_as_one_stands_before_it(run: Run, asked: list[Any], tmp_path: Path) -> None:
    """
    A relative path is the shell's, not the daemon's; without one it is the working directory.
    """
    assert run("add", "shop", "--origin", "http://localhost:3000").stdout == "r1 is registered: /src/shop\n"
    assert run("resolve").stdout == "r1  /src/shop (http://localhost:3000)\n"
    assert asked == [
        ("repo.add", {"path": str(tmp_path / "shop"), "origins": ["http://localhost:3000"]}),
        ("repo.resolve", {"path": str(tmp_path)}),
    ]


def test_what_is_there_is_listed(run: Run) -> None:
    """
    One line per repository, or one object for programs.
    """
    listed = {"repositories": [SHOP, {**SHOP, "repository_id": "r2", "origins": []}]}
    assert run("list", answer=listed).stdout.splitlines() == [
        "r1  /src/shop (http://localhost:3000)", "r2  /src/shop",
    ]  # fmt: skip
    assert json.loads(run("list", "--json", answer=listed).stdout) == listed
    assert run("list", answer={"repositories": []}).stdout == "no repository is registered\n"


def test_what_is_taken_out_says_what_it_revoked(run: Run, asked: list[Any]) -> None:
    """
    Whoever removes a repository learns how many grants ended with it.
    """
    assert run("remove", "r1").stdout == "r1 is taken out; 2 grants were revoked\n"
    assert asked == [("repo.remove", {"repository_id": "r1"})]


def test_origins_are_added_and_removed(run: Run, asked: list[Any]) -> None:
    """
    A repository that is registered gets another address of its app, or loses one.
    """
    done = run(
        "update", "r1", "--add-origin", "http://a", "--add-origin", "http://b", "--remove-origin", "http://c"
    )
    assert done.stdout == "r1  /src/shop (http://localhost:3000)\n"
    assert run("update", "r1", "--name", "Shop", "--json").exit_code == 0
    assert asked == [
        ("repo.update", {"repository_id": "r1", "add_origins": ["http://a", "http://b"],
                         "remove_origins": ["http://c"]}),
        ("repo.update", {"repository_id": "r1", "display_name": "Shop"}),
    ]  # fmt: skip


def test_a_list_that_is_cut_says_so(run: Run) -> None:
    """
    Whoever reads a part of the list knows that it is one, and what shows the rest.
    """
    cut = run("list", "--limit", "1", answer={"repositories": [SHOP], "total": 2, "truncated": True})
    assert cut.stderr == "these are 1 of 2; --all shows the others too\n"
