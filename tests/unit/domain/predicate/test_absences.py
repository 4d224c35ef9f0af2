"""
Which parts of a claim that holds rest on something not being there.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate import as_json, evaluate, parse
from reticle.domain.predicate.absences import absent_leaves, nothing_happened, only_absences
from reticle.testing.windows import WindowBuilder

WINDOW = (
    WindowBuilder().net("GET", "/a").text("here").text("gone", there=False)
    .element({"testid": "row"}, there=False).build()
)  # fmt: skip
HERE = {"kind": "text", "contains": "here"}
GONE = {"kind": "text", "contains": "gone"}
NO_TEXT = {**GONE, "absent": True}
NO_ROW = {"kind": "element", "query": {"testid": "row"}, "absent": True}
NO_WRITE = {"kind": "net", "method": "POST", "count": 0}
NO_ERROR = {"kind": "console", "level": "error", "absent": True}
NO_SIGNAL = {"kind": "signal", "name": "x", "count": 0}
CALL = {"kind": "net", "method": "GET"}
QUIET = {"kind": "settled"}


@pytest.mark.parametrize(
    ("claim", "absent", "only"),
    [
        (HERE, [], False),
        (NO_TEXT, [NO_TEXT], True),
        (NO_ROW, [NO_ROW], True),
        (NO_WRITE, [], True),
        (NO_ERROR, [], True),
        (NO_SIGNAL, [], True),
        (CALL, [], False),
        (QUIET, [], False),
        ({"not": GONE}, [GONE], True),
        ({"not": {**HERE, "absent": True}}, [], False),
        ({"allOf": [NO_TEXT, QUIET]}, [NO_TEXT], True),
        ({"allOf": [NO_TEXT, NO_WRITE, CALL]}, [NO_TEXT], False),
        ({"anyOf": [GONE, NO_ROW]}, [NO_ROW], True),
        ({"anyOf": [NO_ROW, HERE]}, [NO_ROW], False),
        ({"allOf": [GONE, NO_ROW]}, [], False),
    ],
)
def test_the_deciding_absences(
    claim: dict[str, object], absent: list[dict[str, object]], *, only: bool
) -> None:
    """
    Only parts that hold decide; a claim made of absences alone is known as one.
    """
    predicate = parse(claim)
    outcome = evaluate(predicate, WINDOW)
    assert [as_json(leaf) for leaf in absent_leaves(predicate, outcome)] == [
        as_json(parse(one)) for one in absent
    ]
    assert only_absences(predicate, outcome) is only


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (NO_ERROR, True),
        (NO_WRITE, True),
        (NO_SIGNAL, True),
        ({"not": {"kind": "net", "method": "PUT"}}, True),
        ({"allOf": [NO_ERROR, QUIET]}, True),
        ({"anyOf": [NO_ERROR, GONE]}, True),
        ({"allOf": [NO_ERROR, CALL]}, False),
        ({"allOf": [NO_ERROR, NO_TEXT]}, False),
        (NO_ROW, False),
        (QUIET, False),
        ({"kind": "net", "method": "PUT"}, False),
    ],
)
def test_a_claim_that_events_did_not_come_says_no_more_than_a_dead_page(
    claim: dict[str, object], *, expected: bool
) -> None:
    """
    "No error" holds for a button without a listener too; a text that went must have been taken away.
    """
    predicate = parse(claim)
    assert nothing_happened(predicate, evaluate(predicate, WINDOW)) is expected
