"""
The app's state as the packages tell it, and what they cut off it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.model.codes import CommandName
from reticle.testing.published import PublishedPage, ask, read

ROWS = list(range(200))


@pytest.mark.parametrize(
    ("stores", "path", "told"),
    [
        ({"rows": ROWS}, "rows.450", None),
        ({"rows": ROWS}, "rows", None),
        ({"rows": {"deep": "[TRUNCATED]"}}, "rows.deep.er", None),
        ({"rows": {"": 1, "a": 2}}, "rows.b", None),
        ({"rows": {str(key): 1 for key in range(200)}}, "rows.z", None),
        ({"rows": ROWS[:9]}, "rows.9", False),
        ({"rows": {"a": {"b": 1}}}, "rows.a.c.d", False),
        ({"rows": ROWS}, "rows.7", True),
        ({"rows": {"secret": "[REDACTED]"}}, "rows", True),
    ],
)
def test_state_behind_a_cut_is_not_called_missing(
    published: PublishedPage, stores: dict[str, Any], path: str, told: object
) -> None:
    """
    A store is cut before the path is walked: row 450 is there though "not found"; a list of 200 may go on.
    """

    def answer(args: Mapping[str, Any]) -> object:
        if "path" not in args:
            return {"stores": {"app": stores}, "storeNames": ["app"]}
        value: Any = stores
        for step in args["path"].split("."):
            try:
                value = value[int(step)] if isinstance(value, list) else value[step]
            except (KeyError, IndexError, TypeError):
                return {"found": False, "value": None, "storeNames": ["app"]}
        return {"found": True, "value": value, "storeNames": ["app"]}

    published.on("state_read", answer)
    reading = read(published, "state", store="app", path=path)
    assert (reading.answer and reading.answer["found"]) is told
    assert (reading.error is not None) is (told is None)


def test_a_cut_store_is_shown_as_cut(published: PublishedPage) -> None:
    """
    An agent that only looks gets what came, and that it is not all.
    """
    published.on("state_read", {"stores": {"app": {"rows": ROWS}}, "storeNames": ["app"]})
    assert ask(published, CommandName.STATE_READ)["truncated"] is True
    published.on("state_read", {"stores": {"app": {"rows": ROWS[:5]}}, "storeNames": ["app"]})
    assert "truncated" not in ask(published, CommandName.STATE_READ)
