"""
What a claim says is shown.
"""

from __future__ import annotations

from reticle.domain.findings.shown_claims import claimed_words
from reticle.domain.predicate import parse


def test_what_is_to_be_there_is_named_and_what_is_to_be_gone_is_not() -> None:
    """
    "Saved" is claimed, and nothing is said of "Error" by a claim that it is gone.
    """
    claim = parse(
        {
            "allOf": [
                {"kind": "text", "contains": "Saved"},
                {"kind": "text", "contains": "Error", "absent": True},
                {"not": {"kind": "text", "contains": "Failed"}},
                {"kind": "element", "query": {"role": "status", "name": "Note", "text": "Done"}},
                {"kind": "element", "query": {"by": "text", "value": "Row 7"}},
                {"kind": "element", "query": {"by": "testid", "value": "row"}},
                {"kind": "element", "query": {"role": "alert", "name": "Oops"}, "absent": True},
                {"kind": "net", "method": "POST"},
            ]
        }
    )
    assert claimed_words(claim) == ("Saved", "Done", "Note", "Row 7")
    assert claimed_words(None) == ()
