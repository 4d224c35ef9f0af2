"""
Views that were looked at once.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from reticle.probe import known_views
from reticle.probe.known_views import known_view


def shown() -> None:
    """
    A view.
    """


class Asked:
    """
    A view that is an object, and equals every other.
    """

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __call__(self) -> None:
        """
        Answer.
        """


class Unlike(Asked):
    """
    Another one.
    """


def test_a_function_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Thousands of requests for one view cost one look at its source.
    """
    looks: list[Any] = []
    known_views._of_function.cache_clear()  # other tests have asked
    monkeypatch.setattr(known_views, "place_of", lambda view, method: looks.append((view, method)))
    for _ in range(3):
        assert known_view(shown, "GET") == (None, f"{__name__}.shown")
    known_views._of_function.cache_clear()  # nor is what is not so to stay
    assert looks == [(shown, "GET")]


@pytest.mark.parametrize("view", [Asked(), Unlike(), partial(shown)])
def test_other_objects_are_not_taken_for_each_other(view: Any) -> None:
    """
    Two views that equal each other have each its own name.
    """
    name = "shown" if isinstance(view, partial) else type(view).__qualname__
    assert known_view(view, "GET")[1] == f"{__name__}.{name}"
