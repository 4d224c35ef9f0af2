"""
``row-missing``: the answer has a row that the list drawn from it has not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.row_missing import KIND
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import VerifiedReason
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder

ROWS = [
    {"id": 5, "title": "Call the printer", "minutes": 40},
    {"id": 1, "title": "Fix the login redirect", "minutes": 90},
    {"id": 3, "title": "Order chairs", "minutes": 60},
    {"id": 2, "title": "Answer Pat", "minutes": 10},
    {"id": 4, "title": "Write the report", "minutes": 75},
]
TITLES = [str(row["title"]) for row in ROWS]


def found(builder: WindowBuilder) -> list[Finding]:
    return [finding for finding in find_all(builder.build(), None) if finding.kind == KIND]


def listed(body: object, titles: Sequence[str]) -> WindowBuilder:
    """
    An answer with rows, and a list that came up with these titles.
    """
    builder = WindowBuilder().click().net("GET", "/api/tasks", 200, responseBody=json.dumps(body))
    return builder.dom_added("list", "Tasks", " ".join(titles))


def without(*titles: str) -> list[str]:
    return [title for title in TITLES if title not in titles]


@pytest.mark.parametrize("body", [ROWS, {"total": 5, "tasks": ROWS}])
def test_a_row_that_is_left_out_of_the_midst_casts_doubt(body: object) -> None:
    """
    The verdict is unknown and names the row, whatever else was claimed of the list.
    """
    builder = listed(body, without("Order chairs"))
    (finding,) = found(builder)
    assert finding.tier is FindingTier.ABSENCE
    assert "one with title 'Order chairs'" in finding.claim
    window = builder.quiet(2_000).build()
    decision = decide(parse({"kind": "net", "urlContains": "/api/tasks", "status": 200}), window)
    assert decision.reason is VerifiedReason.EVIDENCE_INCOMPLETE


def test_a_list_that_has_every_row_is_whole() -> None:
    """
    In any order, in any case, and with other words between.
    """
    assert found(listed(ROWS, [f"{title.upper()} open" for title in reversed(TITLES)])) == []


@pytest.mark.parametrize(
    "titles",
    [
        without("Write the report"),
        without("Call the printer"),
        without("Order chairs", "Answer Pat"),
        ["Call the printer"],
        [],
    ],
)
def test_what_begins_late_ends_early_or_shows_few_is_a_page_of_it(titles: list[str]) -> None:
    """
    Pages, virtual lists and picks lack rows by design.
    """
    assert found(listed(ROWS, titles)) == []


@pytest.mark.parametrize(
    ("name", "value", "other"),
    [("done", True, False), ("status", "closed", "open"), ("minutes", 500, 20), ("deletedAt", "2026", None)],
)
def test_a_filter_that_a_field_explains_is_no_loss(name: str, value: object, other: object) -> None:
    """
    The app may show the open ones alone, or the short ones.
    """
    rows = [{**row, name: value if row["title"] == "Order chairs" else other} for row in ROWS]
    assert found(listed(rows, without("Order chairs"))) == []


def test_a_list_that_is_too_short_or_names_rows_alike_tells_nothing() -> None:
    """
    Near misses: three rows, and titles of which one is part of another.
    """
    assert found(listed(ROWS[:3], [TITLES[0], TITLES[2]])) == []
    alike = [{**row, "title": "Chair " * number} for number, row in enumerate(ROWS, 1)]
    assert found(listed(alike, ["Chair"])) == []


def test_a_row_that_came_up_elsewhere_was_moved() -> None:
    """
    A board puts its rows into columns.
    """
    assert found(listed(ROWS, without("Order chairs")).dom_added("list", "Doing", "Order chairs")) == []


def test_a_newer_answer_or_a_write_makes_the_rows_old() -> None:
    """
    What was deleted meanwhile, or is asked for again, is no missing row.
    """
    lacking = without("Order chairs")
    assert found(listed(ROWS, lacking).net("DELETE", "/api/tasks/5", 204)) == []
    again = [row for row in ROWS if row["title"] in lacking]
    assert found(listed(ROWS, lacking).net("GET", "/api/tasks?a=1", responseBody=json.dumps(again))) == []


def test_a_name_longer_than_all_that_are_shown_may_have_been_cut() -> None:
    """
    A title that does not fit is shown in part.
    """
    long = [*ROWS[:2], {**ROWS[2], "title": "Order chairs for the whole of the second floor"}, *ROWS[3:]]
    assert found(listed(long, without("Order chairs"))) == []
