"""
A predicate is stored and shown in one spelling, with only what was said.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate import as_json, kind_name, parse

NET = {"kind": "net", "method": "POST", "urlContains": "/a", "bodyContains": "x", "status": 201, "ok": True}


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (NET, NET),
        ({"kind": "net", "count": 0}, {"kind": "net", "count": 0}),
        ({"kind": "net", "ok": False}, {"kind": "net", "ok": False}),
        ({"kind": "text", "contains": "a", "absent": False}, {"kind": "text", "contains": "a"}),
        ({"kind": "state", "path": "a", "equals": None}, {"kind": "state", "path": "a", "equals": None}),
        ({"kind": "state", "path": "a", "equals": False}, {"kind": "state", "path": "a", "equals": False}),
        (
            {"allOf": [{"kind": "settled"}]},
            {"kind": "allOf", "predicates": [{"kind": "settled", "quietMs": 500}]},
        ),
        (
            {"anyOf": [{"not": {"kind": "settled", "quietMs": 50}}]},
            {
                "kind": "anyOf",
                "predicates": [{"kind": "not", "predicate": {"kind": "settled", "quietMs": 50}}],
            },
        ),
    ],
)
def test_one_spelling(written: dict[str, object], canonical: dict[str, object]) -> None:
    """
    Zero, false and null that were said stay; empty defaults are left out; it reads back as the same claim.
    """
    predicate = parse(written)
    assert as_json(predicate) == canonical
    assert parse(canonical) == predicate
    assert kind_name(predicate) == canonical["kind"]
