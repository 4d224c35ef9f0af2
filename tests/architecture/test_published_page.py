"""
The page about the published packages names tests that exist.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/protocol/published-packages.md"


def test_each_trap_has_the_test_that_the_page_names() -> None:
    """
    Who reads how a trap is handled can run what proves it.
    """
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    there = set(re.findall(r"def (test_\w+)\(", tests))
    named = re.findall(r"`(test_\w+)`", PAGE.read_text())
    assert len(named) > 30
    assert [name for name in named if name not in there] == []
    rows = [line for line in PAGE.read_text().split("## Traps")[1].split("##")[0].splitlines() if "|" in line]
    assert [row for row in rows[2:] if "`test_" not in row] == []
