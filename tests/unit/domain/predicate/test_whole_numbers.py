"""
Numbers that only seem to be what was claimed.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate.whole_numbers import met_as_part


@pytest.mark.parametrize(
    ("claimed", "text"),
    [
        ("2 items", "12 items"),
        ("234 items", "1,234 items"),
        ("234,50 €", "1.234,50 €"),
        ("Total 5", "Total 50"),
        ("1 product", "1 products"),
        ("1 product", "Found: 1 products."),
        ("1 ticket", "1 tickets, 1 tickets"),
        ("found 1  Frage", "found 1 Fragen"),
    ],
)
def test_another_number_is_not_the_one_that_was_claimed(claimed: str, text: str) -> None:
    """
    "2 items" is no pass over "12 items", and one of something none over its plural.
    """
    assert met_as_part(claimed, [text]) == text


@pytest.mark.parametrize(
    ("claimed", "texts"),
    [
        ("2 items", ["2 items"]),
        ("2 items", ["12 items, of them 2 items new"]),
        ("2 items", ["12 items", "2 items"]),
        ("2 item", ["2 items"]),
        ("21 product", ["21 products"]),
        ("1 product", ["1 product(s)"]),
        ("1 min", ["1 minute ago"]),
        ("€4", ["€4.50"]),
        ("234", ["1, 234"]),
        ("Page 3", ["Page 3 of 12"]),
        ("12:30", ["at 12:30"]),
        ("Saved", ["Saved12"]),
        ("5", ["nothing of it"]),
        ("5", []),
    ],
)
def test_what_is_met_as_it_was_claimed_stays_so(claimed: str, texts: list[str]) -> None:
    """
    A part of a text is enough as ever where no number and no plural goes on.
    """
    assert met_as_part(claimed, texts) is None
