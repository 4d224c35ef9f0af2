"""
What a call claims.
"""

from __future__ import annotations

import pytest

from reticle.errors import Refusal
from reticle.tools.claims import parse_claim

TEXT = {"kind": "text", "contains": "Saved"}
NET = {"kind": "net", "method": "POST"}


def test_either_name_gives_the_same_claim() -> None:
    """
    An agent may write until or predicate, or both alike in different spellings.
    """
    claim = parse_claim(TEXT, None)
    assert parse_claim(None, TEXT) == claim
    assert parse_claim(TEXT, {"type": "text", "value": "Saved"}) == claim
    assert [question.kind for question in claim.questions] == ["text"]


def test_two_different_claims_are_refused() -> None:
    """
    Neither of two expectations is dropped in silence.
    """
    with pytest.raises(Refusal) as caught:
        parse_claim(TEXT, NET)
    assert caught.value.code == "bad_arguments"
    assert "allOf" in caught.value.recovery


def test_a_claim_is_needed_unless_there_is_a_default() -> None:
    """
    An assertion of nothing is refused; an act without a claim waits for quiet.
    """
    with pytest.raises(Refusal) as caught:
        parse_claim(None, None)
    assert caught.value.code == "bad_arguments"
    assert parse_claim(None, None, {"kind": "settled"}).canonical["kind"] == "settled"


def test_a_claim_names_its_refs_however_deep() -> None:
    """
    A claim about a part of a page belongs to the page of which that part was shown; a selector to any.
    """
    parts = [
        {"kind": "not", "predicate": {"kind": "text", "contains": "Saved", "scope": "e4"}},
        {"kind": "anyOf", "predicates": [
            {"kind": "element", "role": "button", "scope": "e5"}, {"kind": "animation", "target": "e6"},
        ]},
        {"kind": "element", "role": "button", "scope": "#cart"},
        {"kind": "text", "contains": "e7"},
        NET,
    ]  # fmt: skip
    assert parse_claim({"kind": "allOf", "predicates": parts}, None).refs == ["e4", "e5", "e6"]
    assert parse_claim(NET, None).refs == []
