"""
``reticle journal``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from click.testing import CliRunner, Result

import reticle.cli.journal as journal_module

ENTRIES: list[Mapping[str, Any]] = [
    {"kind": "event", "cursor": 3, "t_ms": 1500, "type": "signal", "data": {"name": "saved\x1b[2J"}},
    {"kind": "command", "cursor": 3, "t_ms": 1600, "name": "act", "args": {"ref": "e1", "args": "…"}},
    {"kind": "reply", "cursor": 4, "t_ms": 1650, "name": "act", "ok": False, "code": "stale_ref", "ms": 50},
    {"kind": "lost", "first": 5, "last": 9},
]

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
    Runs the command against a daemon that gives its journal in two parts.
    """

    def ask(_: object, __: object, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
        asked.append((method, params))
        following = {"page": "s1", "since": 2, "after": 7, "newest": None}
        if len(asked) == 1:
            return {"entries": ENTRIES[:2], "next": following}
        return {"entries": ENTRIES[2:], "next": None}

    monkeypatch.setattr(journal_module, "ask", ask)
    return lambda *arguments: CliRunner().invoke(
        journal_module.command, list(arguments), standalone_mode=False
    )


def test_entries_are_a_line_each(run: Run, asked: list[Any]) -> None:
    """
    Events, commands, replies and gaps, from all parts, and nothing that a terminal obeys.
    """
    lines = run("s1", "--since", "2").output.splitlines()
    assert lines == [
        '       3       1.500  signal  {"name": "saved\\u001b[2J"}',
        '       3       1.600  → act  {"ref": "e1", "args": "…"}',
        "       4       1.650  ← act  stale_ref  50 ms",
        "          lost: 5 to 9 are not in the journal",
    ]
    assert asked == [
        ("journal.read", {"page": "s1", "since": 2}),
        ("journal.read", {"page": "s1", "since": 2, "after": 7}),
    ]


def test_programs_get_a_line_of_json_for_each(run: Run) -> None:
    """
    As the daemon gave them.
    """
    assert [json.loads(line) for line in run("s1", "--json").output.splitlines()] == ENTRIES
