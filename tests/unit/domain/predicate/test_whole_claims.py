"""
Texts that have the claimed one in them and may say another thing.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate.whole_claims import met_doubtfully


@pytest.mark.parametrize(
    ("claimed", "text"),
    [
        ("$5.00", "Balance: -$5.00"),
        ("$5.00", "Balance: \u2212$5.00"),
        ("5.00", "Balance: $-5.00"),
        ("5 points", "-5 points"),
        ("0", "Total: -0"),
        ("0.00 €", "Total:-0.00 €"),
        ("500 €", "2 500 €"),
        ("000 €", "1 000 000 €"),
        ("Rating 4", "Rating 4.5"),
        ("$1", "$1.5M"),
        ("$12", "$12M"),
        ("Followers: 5", "Followers: 5K"),
        ("Cost 2", "Cost 2 500"),
        ("Cost 2", "Cost 2 500 000 kr"),
        ("Cost 2 500", "Cost 2 500 000"),
        ("2", "2 500 €"),
        ("$2", "$2 500.00"),
        ("Cost 2", "Cost 2.50"),
        ("Cost 2", "Cost 2,50"),
        ("Cost 2", "Cost 2.5000"),
        ("Python 3", "Python 3.12"),
        ("Cost 2", "Cost 2 million"),
        ("Total: 1", "Total: 1e21"),
        ("1", "Total: 1e21"),
        ("Cups: 1", "Cups: 1½"),
        ("saved", "Unsaved changes"),
        ("SAVED", "UNSAVED"),
        ("complete", "incomplete, incomplete"),
        ("total: $5", "Subtotal: $5"),
        ("сохранено", "несохранено"),
        ("saved", "Not saved"),
        ("saved", "It wasn't saved"),
        ("saved", "It wasn\u2019t saved"),
        ("items in cart", "No items in cart"),
        ("items in cart", "Cart: no items in cart"),
        ("gespeichert", "Nicht gespeichert"),
    ],
)
def test_what_may_say_another_thing_is_no_pass(claimed: str, text: str) -> None:
    """
    Nobody who reads "Unsaved changes" or "-$5.00" would say that it is "saved" or "$5.00".
    """
    assert met_doubtfully(claimed, [text]) == text


@pytest.mark.parametrize(
    ("claimed", "texts"),
    [
        ("$5.00", ["Balance: $5.00"]),
        ("$5.00", ["Discount -$5.00", "Total $5.00"]),
        ("-$5.00", ["Balance: -$5.00"]),
        ("5 of 9", ["Page 1-5 of 9"]),
        ("01", ["2026-12-01"]),
        ("2", ["A-2"]),
        ("500 €", ["500 €"]),
        ("500 g", ["Order 12, 500 g"]),
        ("500 g", ["v2 500 g"]),
        ("Version 1.2", ["Version 1.2.3"]),
        ("Version 3", ["Version 3.12"]),
        ("Section 4", ["see Section 4.10"]),
        ("Rating 4", ["Rating 4.0"]),
        ("Cost 2", ["Cost 2.00 €"]),
        ("Cart 2", ["Cart 2 items"]),
        ("Step 2", ["Step 2, 5 left"]),
        ("page 2", ["page 2. 5 results"]),
        ("Rooms 2", ["Rooms 2 5000"]),
        ("Call +49 30", ["Call +49 30 123 456"]),
        ("030 12", ["030 12 345"]),
        ("v2", ["v2 500 g"]),
        ("12:30", ["12:30 500 m"]),
        ("Cost 2", ["Cost 2 500", "Cost 2"]),
        ("5", ["5kg", "5k8"]),
        ("Total 5", ["Total 5¹"]),
        ("saved", ["Unsaved before, saved now"]),
        ("saved", ["Unsaved", "saved"]),
        ("Saved", ["ItemSaved"]),
        ("保存", ["已保存"]),
        ("Save", ["Saved"]),
        ("carrinho: 2", ["Adicionado no carrinho: 2"]),
        ("5", ["Not 5"]),
        ("Not saved", ["Not saved"]),
        ("Done", ["nothing of it"]),
        ("Done", []),
    ],
)
def test_what_says_what_was_claimed_stays_a_pass(claimed: str, texts: list[str]) -> None:
    """
    A range, a date, a version or a joined text takes nothing from what was claimed.
    """
    assert met_doubtfully(claimed, texts) is None
