"""
Records of loguru, over a module that looks like it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


class Handler:
    """
    One sink of the app's.
    """

    def __init__(self, level: int) -> None:
        self._levelno = level
        self.got: list[str] = []

    def emit(self, record: dict[str, Any], level_id: str) -> None:
        """
        Write it, from its level on.
        """
        del level_id
        if record["level"].no >= self._levelno:
            self.got.append(record["message"])


def record(name: str, number: int, message: str, error: BaseException | None = None) -> dict[str, Any]:
    """
    As loguru gives it to a sink.
    """
    return {
        "level": SimpleNamespace(name=name, no=number),
        "message": message,
        "exception": None if error is None else SimpleNamespace(value=error),
        "file": SimpleNamespace(path="/srv/shop/views.py"),
        "line": 7,
        "name": "shop.views",
        "time": datetime(2026, 12, 1, tzinfo=UTC),
    }


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptFacts]:
    """
    The collector is in.
    """
    module: Any = ModuleType("loguru._handler")
    module.Handler = Handler
    monkeypatch.setitem(sys.modules, "loguru._handler", module)
    with collecting("loguru_log") as sink:
        yield sink


def test_a_record_is_told_once_for_all_sinks(kept: KeptFacts) -> None:
    """
    With its line; what no sink of the app's takes is no record.
    """
    sinks = [Handler(10), Handler(30), Handler(50)]
    for told in (
        record("WARNING", 30, "low stock"),
        record("INFO", 20, "fine"),
        record("WARNING", 30, "low"),
    ):
        for sink in sinks:
            sink.emit(told, "1")
    sinks[2].emit(record("ERROR", 40, "not taken"), "1")
    assert [(each["level"], each["message"], each["line"]) for each in kept.of("log")] == [
        ("WARNING", "low stock", 7),
        ("WARNING", "low", 7),
    ]
    assert sinks[0].got == ["low stock", "fine", "low"]


def test_an_exception_that_loguru_logs_was_caught(kept: KeptFacts) -> None:
    """
    Behind a healthy screen the agent sees it.
    """
    Handler(30).emit(record("ERROR", 40, "oh", KeyError("price")), "1")
    [fields] = kept.of("log")
    assert (fields["exception"]["type"], fields["exception"]["handled"]) == ("KeyError", "logged")
