"""
What came beside what was counted.
"""

from __future__ import annotations

import pytest

from reticle.domain.beside import beside
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.testing.windows import WindowBuilder
from reticle.tools.digest import brief_digest

ASKED = {"kind": "net", "method": "GET", "urlContains": "?q=lam", "count": 1}
KEPT = {"kind": "storage", "area": "local", "key": "draft", "equals": "abc", "count": 1}


def written(builder: WindowBuilder, *values: str, key: str = "draft") -> WindowBuilder:
    for value in values:
        builder.event("storage.change", {"area": "local", "key": key, "old": None, "new": value})
    return builder


def test_other_requests_of_the_same_address_are_named_with_their_number() -> None:
    """
    One GET for "lam" was claimed and came; that "l" and "la" were asked for too is told.
    """
    builder = WindowBuilder().click().net("GET", "/api/items?q=l").net("GET", "/api/items?q=la")
    builder.net("GET", "/api/items?q=lam").net("GET", "/api/user").net("POST", "/api/items")
    told = beside(parse(ASKED), builder.quiet(1_000).build())
    assert told == ("not counted: 2 more GET /api/items",)
    assert decide(parse(ASKED), builder.build()).honesty.notes[:1] == told


def test_what_all_the_others_were_answered_is_told_with_them() -> None:
    """
    As of a write that was refused and tried again: then it need not be told once more beside the verdict.
    """
    claim = parse({"kind": "net", "method": "PUT", "urlContains": "/api/stock", "status": 200, "count": 1})
    busy = WindowBuilder().click().net("PUT", "/api/stock/bowl", 503)
    again = busy.net("PUT", "/api/stock/bowl", 200).quiet(1_000).build()
    [told] = beside(claim, again)
    assert told == "not counted: 1 more PUT /api/stock/bowl 503"
    assert brief_digest(again, (), [told]) == {"net": {"headline": ["PUT /api/stock/bowl 200"]}}
    worse = WindowBuilder().click().net("PUT", "/api/stock/bowl", 503).net("PUT", "/api/stock/bowl", 500)
    told = beside(claim, worse.net("PUT", "/api/stock/bowl", 200).quiet(1_000).build())[0]
    assert told == "not counted: 2 more PUT /api/stock/bowl"


@pytest.mark.parametrize(
    "claim",
    [
        {name: value for name, value in ASKED.items() if name != "count"},
        {**ASKED, "count": 0},
        {**ASKED, "urlContains": "/api/items", "count": 3},
    ],
)
def test_nothing_is_named_where_nothing_was_counted_or_all_of_it_was(claim: dict[str, object]) -> None:
    """
    A claim without a count says "at least one", and one that counts all has no others beside it.
    """
    builder = WindowBuilder().click().net("GET", "/api/items?q=l").net("GET", "/api/items?q=la")
    window = builder.net("GET", "/api/items?q=lam").quiet(1_000).build()
    assert beside(parse(claim), window) == ()


def test_other_writes_of_the_same_key_are_named_with_their_number() -> None:
    """
    A draft that is kept at every letter ends as one that was kept once does.
    """
    every = written(WindowBuilder().click(), "a", "ab", "abc").quiet(1_000).build()
    assert beside(parse(KEPT), every) == ("not counted: 2 more of the local key draft",)
    once = written(written(WindowBuilder().click(), "abc"), "x", "y", key="other").quiet(1_000).build()
    assert beside(parse(KEPT), once) == ()
