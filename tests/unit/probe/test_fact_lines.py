"""
Facts as lines: short cuts write what the encoder would.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.probe.fact_lines import encoded, joined, written
from reticle.probe.words import FactKind, Injection, Link, Outcome, Skip

TEXTS = st.text() | st.none()
NUMBERS = st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
SPANS = st.floats(min_value=0, max_value=1e6).map(lambda ms: round(ms, 3))
REQUEST = {"rid": TEXTS, "action": TEXTS}
VIA = st.lists(st.fixed_dictionaries({"file": TEXTS, "line": NUMBERS}), max_size=3)
FACTS = {
    FactKind.REQUEST_STARTED: st.fixed_dictionaries(
        {"method": st.text(), "path": st.text(), "link": st.sampled_from(Link), **REQUEST}
    ),
    FactKind.REQUEST_HANDLED: st.fixed_dictionaries(
        {
            "method": st.text(), "path": st.text(), "route": TEXTS, "view": TEXTS, "view_name": TEXTS,
            "ms": SPANS, "status": NUMBERS, "request_bytes": NUMBERS, "response_bytes": NUMBERS,
            "streamed": st.booleans(), "head": NUMBERS, **REQUEST,
        }
    ),
    FactKind.SQL: st.fixed_dictionaries(
        {
            "statement": st.text(), "verb": st.text(), "tables": st.lists(st.text(), max_size=3),
            "rows": NUMBERS, "ms": SPANS, "file": TEXTS, "line": NUMBERS, "via": VIA, "tx": TEXTS,
            **REQUEST,
        }
    ),
    FactKind.TRANSACTION: st.fixed_dictionaries(
        {"tx": st.text(), "outcome": st.sampled_from(Outcome), "file": TEXTS, "line": NUMBERS, **REQUEST}
    ),
    FactKind.TEMPLATE: st.fixed_dictionaries({"name": st.text(), "file": TEXTS, "line": NUMBERS, **REQUEST}),
    FactKind.INJECTION: st.fixed_dictionaries(
        {
            "outcome": st.sampled_from(Injection), "reason": st.sampled_from(Skip) | st.none(),
            "directive": TEXTS, **REQUEST,
        }
    ),
}  # fmt: skip


@given(st.one_of(*(st.tuples(st.just(kind), fields) for kind, fields in FACTS.items())))
def test_a_short_cut_writes_what_the_encoder_would(told: tuple[FactKind, dict[str, Any]]) -> None:
    """
    The daemon reads the same fact, whichever way it was written.
    """
    kind, fact = told
    assert json.loads(written(kind, 7, 1.5, fact)) == json.loads(joined(kind, 7, 1.5, encoded(fact)))


@pytest.mark.parametrize(
    ("kind", "fact"),
    [
        ("sql", {"statement": "SELECT", "failed": "Error"}),
        ("transaction", {"tx": 1, "outcome": None, "file": None, "line": 1, "rid": None, "action": None}),
        ("request.started", {"method": "GET", "path": "/", "link": "none", "query": "a=1", "rid": None}),
    ],
)
def test_a_fact_with_other_fields_goes_through_the_encoder(kind: str, fact: dict[str, Any]) -> None:
    """
    What a form does not know is told as it is.
    """
    assert json.loads(written(kind, 1, 2.0, fact)) == {"kind": kind, "seq": 1, "mono": 2.0, **fact}
