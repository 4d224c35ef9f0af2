"""
The page about predicates is written by the program.
"""

from __future__ import annotations

from pathlib import Path

from reticle.domain.predicate import reference_page

PAGE = Path(__file__).resolve().parents[4] / "docs/reference/predicates.md"


def test_the_page_is_the_one_that_the_grammar_gives() -> None:
    """
    Nobody reads about a grammar that is not the program's.
    """
    assert PAGE.read_text(encoding="utf-8") == reference_page()
