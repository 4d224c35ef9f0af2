"""
Any order of calls, clock jumps, crashes and restarts, over SQLite.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from reticle.ports.work import WorkBook
from reticle.testing.work import MemoryWork
from tests.unit.domain.work.machine import WorkMachine

T = TypeVar("T")


class OnSqlite:
    """
    A file that every life of the daemon opens anew.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._work = self._open()

    def run(self, rule: Callable[[WorkBook], T]) -> T:
        """
        See ``Subject``.
        """
        return self._work.run(rule)

    def restart(self) -> None:
        """
        See ``Subject``.
        """
        self._work.close()
        self._work = self._open()

    def close(self) -> None:
        """
        See ``Subject``.
        """
        self._work.close()
        self._folder.cleanup()

    def _open(self) -> MemoryWork:
        return MemoryWork(path=str(Path(self._folder.name) / "work.sqlite3"))


class WorkOnSqlite(WorkMachine):
    """
    The machine over SQLite.
    """

    open_subject = OnSqlite


def test_no_order_of_calls_loses_or_doubles_a_packet() -> None:
    """
    Whatever agents, operators and the clock do, each packet has one holder at most, ends through its gate,
    and is neither lost nor done twice.
    """
    run_state_machine_as_test(WorkOnSqlite, settings=SETTINGS)


SETTINGS = settings(
    max_examples=settings().max_examples // 5,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
