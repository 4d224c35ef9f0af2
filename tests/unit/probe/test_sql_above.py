"""
Which connections a library above the driver opens.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from reticle.probe.sql_above import is_called_from_above


@pytest.fixture(autouse=True)
def _libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The app has imported both; without either nobody stands above a driver.
    """
    for name in ("sqlalchemy", "django"):
        monkeypatch.setitem(sys.modules, name, sys.modules.get(name, ModuleType(name)))


def driver() -> bool:
    """
    Stands for what the probe puts into a driver, whose caller is asked for.
    """
    return is_called_from_above()


def called_by(module: str, function: str, call: Callable[[], Any]) -> Callable[[], Any]:
    """
    A function of such a module and name that makes the call.
    """
    space: dict[str, Any] = {"__name__": module, "call": call}
    exec(f"def {function}():\n    return call()", space)
    found: Callable[[], Any] = space[function]
    return found


@pytest.mark.parametrize(
    ("module", "function", "is_above"),
    [
        ("sqlalchemy.engine.default", "connect", True),
        ("django.db.backends.sqlite3.base", "get_new_connection", True),
        ("django.db.models.query", "fetch", False),
        ("shop.views", "connect", False),
        ("djangoish.db.connecting", "connect", False),
    ],
)
def test_a_library_that_connects_is_above(module: str, function: str, is_above: bool) -> None:  # noqa: FBT001 - a row of the table
    """
    It tells its statements itself, and nobody else's connection is taken for one of its own.
    """
    assert called_by(module, function, driver)() is is_above


def test_what_a_view_connects_to_is_the_apps() -> None:
    """
    However deep below a library's connecting the view was called.
    """
    call: Callable[[], Any] = driver
    for _ in range(6):
        call = called_by("shop.views", "open", call)
    assert called_by("sqlalchemy.pool", "connect", call)() is False
