"""
``store-changed-unasked``: one thing is written, and others take the value.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.store_changed_unasked import KIND
from reticle.domain.predicate import parse
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder

QTY = '{"qty": 3}'


def found(builder: WindowBuilder, claim: Mapping[str, object] | None = None) -> list[Finding]:
    told = find_all(builder.build(), None if claim is None else parse(claim))
    return [finding for finding in told if finding.kind == KIND]


def wrote(url: str = "/api/items/7", body: str = QTY, answer: str = '{"id": 7, "qty": 3}') -> WindowBuilder:
    return WindowBuilder().click().net("PATCH", url, 200, requestBody=body, responseBody=answer)


@pytest.mark.parametrize(
    ("builder", "where"),
    [
        (
            wrote().state_change("items.0.qty", 3, 1).state_change("items.1.qty", 3, 2),
            "in 2 of app.items",
        ),
        (
            wrote("/api/items/o-70001")
            .state_change("byId.o-70001.qty", 3, 1)
            .state_change("byId.o-8.qty", 3, 5),
            "in 2 of app.byId",
        ),
        (wrote("/api/items/o-70001").state_change("byId.o-80001.qty", 3, 5), "byId.o-80001.qty"),
    ],
)
def test_a_value_that_lands_on_other_things_is_in_doubt(builder: WindowBuilder, where: str) -> None:
    """
    One row was changed, and the store changed two, or another one.
    """
    (finding,) = found(builder)
    assert finding.tier is FindingTier.ABSENCE
    assert finding.counter == f"the store took its qty 3 {where}, and nothing says so"


@pytest.mark.parametrize(
    "builder",
    [
        wrote().state_change("items.0.qty", 3, 1),
        wrote("/api/items/o-70001").state_change("byEmail.a1.qty", 3, 5),
        wrote().state_change("items.0.qty", 3, 1).state_change("items.1.qty", 4, 2),
        wrote().state_change("items.0.qty", 3, 1).state_change("total", 3, 2),
        wrote().state_change("items.0.qty", 3, 1).state_change("cart.0.qty", 3, 2),
        wrote(body='{"rank": 3}').state_change("items.0.rank", 3, 1).state_change("items.1.rank", 3, 2),
        wrote(body='{"done": true}')
        .state_change("items.0.done", True, False)
        .state_change("items.1.done", True, False),
        wrote(answer='[{"id": 7, "qty": 3}, {"id": 8, "qty": 3}]')
        .state_change("items.0.qty", 3, 1)
        .state_change("items.1.qty", 3, 2),
        wrote()
        .net("GET", "/api/items", 200, responseBody='[{"id": 7, "qty": 3}, {"id": 8, "qty": 3}]')
        .state_change("items.0.qty", 3, 1)
        .state_change("items.1.qty", 3, 2),
        wrote("/api/items/bulk").state_change("items.0.qty", 3, 1).state_change("items.1.qty", 3, 2),
        wrote(body='{"qty": 3, "lines": [{"qty": 3}]}')
        .state_change("items.0.qty", 3, 1)
        .state_change("items.1.qty", 3, 2),
        wrote()
        .event("net.stream", {"transport": "ws", "direction": "in", "id": "w1", "url": "/ws"})
        .state_change("items.0.qty", 3, 1)
        .state_change("items.1.qty", 3, 2),
        WindowBuilder().click().state_change("items.0.qty", 3, 1).state_change("items.1.qty", 3, 2),
    ],
)
def test_changes_that_something_says_or_that_are_normal_are_let_be(builder: WindowBuilder) -> None:
    """
    Undeclared changes are normal; what an answer, a stream or the nature of the field explains is too.
    """
    assert found(builder) == []


def test_a_claim_about_the_store_says_so() -> None:
    """
    Who claims that the others take it as well is not told of it as a doubt.
    """
    builder = wrote().state_change("items.0.qty", 3, 1).state_change("items.1.qty", 3, 2)
    assert found(builder, {"kind": "state", "path": "items.1.qty", "equals": 3}) == []
    assert len(found(builder, {"kind": "state", "path": "cart.total", "equals": 3})) == 1
