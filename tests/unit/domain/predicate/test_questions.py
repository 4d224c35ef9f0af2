"""
What is asked of the live page, and finding its answers again.
"""

from __future__ import annotations

from reticle.domain.predicate import declared, leaves, parse, questions
from reticle.model.window import Question


def test_each_question_is_asked_once_with_exactly_its_fields() -> None:
    """
    The page is asked what the predicate needs, and nothing that events can tell.
    """
    predicate = parse(
        {
            "allOf": [
                {"kind": "text", "contains": "a"},
                {"not": {"kind": "text", "contains": "a"}},
                {"kind": "text", "contains": "a", "visible": True, "scope": "e4"},
                {"kind": "element", "query": {"testid": "x"}, "state": "visible"},
                {"kind": "element", "query": {"testid": "x"}, "absent": True},
                {"kind": "state", "path": "a.b", "store": "s", "equals": 1},
                {"kind": "state", "path": "a.b", "store": "s", "equals": 2},
                {"kind": "route", "pathname": "/a"},
                {"kind": "route", "contains": "b"},
                {"kind": "net"},
                {"kind": "console"},
                {"kind": "signal"},
                {"kind": "settled"},
            ]
        }
    )
    assert questions(predicate) == (
        Question("text", {"contains": "a"}),
        Question("text", {"contains": "a", "visible": True, "scope": "e4"}),
        Question("match", {"query": {"testid": "x"}, "state": "visible"}),
        Question("match", {"query": {"testid": "x"}}),
        Question("state", {"path": "a.b", "store": "s"}),
        Question("route", {}),
    )
    assert len(list(leaves(predicate))) == 13


def test_settling_alone_declares_nothing() -> None:
    """
    Only a claim about something else than quiet is a declared consequence.
    """
    assert not declared(parse({"kind": "settled"}))
    assert not declared(parse({"not": {"allOf": [{"kind": "settled"}]}}))
    assert declared(parse({"anyOf": [{"kind": "settled"}, {"kind": "net"}]}))
