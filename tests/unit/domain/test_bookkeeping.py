"""
What a cache of requests notes about them is not the app's own doing.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.bookkeeping import is_bookkeeping
from reticle.domain.changes import moved
from reticle.domain.findings import find_all
from reticle.testing.windows import WindowBuilder

FAILED: Mapping[str, object] = {
    "store": "queries",
    "path": "queries.orders.error",
    "value": {"name": "Error", "message": "orders failed: no stock"},
    "old": None,
}


def kinds(builder: WindowBuilder) -> list[str]:
    return [finding.kind for finding in find_all(builder.build(), None)]


def noted(builder: WindowBuilder, *, bookkeeping: bool) -> WindowBuilder:
    return builder.event("state.change", {**FAILED, **({"bookkeeping": True} if bookkeeping else {})})


@pytest.mark.parametrize(("bookkeeping", "expected"), [(True, ["ui-advanced-request-failed"]), (False, [])])
def test_an_error_in_the_cache_alone_owns_up_to_nothing(bookkeeping: bool, expected: list[str]) -> None:  # noqa: FBT001 -- one case of the table
    """
    A list that renders on over a failed request is found although the query client holds the error; the
    app's own state that holds it owns up.
    """
    builder = WindowBuilder().click().net("POST", "/api/orders", 500, responseBody='{"detail": "no stock"}')
    assert kinds(noted(builder.dom_added(), bookkeeping=bookkeeping)) == expected


@pytest.mark.parametrize(("bookkeeping", "expected"), [(True, ["response-ignored"]), (False, [])])
def test_a_mutation_that_ended_in_the_cache_is_no_reaction(bookkeeping: bool, expected: list[str]) -> None:  # noqa: FBT001 -- one case of the table
    """
    A save after which nothing but the cache's own note changed casts doubt.
    """
    builder = WindowBuilder().click().net("POST", "/api/orders", 201)
    assert kinds(noted(builder, bookkeeping=bookkeeping)) == expected


@pytest.mark.parametrize("bookkeeping", [True, False])
def test_a_note_moves_nothing(bookkeeping: bool) -> None:  # noqa: FBT001 -- one case of the table
    """
    The page is where it was when only such a note was made.
    """
    window = noted(WindowBuilder(), bookkeeping=bookkeeping).build()
    assert moved(window) is not bookkeeping
    assert [is_bookkeeping(event) for event in window.events] == [bookkeeping]
