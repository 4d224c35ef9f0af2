"""
``stale-read-after-write``: what is read after a write does not know of it.
"""

from __future__ import annotations

import json

import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.stale_read_after_write import KIND
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder


def found(builder: WindowBuilder) -> list[Finding]:
    return [finding for finding in find_all(builder.build(), None) if finding.kind == KIND]


def item(quantity: object, **more: object) -> str:
    return json.dumps({"id": 7, "quantity": quantity, **more})


def written(quantity: object = 3, url: str = "/api/items/7", status: int = 200) -> WindowBuilder:
    """
    A thing that had the quantity 1, and is given another.
    """
    builder = WindowBuilder().click().answered_before("GET", "/api/items/7", responseBody=item(1))
    body = json.dumps({"quantity": quantity})
    return builder.net("PATCH", url, status, requestBody=body, responseBody=item(quantity))


def read_again(builder: WindowBuilder) -> WindowBuilder:
    return builder.net("GET", "/api/items/7", responseBody=item(3))


@pytest.mark.parametrize(
    ("url", "body"),
    [
        ("/api/items/7", item(1)),
        ("/api/items", json.dumps([{"id": 6, "quantity": 3}, {"id": 7, "quantity": 1}])),
        ("/api/items?page=1", json.dumps({"items": [{"id": 7, "quantity": 1}]})),
    ],
)
def test_an_answer_of_before_the_write_casts_doubt(url: str, body: str) -> None:
    """
    A cached answer is told, with what was written and what came.
    """
    (finding,) = found(written().net("GET", url, responseBody=body))
    assert finding.tier is FindingTier.ABSENCE
    assert finding.claim == "PATCH /api/items/7 200 was sent quantity 3"
    assert finding.counter == f"GET {url} 200 after it still has quantity 1"


@pytest.mark.parametrize(
    "builder",
    [
        written().net("GET", "/api/items/7", responseBody=item(3)),
        written().net("GET", "/api/items/7", responseBody=item("3")),
        written().net("GET", "/api/items/7", responseBody=item(2)),
        written().net("GET", "/api/orders/7", responseBody=item(1)),
        written().net("GET", "/api/items/8", responseBody=item(1)),
        read_again(written().net("GET", "/api/items/7", responseBody=item(1))),
        written(status=202).net("GET", "/api/items/7", responseBody=item(1)),
        written(status=409).net("GET", "/api/items/7", responseBody=item(1)),
        written(url="/api/shops/2/items/7").net("GET", "/api/items/7", responseBody=item(1)),
    ],
)  # fmt: skip
def test_an_answer_that_is_new_or_about_something_else_is_as_it_should_be(builder: WindowBuilder) -> None:
    """
    Near misses: the new value in any spelling, a third one, other things, a good read later, no write done.
    """
    assert found(builder) == []


def test_an_old_value_that_nobody_saw_is_not_known_to_be_old() -> None:
    """
    The server may make of a value what it likes.
    """
    builder = WindowBuilder().click()
    builder.net("PATCH", "/api/items/7", requestBody='{"quantity": 3}', responseBody="{}")
    assert found(builder.net("GET", "/api/items/7", responseBody=item(1))) == []


def test_a_thing_that_is_written_twice_is_left_alone() -> None:
    """
    There and back again ends where it began.
    """
    builder = written().net("PATCH", "/api/items/7", requestBody='{"quantity": 1}', responseBody=item(1))
    assert found(builder.net("GET", "/api/items/7", responseBody=item(1))) == []
