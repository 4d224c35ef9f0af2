"""
The page on configuration says what the code does.
"""

from __future__ import annotations

from pathlib import Path

from reticle.cli.exits import ExitCode
from reticle.settings import OPTIONS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "operations" / "configuration.md").read_text("utf-8")


def table_below(heading: str) -> list[list[str]]:
    """
    The cells of the table that follows a heading.
    """
    lines = PAGE.partition(f"## {heading}\n")[2].split("\n## ")[0].splitlines()
    rows = [line.strip("|").split(" | ") for line in lines if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in row] for row in rows[2:]]


def test_every_setting_is_described_as_it_is() -> None:
    """
    Flag, variable, place in the file, default and meaning of each setting stand on the page, and no other.
    """
    assert table_below("Settings") == [
        [
            option.name,
            option.flag or "–",  # noqa: RUF001 - the page's dash
            option.variable,
            "yes" if option.in_file else "no",
            option.default,
            option.meaning,
        ]
        for option in OPTIONS
    ]


def test_every_exit_code_is_described() -> None:
    """
    A script's author finds each code on the page.
    """
    assert [int(row[0]) for row in table_below("Exit codes of `reticle`")] == sorted(ExitCode)
