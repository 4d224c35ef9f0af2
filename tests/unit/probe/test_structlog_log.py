"""
Records that structlog writes by itself, over a module that looks like it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


class PrintLogger:
    """
    It writes what it is given.
    """

    def __init__(self) -> None:
        self.got: list[Any] = []

    def msg(self, message: Any) -> None:
        """
        Write it.
        """
        self.got.append(message)

    info = warning = msg
    error = critical = msg


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptFacts]:
    """
    The collector is in.
    """
    module: Any = ModuleType("structlog._output")
    module.PrintLogger = PrintLogger
    monkeypatch.setitem(sys.modules, "structlog._output", module)
    with collecting("structlog_log") as sink:
        yield sink


def test_what_is_written_from_warning_on_is_told(kept: KeptFacts) -> None:
    """
    Without the colours of a terminal, with the app's line, in text or bytes.
    """
    logger = PrintLogger()
    logger.info("fine")
    logger.warning("\x1b[33mlow stock\x1b[0m")
    logger.critical(b"out of stock")
    assert [(each["level"], each["message"]) for each in kept.of("log")] == [
        ("WARNING", "low stock"),
        ("CRITICAL", "out of stock"),
    ]
    assert {str(each["file"]).rpartition("/")[2] for each in kept.of("log")} == {"test_structlog_log.py"}
    assert logger.got == ["fine", "\x1b[33mlow stock\x1b[0m", b"out of stock"]


def test_an_exception_that_is_written_was_caught(kept: KeptFacts) -> None:
    """
    Its text stands in the record and stays there, for local variables do too.
    """
    try:
        raise KeyError("price")  # noqa: TRY301 - the fault itself
    except KeyError:
        PrintLogger().error("oh\n│ Traceback (most recent call last) │\n│ locals: pin = 4711 │")
        PrintLogger().error('{"event": "oh", "exception": [{"frames": [{"locals": {"pin": "4711"}}]}]}')
        PrintLogger().error("by the way")
    first, second, third = kept.of("log")
    assert (first["message"], first["exception"]["type"]) == ("oh", "KeyError")
    assert (second["message"], second["exception"]["type"]) == ("oh", "KeyError")
    assert "exception" not in third
    assert "4711" not in str(kept.facts)
