"""
A pattern counts as weaker only where every value that fits the other fits it.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.predicate.kinds import UNSET
from reticle.domain.predicate.pattern_implies import pattern_implies
from reticle.domain.predicate.patterns import fits
from reticle.model.verdict import Held

NUMBERS = st.integers(-2, 2) | st.sampled_from([0.5, 1.0, -0.5])
SCALARS = NUMBERS | st.booleans() | st.none() | st.sampled_from(["a", "ab", "*", "b", "", "[redacted]"])
VALUES = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.sampled_from("xy"), SCALARS, max_size=2)
OPERATORS = st.fixed_dictionaries(
    {},
    optional={
        "$gte": NUMBERS,
        "$gt": NUMBERS,
        "$lte": NUMBERS,
        "$lt": NUMBERS,
        "$contains": SCALARS,
        "$length": st.integers(0, 2),
        "$ne": VALUES,
        "$in": st.lists(VALUES, min_size=1, max_size=2),
        "$exists": st.booleans(),
        "$matches": st.sampled_from(["a", "^b"]),
    },
).filter(lambda operators: 0 < len(operators) < 4)
PATTERNS = VALUES | OPERATORS


@given(PATTERNS, PATTERNS, st.lists(VALUES | st.just(UNSET), max_size=20))
def test_is_sound(strong: object, weak: object, values: list[object]) -> None:
    """No value fits a pattern and not the weaker one."""
    if pattern_implies(strong, weak):
        for value in [*values, strong]:
            assert fits(strong, value) is not Held.YES or fits(weak, value) is Held.YES


@pytest.mark.parametrize(
    ("strong", "weak"),
    [
        (5, 5),
        (5, {"$gt": 4}),
        (5, "*"),
        ("abc", {"$contains": "b"}),
        ({"$gt": 5}, {"$gte": 5}),
        ({"$gte": 6}, {"$gt": 5}),
        ({"$lt": 5}, {"$lte": 5}),
        ({"$lt": 5}, {"$lt": 6}),
        ({"$in": [1, 2]}, {"$in": [1, 2, 3]}),
        ({"$in": [1, 2]}, {"$gt": 0}),
        ({"$gt": 0, "$lt": 9}, {"$lt": 9}),
        ({"$gt": 0}, "*"),
        ("*", {"$exists": True}),
        ([1, {"a": 2}], {"$length": 2}),
    ],
)
def test_knows(strong: object, weak: object) -> None:
    """What an agent may show instead of what was asked is accepted."""
    assert pattern_implies(strong, weak)


@pytest.mark.parametrize(
    ("strong", "weak"),
    [
        (1, True),
        (True, 1),
        (1, "1"),
        ("*", 1),
        ({"$gt": 5}, {"$gt": 6}),
        ({"$gte": 5}, {"$gt": 5}),
        ({"$contains": "abc"}, {"$contains": "ab"}),
        ({"$exists": True}, "*"),
        ({"$exists": False}, {"$exists": True}),
        ({"$delta": 1}, {"$gt": 0}),
    ],
)
def test_refuses(strong: object, weak: object) -> None:
    """What is another claim, or a weaker one, is not accepted."""
    assert not pattern_implies(strong, weak)
