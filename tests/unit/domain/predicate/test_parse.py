"""
Predicates are read strictly: every spelling that is offered works, everything else is refused.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.predicate import Predicate, as_json, parse
from reticle.domain.predicate.grammar import KINDS
from reticle.domain.predicate.kinds import (
    AllOf,
    Animation,
    AnyOf,
    Console,
    Element,
    Net,
    Not,
    Route,
    Settled,
    Signal,
    State,
    Text,
)
from reticle.errors import Refusal

CANONICAL = [
    ({"kind": "element", "query": {"testid": "cart"}}, Element({"testid": "cart"})),
    (
        {"kind": "element", "query": {"role": "button", "name": "Save"}, "state": "enabled"},
        Element({"role": "button", "name": "Save"}, "enabled"),
    ),
    (
        {"kind": "element", "query": {"by": "text", "value": "x"}, "absent": True},
        Element({"by": "text", "value": "x"}, absent=True),
    ),
    (
        {"kind": "text", "contains": "Saved", "visible": True, "scope": "#a"},
        Text("Saved", visible=True, scope="#a"),
    ),
    ({"kind": "net"}, Net()),
    (
        {
            "kind": "net",
            "method": "post",
            "urlContains": "/a",
            "status": 201,
            "ok": True,
            "bodyContains": "id",
            "count": 0,
            "since": 7,
        },
        Net("post", "/a", 201, True, "id", 0, 7),
    ),
    ({"kind": "route", "pathname": "/a", "contains": "?x", "since": 1}, Route("/a", "?x", 1)),
    (
        {"kind": "console", "level": "debug", "contains": "x", "absent": True},
        Console("debug", "x", absent=True),
    ),
    (
        {"kind": "signal", "name": "s", "dataMatches": {"a": {"$gt": 1}}, "count": 2},
        Signal("s", {"a": {"$gt": 1}}, 2),
    ),
    (
        {"kind": "animation", "name": "slide", "target": "e3", "completed": True, "since": 4},
        Animation("slide", "e3", True, 4),
    ),
    ({"kind": "animation"}, Animation()),
    ({"kind": "state", "path": "a.b", "store": "s", "equals": None}, State("a.b", "s", None)),
    ({"kind": "state", "path": "a.b"}, State("a.b")),
    ({"kind": "settled"}, Settled(500)),
    ({"kind": "settled", "quietMs": 50}, Settled(50)),
    ({"kind": "allOf", "predicates": [{"kind": "settled"}]}, AllOf((Settled(),))),
    ({"kind": "anyOf", "predicates": [{"kind": "settled"}]}, AnyOf((Settled(),))),
    ({"kind": "not", "predicate": {"kind": "settled"}}, Not(Settled())),
]


@pytest.mark.parametrize(("value", "expected"), CANONICAL)
def test_every_kind_and_field_is_read(value: object, expected: object) -> None:
    """
    Each kind with each of its fields becomes exactly the predicate that it says.
    """
    assert parse(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"type": "settled"}, Settled()),
        ({"kind": "text", "text": "a"}, Text("a")),
        ({"kind": "text", "value": "a"}, Text("a")),
        ({"kind": "route", "path": "/a"}, Route("/a")),
        ({"kind": "route", "url": "a"}, Route(contains="a")),
        ({"kind": "route", "urlContains": "a"}, Route(contains="a")),
        ({"kind": "net", "url": "/a"}, Net(url_contains="/a")),
        ({"kind": "console", "textContains": "a"}, Console(contains="a")),
        ({"kind": "signal", "data": {"a": 1}}, Signal(data_matches={"a": 1})),
        ({"kind": "allOf", "of": [{"kind": "settled"}]}, AllOf((Settled(),))),
        ({"kind": "anyOf", "of": [{"kind": "settled"}]}, AnyOf((Settled(),))),
        ({"kind": "not", "of": {"kind": "settled"}}, Not(Settled())),
        ({"kind": "element", "role": "button", "name": "Save"}, Element({"role": "button", "name": "Save"})),
        ({"kind": "element", "by": "testid", "value": "x"}, Element({"by": "testid", "value": "x"})),
        (
            {"kind": "element", "source": {"file": "a.tsx", "line": 3}},
            Element({"source": {"file": "a.tsx", "line": 3}}),
        ),
        ({"allOf": [{"kind": "settled"}]}, AllOf((Settled(),))),
        ({"anyOf": [{"kind": "settled"}]}, AnyOf((Settled(),))),
        ({"not": {"kind": "settled"}}, Not(Settled())),
    ],
)
def test_every_alias_is_read(value: object, expected: object) -> None:
    """
    Each other spelling means exactly what its canonical one means.
    """
    assert parse(value) == expected


@pytest.mark.parametrize(
    ("value", "path", "nearest"),
    [
        ({"kind": "nett"}, "predicate", "net"),
        ({"kind": "all_of", "predicates": []}, "predicate", "allOf"),
        ({"kind": "net", "urlContain": "/a"}, "predicate", "urlContains"),
        ({"kind": "net", "statuss": 200}, "predicate", "status"),
        ({"kind": "element", "query": {"test_id": "x"}}, "predicate.query", "testid"),
        ({"kind": "element", "testid": "x", "state": "visable"}, "predicate.state", "visible"),
        ({"kind": "element", "by": "testId", "value": "x"}, "predicate.query.by", "testid"),
        ({"kind": "element", "source": {"file": "a.js", "lin": 3}}, "predicate.query.source", "line"),
        ({"kind": "console", "level": "warning"}, "predicate.level", "warn"),
        ({"kind": "state", "path": "a", "equals": {"$gtee": 1}}, "predicate.equals", "$gte"),
        ({"kind": "signal", "dataMatches": {"a": {"$contain": 1}}}, "predicate.dataMatches.a", "$contains"),
        ({"allOf": [{"kind": "settled"}, {"kind": "txt"}]}, "predicate.predicates[1]", "text"),
        ({"not": {"kind": "signal", "nam": "x"}}, "predicate.predicate", "name"),
    ],
)
def test_a_misspelling_is_refused_with_the_nearest_right_one(value: object, path: str, nearest: str) -> None:
    """
    An agent that mistypes is told where, and what it most likely meant.
    """
    with pytest.raises(Refusal) as caught:
        parse(value)
    assert caught.value.code == "bad_predicate"
    assert caught.value.details["path"] == path
    assert caught.value.details["nearest"] == nearest
    assert f"did you mean {nearest!r}" in caught.value.message
    assert caught.value.message.endswith("Nothing ran.")
    assert isinstance(parse(caught.value.details["example"]), Predicate)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "text",
        {},
        {"allOf": [], "anyOf": []},
        {"contains": "x"},
        {"kind": "settled", "type": "settled"},
        {"kind": 5},
        {"kind": "text", "text": "a", "contains": "a"},
        {"kind": "text", "text": "a", "value": "a"},
        {"kind": "net", "url": "/a", "urlContains": "/a"},
        {"kind": "text"},
        {"kind": "text", "contains": " "},
        {"kind": "text", "contains": 5},
        {"kind": "element"},
        {"kind": "element", "query": {}},
        {"kind": "element", "query": {"name": "Save"}},
        {"kind": "element", "query": {"by": "text"}},
        {"kind": "element", "query": {"role": 5}},
        {"kind": "element", "query": {"role": "button"}, "name": "Save"},
        {"kind": "element", "query": "button"},
        {"kind": "net", "status": "200"},
        {"kind": "net", "status": 99},
        {"kind": "net", "status": True},
        {"kind": "net", "count": -1},
        {"kind": "net", "count": 1.5},
        {"kind": "net", "ok": "yes"},
        {"kind": "net", "bodyContains": ""},
        {"kind": "console", "level": "trace"},
        {"kind": "signal", "dataMatches": {}},
        {"kind": "signal", "dataMatches": {"$gt": 1}},
        {"kind": "state", "path": ""},
        {"kind": "state", "path": "a", "equals": {"$gt": 1, "b": 2}},
        {"kind": "state", "path": "a", "equals": {"b": {"$gt": 1}}},
        {"kind": "state", "path": "a", "equals": [{"$gt": 1}]},
        {"kind": "settled", "quietMs": 0},
        {"kind": "allOf", "predicates": []},
        {"kind": "allOf", "predicates": {"kind": "settled"}},
        {"kind": "not", "predicate": [{"kind": "settled"}]},
    ],
)
def test_what_cannot_be_meant_is_refused(value: object) -> None:
    """
    A predicate that names nothing, or nothing possible, never runs.
    """
    with pytest.raises(Refusal) as caught:
        parse(value)
    assert caught.value.code == "bad_predicate"
    assert "Nothing ran." in caught.value.message


def test_nesting_and_size_are_bounded() -> None:
    """
    Sixteen levels and sixty-four leaves are read; one more of either is refused.
    """
    deep: dict[str, object] = {"kind": "settled"}
    for _ in range(15):
        deep = {"not": deep}
    assert isinstance(parse(deep), Not)
    with pytest.raises(Refusal, match="deeper than 16"):
        parse({"not": deep})
    assert parse({"allOf": [{"kind": "settled"}] * 64}) == AllOf((Settled(),) * 64)
    with pytest.raises(Refusal, match="more than 64 leaves"):
        parse({"anyOf": [{"allOf": [{"kind": "settled"}] * 64}, {"kind": "settled"}]})


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_example_of_the_grammar_is_valid(kind: str) -> None:
    """
    The example that a refusal shows is accepted when it is sent.
    """
    assert as_json(parse(KINDS[kind].example)) == KINDS[kind].example


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["kind", "of", "predicates", "query", "$gt", "allOf", "x"]), inner, max_size=3
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read_or_refused(value: object) -> None:
    """
    No input makes the reader fail in another way than with its refusal.
    """
    try:
        predicate = parse(value)
    except Refusal as refusal:
        assert refusal.code == "bad_predicate"  # noqa: PT017 -- either end is fine, nothing else is
    else:
        assert parse(as_json(predicate)) == predicate
