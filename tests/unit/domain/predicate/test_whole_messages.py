"""
Bodies, messages and lines of a log that have the claimed part in them, as another number.
"""

from __future__ import annotations

import time

import pytest

from reticle.domain.predicate.whole_messages import is_whole_in_message


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("Cost 2", "Cost 2500"),
        ("Cost 2", "Cost 2,500"),
        ("Cost 2", "Cost 2 500"),
        ("Cost 2", "Cost 2\u202f500 kr"),
        ("Cost 2", "Cost 2.50"),
        ("Cost 2", "Cost 2'500"),
        ("Cost 2", "<td>Cost 2,500</td>"),
        ("Cost 2", '{"said": "Cost 2,500"}'),
        ("500 left", "2 500 left"),
        ('"qty":1', '{"qty":12}'),
        ('"qty":1', '{"qty":1.5}'),
        ('"qty":1', '{"qty":1e3}'),
        ("5}", '{"qty":1.5}'),
        ("5}", '{"qty":-5}'),
        ("no such", "thing"),
    ],
)
def test_a_part_of_another_number_is_not_what_was_claimed(part: str, text: str) -> None:
    """
    A stream's "Cost 2,500" is no proof of "Cost 2".
    """
    assert not is_whole_in_message(part, text)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("Cost 2", "Cost 2"),
        ("Cost 2", "Cost 2 items"),
        ("Step 2", "Step 2, 5 left"),
        ("page 2", "page 2. 5 results"),
        ("Cost 2", "Cost 2500, then Cost 2"),
        ('"qty":1', '{"qty":1,"price":250}'),
        ("[1", "[1,234]"),
        ("234", "[1,234]"),
        ('"a\\"b":1', '{"a\\"b":1,"c":2}'),
        ("saved", "unsaved"),
        ('"ok":true', '{"ok":true}'),
    ],
)
def test_a_number_that_ends_there_is_what_was_claimed(part: str, text: str) -> None:
    """
    What parts the values of JSON parts no groups of a number, and a sentence may go on with a number.
    """
    assert is_whole_in_message(part, text)


def test_the_end_of_what_was_cut_is_not_known() -> None:
    """
    "Cost 2" at the end of a preview may have gone on.
    """
    assert not is_whole_in_message("Cost 2", "Cost 2", cut=True)
    assert not is_whole_in_message("Cost 2", "Cost 2…", cut=True)
    assert is_whole_in_message("Cost 2", "Cost 2 items", cut=True)
    assert is_whole_in_message("Cost 2 items", "Cost 2 items", cut=True)


def test_a_large_body_holds_nobody_up() -> None:
    """
    A part of one digit in a body of numbers is read in less than a second.
    """
    begun = time.process_time()
    assert not is_whole_in_message("1", "{" + "1.5," * 50_000)
    assert time.process_time() - begun < 1.0
