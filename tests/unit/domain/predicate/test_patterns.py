"""
Comparison of values: strict, structural, and honest about what was not sent.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate.kinds import UNSET
from reticle.domain.predicate.patterns import check_pattern, equal, fits, invert
from reticle.errors import Refusal
from reticle.model.verdict import Held

YES, NO, UNKNOWN = Held.YES, Held.NO, Held.UNKNOWN


@pytest.mark.parametrize(
    ("pattern", "value", "held"),
    [
        (1, 1, YES),
        (1, 1.0, YES),
        (1, "1", NO),
        (1, True, NO),
        (0, False, NO),
        (None, None, YES),
        (None, UNSET, NO),
        (None, 0, NO),
        (0.3, 0.1 + 0.2, NO),
        ("a", "A", NO),
        ([1, 2], [1, 2], YES),
        ([1, 2], [2, 1], NO),
        ([1], [1, 2], NO),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, YES),
        ({"a": 1}, {"a": 1, "b": 2}, NO),
        ({}, {}, YES),
        ({}, [], NO),
        ([], {}, NO),
        ("*", 0, YES),
        ("*", None, YES),
        ("*", UNSET, NO),
        ({"$gte": 5}, 5, YES),
        ({"$gt": 5}, 5, NO),
        ({"$lte": 5}, 5, YES),
        ({"$lt": 5}, 5, NO),
        ({"$gte": 1, "$lt": 3}, 2.5, YES),
        ({"$gte": 1, "$lt": 3}, 3, NO),
        ({"$gt": 0}, "5", NO),
        ({"$gt": 0}, True, NO),
        ({"$contains": "b"}, "abc", YES),
        ({"$contains": "B"}, "abc", NO),
        ({"$contains": "Cost 2"}, "Cost 2 500", UNKNOWN),
        ({"$contains": "Cost 2"}, "Cost 2 items", YES),
        ({"$contains": ""}, "abc", YES),
        ({"$contains": 2}, [1, 2], YES),
        ({"$contains": {"id": 7}}, [{"id": 7}], YES),
        ({"$contains": "2"}, [1, 2], NO),
        ({"$contains": 1}, "1", NO),
        ({"$contains": "a"}, {"a": 1}, NO),
        ({"$length": 2}, [1, 2], YES),
        ({"$length": 2}, "ab", YES),
        ({"$length": 2}, {"a": 1, "b": 2}, NO),
        ({"$length": 0}, [], YES),
        ({"$ne": 1}, 2, YES),
        ({"$ne": 1}, 1, NO),
        ({"$ne": 1}, UNSET, NO),
        ({"$in": [1, "a"]}, "a", YES),
        ({"$in": [1, "a"]}, "b", NO),
        ({"$exists": True}, None, YES),
        ({"$exists": False}, UNSET, YES),
        ({"$exists": True}, UNSET, NO),
        ({"$exists": False}, 0, NO),
        ({"$matches": "^ord-\\d+$"}, "ord-17", YES),
        ({"$matches": "^ord-\\d+$"}, "ord-", NO),
        ({"$matches": "1"}, 1, NO),
    ],
)
def test_patterns_compare_strictly(pattern: object, value: object, held: Held) -> None:
    """
    Each operator, and a literal, says yes and no where JSON does.
    """
    assert fits(pattern, value) is held


@pytest.mark.parametrize(
    ("pattern", "value", "held"),
    [
        ("secret", "[REDACTED]", UNKNOWN),
        ("[REDACTED]", "[REDACTED]", UNKNOWN),
        ("*", "[TRUNCATED]", UNKNOWN),
        ({"$gt": 1}, "[UNSERIALIZABLE]", UNKNOWN),
        ({"$ne": "x"}, "[REDACTED]", UNKNOWN),
        ({"$in": ["x"]}, "[CIRCULAR]", UNKNOWN),
        ({"a": 1, "b": 2}, {"a": 1, "b": "[REDACTED]"}, UNKNOWN),
        ({"a": 1, "b": 2}, {"a": 9, "b": "[REDACTED]"}, NO),
        ([1, 2, 3], [1, "[TRUNCATED]"], UNKNOWN),
        ({"$length": 3}, [1, "[TRUNCATED]"], UNKNOWN),
        ({"$contains": 1}, [1, "[TRUNCATED]"], YES),
        ({"$contains": 2}, [1, "[TRUNCATED]"], UNKNOWN),
        ({"$contains": "z"}, "abc[TRUNCATED]", UNKNOWN),
        ({"$matches": "z"}, "x" * 5000, UNKNOWN),
        ({"$exists": True}, "[REDACTED]", YES),
    ],
)
def test_a_value_that_was_not_sent_proves_nothing(pattern: object, value: object, held: Held) -> None:
    """
    A redacted or cut value makes neither a yes nor a no, unless the rest decides.
    """
    assert fits(pattern, value) is held


def test_unknown_stays_unknown_when_inverted() -> None:
    """
    "Not" of a thing that cannot be told cannot be told.
    """
    assert [invert(held) for held in (YES, NO, UNKNOWN)] == [NO, YES, UNKNOWN]
    assert equal({"a": "[REDACTED]"}, {"a": "[REDACTED]"}) is UNKNOWN


@pytest.mark.parametrize(
    "pattern",
    [
        {"$gt": "1"},
        {"$gt": True},
        {"$length": -1},
        {"$length": 1.5},
        {"$in": []},
        {"$in": "abc"},
        {"$exists": "yes"},
        {"$matches": ""},
        {"$matches": "(a"},
        {"$matches": "a" * 201},
        {"$matches": "(?=a)"},
        {"$regex": "a"},
    ],
)
def test_an_operator_that_cannot_work_is_refused(pattern: object) -> None:
    """
    A wrong operand never becomes a comparison that is silently false.
    """
    with pytest.raises(Refusal):
        check_pattern(pattern, "here", {})
