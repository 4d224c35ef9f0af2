"""
One claim counts as stronger than another only where it cannot hold without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reticle.domain.predicate import evaluate, parse, questions
from reticle.domain.predicate.implies import implies
from reticle.errors import Refusal
from reticle.model.verdict import Held
from reticle.model.window import Window
from reticle.testing.windows import WindowBuilder, WindowStep

URLS = ["/api/orders", "/api", "/api/orders/7", "/@vite/client", "/logo.png"]
WORDS = ["a", "ab", "abc", "b"]
JSON_BODY = '{"id": 7, "total": 12}'

Claim = Mapping[str, Any]


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """
    An object with some of the fields.
    """
    return st.fixed_dictionaries({}, optional=fields)


def kind(name: str, optional: st.SearchStrategy[dict[str, Any]], **fixed: Any) -> st.SearchStrategy[Claim]:
    return optional.map(lambda fields: {"kind": name, **fixed, **fields})


COUNT = st.integers(0, 2)
PATTERN = st.sampled_from([1, 2, "a", {"$gt": 0}, {"$gte": 1}, {"$in": [1, 2]}, "*", {"$exists": True}])
HAPPENINGS = st.one_of(
    kind(
        "net",
        some(
            method=st.sampled_from(["GET", "POST", "post"]),
            urlContains=st.sampled_from(URLS),
            status=st.sampled_from([200, 500]),
            ok=st.booleans(),
            bodyContains=st.sampled_from(["id", '"id": 7']),
            body=st.sampled_from([{"id": 7}, {"id": {"$gt": 1}}, {"id": "*", "total": 12}]),
            count=COUNT,
        ),
    ),
    kind(
        "signal",
        some(
            name=st.sampled_from(WORDS),
            dataMatches=st.dictionaries(st.sampled_from("xy"), PATTERN, min_size=1, max_size=2),
            count=COUNT,
        ),
    ),
    kind(
        "console",
        some(
            level=st.sampled_from(["log", "warn", "error", "info"]),
            contains=st.sampled_from(WORDS),
            absent=st.booleans(),
        ),
    ),
    kind("route", some(pathname=st.sampled_from(URLS[:3]), contains=st.sampled_from(URLS[:3]))),
    kind(
        "storage",
        some(
            area=st.sampled_from(["local", "session"]),
            key=st.sampled_from(WORDS),
            equals=PATTERN,
            removed=st.booleans(),
            count=COUNT,
        ),
    ),
    kind(
        "stream",
        some(
            transport=st.sampled_from(["ws", "sse"]),
            direction=st.sampled_from(["open", "in", "out"]),
            urlContains=st.sampled_from(URLS[:3]),
            contains=st.sampled_from(WORDS),
            count=COUNT,
        ),
    ),
    kind("perf", some(value=st.sampled_from([{"$gt": 1}, {"$gte": 2}, 2]), count=COUNT), metric="lcp"),
    kind("dialog", some(dialog=st.sampled_from(["alert", "confirm"]), contains=st.sampled_from(WORDS))),
    kind("download", some(state=st.sampled_from(["begun", "kept"]), contains=st.sampled_from(WORDS))),
)
SERVER = st.one_of(
    kind(
        "server",
        some(
            method=st.sampled_from(["GET", "POST"]),
            urlContains=st.sampled_from(URLS[:3]),
            status=st.sampled_from([200, 500]),
            count=COUNT,
        ),
    ),
    kind("sql", some(verb=st.sampled_from(["SELECT", "INSERT"]), table=st.sampled_from(WORDS), count=COUNT)),
    kind(
        "log",
        some(
            level=st.sampled_from(["warning", "error"]),
            contains=st.sampled_from(WORDS),
            absent=st.booleans(),
            count=COUNT,
        ),
    ),
    kind("mail", some(to=st.sampled_from(["A@x", "@x"]), subject=st.sampled_from(WORDS), count=COUNT)),
)
READ = st.one_of(
    kind("text", some(visible=st.booleans(), absent=st.booleans(), scope=st.just("#m")), contains="ab"),
    kind("state", some(equals=PATTERN), path="n", store="app"),
    kind("settled", some(quietMs=st.sampled_from([100, 500, 900]))),
)
LEAF = HAPPENINGS | SERVER | READ


def _joined(parts: st.SearchStrategy[Claim]) -> st.SearchStrategy[Claim]:
    several = st.lists(parts, min_size=1, max_size=3)
    moments = st.lists(HAPPENINGS, min_size=1, max_size=3)
    return st.one_of(
        several.map(lambda some: {"kind": "allOf", "predicates": some}),
        several.map(lambda some: {"kind": "anyOf", "predicates": some}),
        parts.map(lambda one: {"kind": "not", "predicate": one}),
        st.tuples(HAPPENINGS, st.sampled_from([100, 300, 2_000])).map(
            lambda pair: {"kind": "within", "predicate": pair[0], "ms": pair[1]}
        ),
        st.tuples(HAPPENINGS, st.sampled_from([100, 600, 900])).map(
            lambda pair: {"kind": "never", "predicate": pair[0], "ms": pair[1]}
        ),
        moments.map(lambda some: {"kind": "sequence", "predicates": some}),
    )


CLAIM = st.recursive(LEAF, _joined, max_leaves=4)


def accepted(claim: Claim) -> bool:
    try:
        parse(claim)
    except Refusal:
        return False
    return True


def of_kind(name: str) -> st.SearchStrategy[Claim]:
    return LEAF.filter(lambda leaf: leaf["kind"] == name)


def without(fields: Claim, name: str) -> Claim:
    return {other: value for other, value in fields.items() if other != name}


@st.composite
def weakened(draw: st.DrawFn, claim: Claim) -> Claim:
    """
    A claim with something taken out or changed, so that many of them are weaker and some are not.
    """
    fields: dict[str, Any] = json.loads(json.dumps(claim))
    if "predicates" in fields:
        at = draw(st.integers(0, len(fields["predicates"]) - 1))
        if draw(st.booleans()):
            return draw(weakened(fields["predicates"][at]))
        fields["predicates"][at] = draw(weakened(fields["predicates"][at]))
        return fields
    if "predicate" in fields:
        change = draw(st.sampled_from(["part", "ms", "keep"]))
        if change == "part":
            return fields["predicate"]  # type: ignore[no-any-return]  # JSON
        if change == "ms" and "ms" in fields:
            fields["ms"] = draw(st.sampled_from([100, 300, 2_000]))
        return fields
    for name in [*fields]:
        if name == "kind":
            continue
        change = draw(st.sampled_from(["keep", "keep", "drop", "other"]))
        if (
            change == "drop"
            and name not in {"path", "metric"}
            and not (name == "contains" and fields["kind"] == "text")
        ):
            del fields[name]
        elif change == "other" and fields["kind"] != "text":
            fields = {**draw(of_kind(fields["kind"])), **without(fields, name)}
    wrap = draw(st.sampled_from(["", "", "anyOf", "allOf"]))
    return {"kind": wrap, "predicates": [fields]} if wrap else fields


STEPS: Mapping[str, WindowStep] = {
    "order": lambda b: b.net("POST", "http://h/api/orders", 200, responseBody=JSON_BODY),
    "order fails": lambda b: b.net("POST", "http://h/api/orders/7", 500, responseBody="no"),
    "read": lambda b: b.net("GET", "http://h/api", 200, responseBody=JSON_BODY, behind=1),
    "vite": lambda b: b.net("GET", "http://h/@vite/client", 200),
    "logo": lambda b: b.net("POST", "http://h/logo.png", 200),
    "opaque": lambda b: b.net("GET", "http://h/api/orders", None),
    "begun": lambda b: b.pending("POST", "http://h/api/orders", id_="q1"),
    "ended": lambda b: b.answered("q1", "POST", "http://h/api/orders", 200, responseBody=JSON_BODY),
    "old": lambda b: b.open_before("POST", "http://h/api/orders"),
    "old ends": lambda b: b.answered("old1", "POST", "http://h/api/orders", 200),
    "signal a": lambda b: b.signal("a", {"x": 1, "y": "a"}),
    "signal ab": lambda b: b.signal("ab", {"x": 2}),
    "signal cut": lambda b: b.signal("a", "[redacted]"),
    "signal bare": lambda b: b.signal("abc"),
    "error": lambda b: b.console("error", "abc"),
    "warn": lambda b: b.console("warn", "b"),
    "uncaught": lambda b: b.uncaught("ab"),
    "route": lambda b: b.route("/api/orders/7"),
    "route api": lambda b: b.route("/api"),
    "written": lambda b: b.event("storage.change", {"area": "local", "key": "a", "op": "put", "new": "1"}),
    "removed": lambda b: b.event(
        "storage.change", {"area": "local", "key": "a", "op": "delete", "new": None}
    ),
    "text stored": lambda b: b.event("storage.change", {"area": "session", "key": "ab", "new": "a"}),
    "ws open": lambda b: b.event(
        "net.stream", {"transport": "ws", "direction": "open", "url": "/api/orders"}
    ),
    "ws in": lambda b: b.event(
        "net.stream", {"transport": "ws", "direction": "in", "url": "/api", "preview": "abc", "bytes": 3}
    ),
    "ws long": lambda b: b.event(
        "net.stream", {"transport": "ws", "direction": "in", "url": "/api", "preview": "b", "bytes": 900}
    ),
    "lcp 2": lambda b: b.event("perf", {"metric": "lcp", "value": 2}),
    "lcp 9": lambda b: b.event("perf", {"metric": "lcp", "value": 9}),
    "alert": lambda b: b.event("dialog", {"kind": "alert", "message": "abc", "id": 1}),
    "confirm": lambda b: b.event("dialog", {"kind": "confirm", "message": "b"}),
    "file": lambda b: b.event("download", {"filename": "abc", "state": "begun", "id": 1}),
    "file kept": lambda b: b.event("download", {"filename": "abc", "state": "kept", "id": 1}),
    "blob": lambda b: b.event("download", {"filename": "ab", "url": "blob:1"}),
    "served": lambda b: b.served("r1", "POST", "/api/orders", 200),
    "served badly": lambda b: b.served("r2", "GET", "/api", 500),
    "insert": lambda b: b.fact("sql", "r1", verb="INSERT", tables=["a"], rows=1),
    "select": lambda b: b.fact("sql", "r1", verb="SELECT", tables=["shop.ab"], rows=1),
    "logged": lambda b: b.fact("log", "r1", level="ERROR", message="abc"),
    "warned": lambda b: b.fact("log", "r1", level="WARNING", message="b"),
    "mail": lambda b: b.fact("mail", "r1", to=["a@x"], subject="abc"),
    "wait": lambda b: b.wait(250),
    "loss": lambda b: b.loss("net"),
    "navigated": lambda b: b.new_document(),
    "shown": lambda b: b.shown("status", "abc"),
}


@st.composite
def windows(draw: st.DrawFn) -> Window:
    builder = WindowBuilder().probe()
    if draw(st.booleans()):
        builder.click()
    for name in draw(st.lists(st.sampled_from([*STEPS]), max_size=7)):
        STEPS[name](builder)
    if draw(st.booleans()):
        builder.state("n", draw(st.sampled_from([1, 2, "a", True, "[redacted]"])), store="app")
    if draw(st.booleans()):
        builder.at(draw(st.sampled_from(URLS[:3])))
    there = draw(st.booleans())
    for fields in ({}, {"visible": True}, {"visible": False}):
        builder.text("ab", there=there, **fields)
    return builder.quiet(draw(st.sampled_from([0, 200, 700, 1_000]))).build()


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Claim, Claim]:
    strong = draw(CLAIM.filter(accepted))
    weak = draw((weakened(strong) | CLAIM).filter(accepted))
    return strong, weak


@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], deadline=None)
@given(pairs(), st.lists(windows(), min_size=4, max_size=8))
def test_is_sound(pair: tuple[Claim, Claim], seen: list[Window]) -> None:
    """A weaker claim holds wherever the stronger one does."""
    strong, weak = (parse(claim) for claim in pair)
    if not implies(strong, weak):
        return
    for window in seen:
        if evaluate(strong, window).held is Held.YES:
            assert evaluate(weak, window).held is Held.YES


@given(CLAIM.filter(accepted))
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], deadline=None)
def test_every_claim_is_as_strong_as_itself(claim: Claim) -> None:
    """The claim that a job names is always enough for it, however it is spelled."""
    assert implies(parse(claim), parse(json.loads(json.dumps(claim))))


ROLES, NAMES = ["button", "link"], ["Save", "Send"]
QUERY = some(role=st.sampled_from(ROLES), name=st.sampled_from(NAMES), testid=st.just("a")).filter(
    lambda query: bool({"role", "testid"} & {*query})
)
STATES = [None, "present", "attached", "hidden", "enabled", "checked"]
ELEMENTS = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(ROLES),
            "name": st.sampled_from(NAMES),
            "testid": st.sampled_from(["a", "b"]),
            "met": st.booleans(),
            "states": st.sets(st.sampled_from(["enabled", "checked", "hidden"])),
        }
    ),
    max_size=3,
)
ELEMENT = st.tuples(QUERY, st.sampled_from(STATES), st.booleans()).map(
    lambda asked: {
        "kind": "element",
        "query": asked[0],
        **({} if asked[1] is None else {"state": asked[1]}),
        **({"absent": True} if asked[2] else {}),
    }
)
WORDS_IN_SCOPE = st.fixed_dictionaries(
    {}, optional={"absent": st.booleans(), "exact": st.booleans()}
).flatmap(
    lambda fields: st.sampled_from([*WORDS, "a b", "a  b"]).map(
        lambda part: {"kind": "text", "contains": part, "scope": "#m", **fields}
    )
)


def on_page(builder: WindowBuilder, claim: Claim, elements: list[Any], said: list[str]) -> None:
    """
    What a page with these elements and texts answers to a claim's question.
    """
    for question in questions(parse(claim)):
        fields = question.fields
        if question.kind == "text":
            wanted = " ".join(str(fields["contains"]).split())
            found = [each for each in said if (each == wanted if fields.get("exact") else wanted in each)]
            answer: dict[str, Any] = {"count": len(found), "visibleCount": len(found), "samples": []}
            builder.reading("text", fields, {**answer, "perceivableCount": len(found)})
            continue
        query, state = question.fields["query"], fields.get("state")
        assert isinstance(query, Mapping)
        named = [one for one in elements if all(one[name] == value for name, value in query.items())]
        fit = [one for one in named if state in {None, "present", "attached"} or state in one["states"]]
        shown = [{"states": ["present", *sorted(one["states"])], "role": one["role"]} for one in fit]
        counted = {"matched": bool(fit), "count": len(fit), "candidates": len(named), "elements": shown}
        builder.reading("match", fields, {**counted, "perceivable": any(one["met"] for one in fit)})


@given(
    st.one_of(st.tuples(ELEMENT, ELEMENT), st.tuples(WORDS_IN_SCOPE, WORDS_IN_SCOPE)),
    st.lists(
        st.tuples(ELEMENTS, st.lists(st.sampled_from(["a", "ab", "a b c", "b"]), max_size=2)), min_size=5
    ),
)
def test_is_sound_for_what_is_read_of_a_page(pair: tuple[Claim, Claim], pages: list[Any]) -> None:
    """A weaker claim of elements or texts holds on every page on which the stronger one does."""
    strong, weak = pair
    if not implies(parse(strong), parse(weak)):
        return
    for elements, said in pages:
        builder = WindowBuilder().click()
        for claim in pair:
            on_page(builder, claim, elements, said)
        window = builder.build()
        if evaluate(parse(strong), window).held is Held.YES:
            assert evaluate(parse(weak), window).held is Held.YES


TEXT = {"kind": "text", "contains": "Order placed"}
ORDER = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201, "count": 1}


@pytest.mark.parametrize(
    ("strong", "weak"),
    [
        ({"allOf": [TEXT, ORDER]}, TEXT),
        ({"allOf": [ORDER, TEXT]}, {"allOf": [TEXT, ORDER]}),
        (TEXT, {"anyOf": [ORDER, TEXT]}),
        ({"anyOf": [TEXT, ORDER]}, {"anyOf": [ORDER, TEXT]}),
        (ORDER, {"kind": "net", "method": "post", "urlContains": "/orders"}),
        (
            {"kind": "signal", "name": "placed", "dataMatches": {"total": 12}},
            {"kind": "signal", "dataMatches": {"total": {"$gt": 0}}},
        ),
        ({"kind": "route", "pathname": "/orders/7"}, {"kind": "route", "contains": "/orders"}),
        (
            {"kind": "within", "ms": 500, "predicate": {"kind": "net", "ok": True}},
            {"kind": "net", "ok": True},
        ),
        (
            {
                "kind": "sequence",
                "predicates": [{"kind": "net", "ok": True}, {"kind": "signal", "name": "a"}],
            },
            {"kind": "signal", "name": "a"},
        ),
        (
            {"kind": "never", "ms": 900, "predicate": {"kind": "console", "level": "error"}},
            {"kind": "never", "ms": 500, "predicate": {"kind": "console", "level": "error"}},
        ),
        (
            {"kind": "console", "absent": True},
            {"kind": "console", "level": "error", "absent": True},
        ),
        (
            {"kind": "element", "role": "button", "name": "Save", "state": "enabled"},
            {"kind": "element", "role": "button"},
        ),
        (
            {"kind": "text", "contains": "Order placed", "scope": "#main"},
            {"kind": "text", "contains": "placed", "scope": "#main"},
        ),
        ({"kind": "state", "path": "n", "equals": 2}, {"kind": "state", "path": "n", "equals": {"$gt": 1}}),
        (
            {"kind": "sql", "verb": "INSERT", "table": "orders", "count": 1},
            {"kind": "sql", "table": "orders"},
        ),
        ({"kind": "log", "level": "error"}, {"kind": "log", "level": "warning"}),
        ({"kind": "net", "status": 500, "count": 0}, {"kind": "net", "status": 500, "ok": False, "count": 0}),
    ],
)
def test_knows(strong: Claim, weak: Claim) -> None:
    """An agent that shows more than was asked is not sent back."""
    assert implies(parse(strong), parse(weak))
    assert not implies(parse(weak), parse(strong)) or strong.keys() & {"allOf", "anyOf"}


@pytest.mark.parametrize(
    ("strong", "weak"),
    [
        (TEXT, ORDER),
        ({"anyOf": [TEXT, ORDER]}, TEXT),
        (TEXT, {"allOf": [TEXT, ORDER]}),
        ({"kind": "net", "count": 1}, {"kind": "net", "method": "POST", "count": 1}),
        ({"kind": "net", "method": "POST", "count": 1}, {"kind": "net", "count": 1}),
        ({"kind": "net", "urlContains": "/@vite"}, {"kind": "net"}),
        ({"kind": "net", "urlContains": "/orders/12"}, {"kind": "net", "urlContains": "/orders/1"}),
        ({"kind": "server", "urlContains": "/orders/12"}, {"kind": "server", "urlContains": "/orders/1"}),
        ({"kind": "route", "contains": "/orders/12"}, {"kind": "route", "contains": "/orders/1"}),
        ({"kind": "route", "pathname": "/a"}, {"kind": "route"}),
        ({"not": TEXT}, TEXT),
        (
            {"kind": "within", "ms": 500, "predicate": {"kind": "net", "count": 1}},
            {"kind": "net", "count": 1},
        ),
        ({"kind": "text", "contains": "Order placed"}, {"kind": "text", "contains": "placed"}),
        (
            {"kind": "text", "contains": "12 items", "scope": "#main"},
            {"kind": "text", "contains": "2 items", "scope": "#main"},
        ),
        (
            {"kind": "element", "role": "button", "absent": True},
            {"kind": "element", "role": "button", "name": "Save", "absent": True, "state": "attached"},
        ),
        ({"kind": "element", "testid": "a", "state": "hidden"}, {"kind": "element", "testid": "a"}),
        ({"kind": "state", "path": "n", "equals": 1}, {"kind": "state", "path": "n", "equals": True}),
        ({"kind": "download", "state": "begun"}, {"kind": "download"}),
    ],
)
def test_refuses(strong: Claim, weak: Claim) -> None:
    """A weaker claim, or another one, is no proof of the one that was asked."""
    assert not implies(parse(strong), parse(weak))


def test_deep_claims_are_compared_at_once() -> None:
    """An agent cannot keep the daemon busy with a claim that is nested as deep as the grammar allows."""
    one: dict[str, object] = {"kind": "text", "contains": "a"}
    other: dict[str, object] = {"kind": "text", "contains": "b"}
    for depth in range(15):
        join = ("allOf", "anyOf")[depth % 2]
        one, other = {join: [one]}, {join: [other]}
    assert not implies(parse(one), parse(other))
