"""
Numbers are read as people write them, and what can be read in two ways is not decided.
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.predicate.numerals import machine_number, numerals

ONE_WAY = [
    ("$1,234.50", "1234.50"),
    ("1.234,50 €", "1234.50"),
    ("1\u202f234", "1234"),
    ("\u22123", "-3"),
    ("-$5.00", "-5.00"),
    ("$-5", "-5"),
    ("0,50", "0.50"),
    ("1,234,567", "1234567"),
    ("1'234.50 CHF", "1234.50"),
    ("Cart (3)", "3"),
    ("A-12", "12"),
    ("0.123", "0.123"),
    ("\u0663\u066b\u0665", "3.5"),
]


@pytest.mark.parametrize(("text", "value"), ONE_WAY)
def test_a_number_is_read_however_it_is_written(text: str, value: str) -> None:
    """
    Money of several countries is the number that it stands for.
    """
    (one,) = numerals(text)
    assert one.values == (Decimal(value),)


@pytest.mark.parametrize("text", ["1,234", "1.234", "(12.50)"])
def test_what_can_be_read_in_two_ways_has_two_values(text: str) -> None:
    """
    A separator before three digits, and books' brackets, are nobody's to guess.
    """
    (one,) = numerals(text)
    assert len(one.values) == 2


def test_the_mark_that_is_named_leaves_one_reading() -> None:
    """
    Who says what the comma is gets one number, or none where it cannot be so.
    """
    assert numerals("1,234", ".")[0].values == (Decimal(1234),)
    assert numerals("1,234", ",")[0].values == (Decimal("1.234"),)
    assert numerals("1.234.50", ".")[0].values == ()


@pytest.mark.parametrize("text", ["1.2k", "3 M".replace(" ", ""), "1e5", "1,23,456.00"])
def test_what_is_abbreviated_has_no_value(text: str) -> None:
    """
    A rounded number is not told to be another one.
    """
    assert numerals(text)[0].values == ()


def test_every_number_of_a_text_is_found() -> None:
    """
    Two numbers are two, also in a range and a date.
    """
    assert [one.values[0] for one in numerals("5 items, $3")] == [5, 3]
    assert len(numerals("2024-01-02")) == 3
    assert numerals("none") == []


def test_programs_write_numbers_in_one_way() -> None:
    """
    A text in JSON is a number of its own notation, or none.
    """
    assert machine_number(" 1.234 ") == Decimal("1.234")
    assert machine_number("1,234") is None
    assert machine_number("-1e3") == -1000


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_a_formatted_number_has_its_value_among_its_readings(value: Decimal) -> None:
    """
    Whatever the locale, the number that was formatted is one of those that are read.
    """
    english = f"${value:,.2f}"
    german = english.replace(",", "\0").replace(".", ",").replace("\0", ".")
    for text in (english, german):
        (one,) = numerals(text)
        assert value in one.values


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    """
    Whatever a page shows is read without a fault.
    """
    for one in numerals(text):
        assert all(value.is_finite() for value in one.values)
