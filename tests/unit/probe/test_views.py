"""
Where a view is written, through whatever stands around it.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import flask
import pytest

from reticle.probe.views import name_of, place_of, place_of_app


def view() -> None:
    """
    A function.
    """


class View:
    """
    A class of views, by method and by call.
    """

    def post(self) -> None:
        """
        POST.
        """

    def dispatch(self) -> None:
        """
        Everything else.
        """

    def __call__(self) -> None:
        """
        As an object.
        """


def decorated(function: Any) -> Any:
    """
    A decorator that keeps its manners.
    """

    @functools.wraps(function)
    def around() -> None:
        function()

    return around


def as_view() -> Any:
    """
    What Django and Flask make of a class.
    """

    def made() -> None:
        pass

    made.view_class = View  # type: ignore[attr-defined]  # as they do
    return made


@pytest.mark.parametrize(
    ("found", "method", "function"),
    [
        (view, "GET", view),
        (decorated(decorated(view)), "GET", view),
        (functools.partial(view), "GET", view),
        (as_view(), "POST", View.post),
        (as_view(), "GET", View.dispatch),
        (View().post, "GET", View.post),
        (View(), "GET", View.dispatch),
        (View, "POST", View.post),
    ],
)
def test_the_place_is_that_of_the_code_that_answers(found: Any, method: str, function: Any) -> None:
    """
    A person opens the file at the line where his view begins.
    """
    assert place_of(found, method) == f"{__file__}:{function.__code__.co_firstlineno}"


def test_decorators_are_not_the_place() -> None:
    """
    A person looks for the line of ``def``, below whatever decorators stand over it.
    """

    @decorated
    @functools.lru_cache(
        maxsize=3,
    )
    async def deep() -> None:
        """
        Answers.
        """

    found = place_of(deep)
    assert found is not None
    line = int(found.rpartition(":")[2])
    assert Path(__file__).read_text("utf-8").splitlines()[line - 1].strip() == "async def deep() -> None:"
    made: Any = lambda: None  # noqa: E731 - a view may be one
    assert place_of(made) == f"{__file__}:{made.__code__.co_firstlineno}"


def test_an_application_that_nobody_routes() -> None:
    """
    Of a plain application the file is known; of a framework's nothing is said.
    """
    assert place_of_app(view) == f"{__file__}:{view.__code__.co_firstlineno}"
    assert place_of_app(View()) == f"{__file__}:{View.dispatch.__code__.co_firstlineno}"
    assert place_of_app(flask.Flask("x").wsgi_app) is None
    assert place_of_app(flask.Flask("x")) is None


def test_what_has_no_source_has_no_place() -> None:
    """
    A built-in is named and not placed.
    """
    assert place_of(len) is None
    assert place_of(None) is None
    assert name_of(len) == "builtins.len"


def test_a_view_is_named() -> None:
    """
    By module and class, as people speak of it.
    """
    assert str(name_of(as_view())).endswith(".View")
    assert str(name_of(decorated(view))).endswith(".view")
