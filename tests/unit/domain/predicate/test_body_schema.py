"""
Which schemas a claim about a body may have, and that none of them holds up the daemon.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate.body_schema import is_valid, schema_fault
from reticle.model.verdict import Held

TREE = {"type": "object", "properties": {"child": {"$ref": "#"}, "name": {"type": "string"}}}
ORDER = {"$ref": "#/$defs/an%20order", "$defs": {"an order": {"required": ["id"]}}}
TWICE = {"$defs": {"part": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/part"}] * 2}}}}


@pytest.mark.parametrize(
    ("schema", "body", "expected"),
    [
        (TREE, {"child": {"child": {"name": "x"}}}, Held.YES),
        (TREE, {"child": {"child": {"name": 5}}}, Held.NO),
        (ORDER, {"id": 1}, Held.YES),
        (ORDER, {}, Held.NO),
        ({"properties": {"at": {"pattern": r"^\d{4}-\d\d$"}}}, {"at": "2026-01"}, Held.YES),
        ({"properties": {"at": {"pattern": r"^\d{4}-\d\d$"}}}, {"at": "soon"}, Held.NO),
        ({"pattern": "^x"}, 5, Held.YES),
        ({"properties": {"pattern": {"const": {"$ref": "x"}}}}, {"pattern": {"$ref": "x"}}, Held.YES),
    ],
)
def test_a_body_is_valid_or_not(schema: dict[str, object], body: object, expected: Held) -> None:
    """
    References within the schema and patterns work as an author of schemas expects.
    """
    assert schema_fault(schema) is None
    assert is_valid(schema, body) is expected


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "nonsense"}, "no JSON Schema"),
        ({"$ref": "http://example.test/x.json"}, "same schema"),
        ({"items": {"$ref": "#/$defs/gone"}}, "no part of it"),
        ({"anyOf": [{"$dynamicRef": "#x"}]}, "$ref"),
        ({"not": {"patternProperties": {"^x": {}}}}, "propertyNames"),
        ({"properties": {"a": {"pattern": "(?=x)"}}}, "$matches"),
    ],
)
def test_what_is_not_read_is_refused_before_anything_runs(schema: dict[str, object], word: str) -> None:
    """
    An agent is told what to write instead, rather than getting an incident behind its click.
    """
    assert word in str(schema_fault(schema))


def test_a_schema_without_an_end_is_refused_or_gives_up() -> None:
    """
    It says unknown, in bounded time, whatever refers to what.
    """
    endless: dict[str, object] = {}
    for _ in range(3_000):
        endless = {"not": endless}
    assert "levels" in str(schema_fault(endless))
    assert is_valid({"$ref": "#"}, 1) is Held.UNKNOWN
    assert is_valid({"allOf": [{"$ref": "#"}]}, 1) is Held.UNKNOWN
    deep: object = "x"
    for _ in range(60):
        deep = [deep]
    assert is_valid({**TWICE, "$ref": "#/$defs/part"}, deep) is Held.UNKNOWN


def test_a_pattern_costs_no_more_than_its_length_times_the_texts() -> None:
    """
    The one that hangs other matchers is answered, and a text that is too long for it decides nothing.
    """
    schema = {"pattern": "^(a+)+$"}
    assert is_valid(schema, "a" * 500 + "!") is Held.NO
    assert is_valid(schema, "a" * 5_000) is Held.UNKNOWN
