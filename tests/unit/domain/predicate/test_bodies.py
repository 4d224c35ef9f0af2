"""
Bodies of requests by path and schema, and numbers that changed by so much.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.already_true import already_true
from reticle.domain.ladder import decide
from reticle.domain.predicate import evaluate, parse
from reticle.domain.predicate.json_path import at_path
from reticle.domain.predicate.kinds import UNSET
from reticle.errors import Refusal
from reticle.model.codes import Verified
from reticle.model.verdict import Held, Outcome
from reticle.testing.windows import WindowBuilder

BODY = json.dumps({"order": {"id": 7, "lines": [{"sku": "mug", "n": 2}]}, "a.b": 1, "note": None})
SENT = json.dumps({"sku": "mug", "n": 2})


def claim(fields: dict[str, object]) -> Outcome:
    """
    A claim about a POST with these bodies.
    """
    bodies = {"requestBody": SENT, "responseBody": BODY}
    window = WindowBuilder().click().net("POST", "/api/orders", 201, **bodies).build()
    return evaluate(parse({"kind": "net", "method": "POST", **fields}), window)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"body": {"order.id": 7}}, Held.YES),
        ({"body": {"order.id": "7"}}, Held.NO),
        ({"body": {"order.lines.length": 1, "order.lines.0.n": {"$gte": 2}}}, Held.YES),
        ({"body": {"order.lines.1.n": "*"}}, Held.NO),
        ({"body": {"order.lines.00.n": "*"}}, Held.NO),
        ({"body": {"a.b": 1}}, Held.YES),
        ({"body": {"note": None}}, Held.YES),
        ({"body": {"missing": {"$exists": False}}}, Held.YES),
        ({"requestBody": {"sku": "mug", "n": 2}}, Held.YES),
        ({"requestBody": {"n": 3}}, Held.NO),
        ({"bodySchema": {"type": "object", "required": ["order"]}}, Held.YES),
        ({"bodySchema": {"type": "array"}}, Held.NO),
    ],
)
def test_a_body_is_read_by_path_and_schema(fields: dict[str, object], expected: Held) -> None:
    """
    "The answer has the order's id, and two mugs were sent" is compared value by value.
    """
    assert claim(fields).held is expected


@pytest.mark.parametrize("sent", ['{"note": "' + "x" * 50, "n=3&sku=mug", "[Blob 14 bytes]", "[stream]"])
def test_what_was_sent_in_another_spelling_is_not_known(sent: str) -> None:
    """
    That no three mugs were sent is not proved by a form, a file or the beginning of a long body.
    """
    window = WindowBuilder().click().net("POST", "/api/orders", 201, requestBody=sent).quiet(1_000).build()
    asked = {"kind": "net", "method": "POST", "requestBody": {"n": 3}}
    assert evaluate(parse(asked), window).held is Held.UNKNOWN
    assert evaluate(parse({"kind": "not", "predicate": asked}), window).held is Held.UNKNOWN


def test_the_value_that_does_not_fit_is_named() -> None:
    """
    An agent reads which part of the answer is wrong.
    """
    told = claim({"body": {"order.id": 8}})
    assert told.failure is not None
    assert "the body's order.id is 7" in told.failure


@pytest.mark.parametrize("fields", [{"body": {"id": 7}}, {"bodySchema": {"type": "object"}}])
@pytest.mark.parametrize(
    "body",
    [None, '{"id": "[TRUNCATED]', '{"id": "[REDACTED]"}', "[" * 900 + "]" * 900, "[" * 9_000 + "]" * 9_000],
)
def test_a_body_that_was_not_seen_whole_decides_nothing(body: str | None, fields: dict[str, object]) -> None:
    """
    Not recorded, cut, redacted or without an end is neither a yes nor a no.
    """
    more = {} if body is None else {"responseBody": body, "bodyTruncated": body.endswith("[TRUNCATED]")}
    window = WindowBuilder().click().net("POST", "/api/orders", 201, **more).build()
    assert evaluate(parse({"kind": "net", **fields}), window).held is Held.UNKNOWN


@pytest.mark.parametrize(
    "schema",
    [{"type": "nonsense"}, {"$ref": "http://example.test/schema.json"}, [], "object"],
)
def test_a_schema_that_cannot_be_used_is_refused(schema: object) -> None:
    """
    A misspelled type or a schema that lies elsewhere is named, and nothing is fetched.
    """
    with pytest.raises(Refusal) as caught:
        parse({"kind": "net", "bodySchema": schema})
    assert caught.value.code == "bad_predicate"


def stock(before: object, after: object, delta: object) -> Outcome:
    """
    A store's number before and after a click.
    """
    fields = {"path": "stock", "store": "shop"}
    builder = WindowBuilder().click().reading("state", fields, _found(after))
    if before is not UNSET:
        builder.reading("state", fields, _found(before), before=True)
    return evaluate(parse({"kind": "state", **fields, "equals": {"$delta": delta}}), builder.build())


def _found(value: object) -> dict[str, object]:
    return {"found": True, "value": value, "storeNames": ["shop"]}


@pytest.mark.parametrize(
    ("before", "after", "delta", "expected"),
    [
        (3, 4, 1, Held.YES),
        (3, 5, 1, Held.NO),
        (3, 3, 1, Held.NO),
        (3, 1, -2, Held.YES),
        (0.1, 0.30000000000000004, 0.2, Held.YES),
        (0.1, 0.31, 0.2, Held.NO),
        (UNSET, 4, 1, Held.UNKNOWN),
        ("3", 4, 1, Held.UNKNOWN),
        (True, 2, 1, Held.UNKNOWN),
    ],
)
def test_a_number_changed_by_so_much(before: object, after: object, delta: object, expected: Held) -> None:
    """
    "There is one less in stock" is held against the value before the act; without one it is unknown.
    """
    assert stock(before, after, delta).held is expected


def test_a_number_that_changed_otherwise_is_told_beside_the_one_that_was_due() -> None:
    """
    Who claimed two more and got one reads which number was looked for.
    """
    assert stock(5, 6, 2).failure == "shop.stock is 6, and was to become 7"
    assert stock(0.1, 0.2, 0.2).failure == "shop.stock is 0.2, and was to become 0.3"


def test_a_change_by_so_much_is_new() -> None:
    """
    It passes: that the value is another one now cannot have been true before.
    """
    fields = {"path": "stock", "store": "shop"}
    builder = WindowBuilder().click().state_change("stock", 3, 2)
    builder.reading("state", fields, _found(3), before=True)
    window = builder.reading("state", fields, _found(2)).build()
    predicate = parse({"kind": "state", **fields, "equals": {"$delta": -1}})
    assert already_true(predicate, evaluate(predicate, window), window) is Held.NO
    assert decide(predicate, window).verified is Verified.YES


@pytest.mark.parametrize("below", [{"not": None}, {"kind": "allOf"}])
def test_a_difference_below_a_join_is_never_a_pass_by_accident(below: dict[str, object]) -> None:
    """
    What cannot be compared is unknown at any depth, and "not" does not make it a yes.
    """
    leaf = {"kind": "state", "path": "stock", "equals": {"$delta": 1}}
    predicate = {"not": leaf} if "not" in below else {**below, "predicates": [leaf]}
    window = WindowBuilder().click().reading("state", {"path": "stock"}, _found(4)).build()
    assert evaluate(parse(predicate), window).held is Held.UNKNOWN


def test_that_a_number_did_not_change_by_so_much_can_be_told() -> None:
    """
    "Not one less in stock" is no for a stock that has one less, and yes for one that has two less.
    """
    fields = {"path": "stock", "store": "shop"}
    claim = parse({"not": {"kind": "state", **fields, "equals": {"$delta": -1}}})
    for after, expected in [(2, Held.NO), (1, Held.YES)]:
        builder = WindowBuilder().click().reading("state", fields, _found(3), before=True)
        assert evaluate(claim, builder.reading("state", fields, _found(after)).build()).held is expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "state", "path": "a", "equals": {"$delta": 0}},
        {"kind": "state", "path": "a", "equals": {"$delta": "1"}},
        {"kind": "state", "path": "a", "equals": {"$delta": 1, "$gt": 0}},
        {"kind": "storage", "key": "a", "equals": {"$delta": 1}},
        {"kind": "signal", "dataMatches": {"n": {"$delta": 1}}},
    ],
)
def test_a_difference_out_of_place_is_refused(wrong: dict[str, object]) -> None:
    """
    Only a store's value has a before; nothing is guessed elsewhere.
    """
    with pytest.raises(Refusal):
        parse(wrong)


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES, st.text("ab.01length", max_size=8))
def test_any_path_into_any_value_is_answered(value: object, path: str) -> None:
    """
    A strange path finds nothing; it never ends a verdict with an error.
    """
    at_path(value, path)
    assert at_path(value, "") == value


@given(st.dictionaries(st.text("ab.", max_size=4), st.integers(), min_size=1, max_size=3))
def test_each_key_is_reached_by_its_name(value: dict[str, int]) -> None:
    """
    Also a key that has dots itself.
    """
    for key, item in value.items():
        if key:
            assert at_path(value, key) == item
