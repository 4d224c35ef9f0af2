"""
Where what a page found by itself is to be mended.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urljoin

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.runs import Place, Why
from reticle.model.window import Mixed, Pending, Unheeded
from reticle.testing.bridge import result_of
from reticle.testing.page import FakePage
from reticle.testing.windows import WindowBuilder
from reticle.tools.found_places import found_places

CLAIM = parse({"kind": "net", "method": "GET", "urlContains": "/api/tasks", "status": 200})

AT = ("http://127.0.0.1:8000/list.js", 50, 28)


def places(pending: Pending, status: int = 200) -> Sequence[Place]:
    """
    What is named after a click, on a page whose sheet has a rule for another attribute.
    """
    page = FakePage()
    page.served[urljoin(page.identity.url, "/style.css")] = (
        "body { margin: 0 }\n:root[data-mode='dark'] { color: #fff }"
    )
    window = attrs.evolve(
        WindowBuilder().click("Go").net("GET", "/api/tasks", status).build(), pending=pending
    )
    return result_of(Deferred.fromCoroutine(found_places(page, decide(CLAIM, window), window)))


def sheet() -> str:
    """
    The address of the page's style sheet.
    """
    return urljoin(FakePage().identity.url, "/style.css")


def test_rows_are_mended_where_they_are_written() -> None:
    """
    The line that draws the row without a key, in a script that runs or as its framework noted it.
    """
    assert places(Pending(0, mixed=(Mixed("List", 2, "list.js:50:28", AT),))) == (
        Place("/list.js:50", Why.FOUND),
    )
    assert places(Pending(0, mixed=(Mixed("List", 2, "a.jsx:5"),))) == (Place("a.jsx:5", Why.FOUND),)


def test_a_theme_is_mended_where_its_rule_is() -> None:
    """
    The rule that looks for another attribute.
    """
    unheeded = Unheeded("dark", ':root[data-mode="dark"]', sheet())
    assert places(Pending(0, unheeded=unheeded)) == (Place("/style.css:2", Why.FOUND),)


@pytest.mark.parametrize(
    "pending",
    [
        Pending(0),
        Pending(0, mixed=(Mixed("List", 2),)),
        Pending(0, unheeded=Unheeded("dark")),
        Pending(0, unheeded=Unheeded("dark", ".night", sheet())),
        Pending(0, mixed=(Mixed("List", 2, "a.jsx:5"),), unheeded=Unheeded("dark", None, None)),
    ],
)
def test_what_the_page_does_not_say_is_looked_for_otherwise(pending: Pending) -> None:
    """
    No place, a rule that is not there, and more findings than this one.
    """
    assert places(pending) == ()


def test_a_claim_that_fails_is_mended_elsewhere() -> None:
    """
    A request that failed is not mended in the list.
    """
    assert places(Pending(0, mixed=(Mixed("List", 2, "a.jsx:5"),)), 500) == ()
