"""
Which line may have chosen the status of an answer.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reticle.probe.answered import lines_answering

ROUTES = """
ROUTES = {
    ("POST", "orders/*/notes"): (200, "note"),
    ("GET", "orders"): (200, "orders"),
}
SIZE = 2000


def answer(kind):
    if kind == "task":
        return 200, {}
    return 404, {}
"""


@pytest.fixture
def routes(tmp_path: Path) -> str:
    """
    An app's file with a table of routes, and a function that answers.
    """
    path = tmp_path / "routes.py"
    path.write_text(ROUTES)
    return str(path)


def test_a_line_of_a_table_of_routes_is_told(routes: str) -> None:
    """
    It has the last word of the address and the status; a number of another kind is none.
    """
    assert lines_answering("/api/orders/7/notes", 200, [(routes, 12)]) == [{"file": routes, "line": 3}]


def test_the_line_that_was_returned_from_is_told(routes: str) -> None:
    """
    Where it has the status in it.
    """
    assert lines_answering("/api/tasks", 200, [(routes, 11)]) == [{"file": routes, "line": 11}]
    assert lines_answering("/api/tasks", 200, [(routes, 12)]) == []


def test_of_what_failed_or_was_answered_otherwise_nothing_is_told(routes: str) -> None:
    """
    Only a success may be meant to be another one.
    """
    assert lines_answering("/api/orders/7/notes", 404, [(routes, 12)]) == []
    assert lines_answering("/api/orders/7/notes", 201, [(routes, 12)]) == []
    assert lines_answering("/", 200, [(routes, 12)]) == []
