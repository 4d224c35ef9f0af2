"""
The threat model names its tests, and the tests are there.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explanation" / "security.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
THREATS = ("A rebound name", "A hostile page", "A hostile local process", "A stolen token", "A lying agent")


@pytest.mark.parametrize(("path", "test"), NAMED, ids=[test for _, test in NAMED])
def test_a_named_test_is_there(path: str, test: str) -> None:
    """
    Who doubts a claim can run the test that covers it.
    """
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_claim_names_a_test() -> None:
    """
    No row of a table of claims is a mere promise.
    """
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| claim")]
    assert len(rows) > 30
    assert [row for row in rows if "`tests/" not in row] == []


@pytest.mark.parametrize("threat", THREATS)
def test_every_threat_is_answered(threat: str) -> None:
    """
    Each of the five threats has a section with claims and says where its protection ends.
    """
    section = PAGE.split(f"\n## {threat}\n")[1].split("\n## ")[0]
    assert "| claim | test |" in section
    if threat != "A rebound name":
        assert "**Limit.**" in section
