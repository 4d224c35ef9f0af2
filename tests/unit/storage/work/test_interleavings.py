"""
Any order of calls, clock jumps, crashes and restarts, over PostgreSQL and three daemons.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from reticle.ports.work import WorkBook
from reticle.storage.place import ConnectionLost
from reticle.storage.postgres.connection import OpenPostgres, PostgresPlace
from reticle.storage.work.book import Book
from tests.unit.domain.work.machine import WorkMachine

T = TypeVar("T")

DAEMONS = 3
LOSS_EVERY = 17
"""So that a loss meets each kind of call, whatever their order."""


class OnPostgres:
    """
    Daemons that take turns; now and then the server ends a connection in the middle of a change.
    """

    def __init__(self, place: PostgresPlace) -> None:
        self._place = place
        self._daemons: list[OpenPostgres] = [place.open(full_sync=False) for _ in range(DAEMONS)]
        self._turns = itertools.count()
        self._forget_everything()

    def run(self, rule: Callable[[WorkBook], T]) -> T:
        """
        See ``Subject``.
        """
        turn = next(self._turns)
        at = turn % DAEMONS
        if turn % LOSS_EVERY == 0:
            # The socket is gone, and the daemon does not know yet.
            self._end_from_elsewhere(self._daemons[at], self._daemons[at - 1])
        try:
            return self._daemons[at].transact_on_driver(lambda driver: rule(Book(driver)))
        except ConnectionLost:
            self._daemons[at].close()
            self._daemons[at] = self._place.open(full_sync=False)
            return self._daemons[at].transact_on_driver(lambda driver: rule(Book(driver)))

    def restart(self) -> None:
        """
        See ``Subject``.
        """
        for daemon in self._daemons:
            # Without a farewell, as a kill does it.
            daemon.driver.connection.pgconn.finish()
        self._daemons = [self._place.open(full_sync=False) for _ in range(DAEMONS)]

    def close(self) -> None:
        """
        See ``Subject``.
        """
        for daemon in self._daemons:
            daemon.close()

    def _end_from_elsewhere(self, daemon: OpenPostgres, other: OpenPostgres) -> None:
        pid = daemon.driver.connection.info.backend_pid
        other.driver.execute("SELECT pg_terminate_backend(?, 5000)", (pid,))

    def _forget_everything(self) -> None:
        driver = self._daemons[0].driver
        tables = driver.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE ?", ("work_%",)
        ).fetchall()
        names = ", ".join(name for (name,) in tables)
        driver.execute(f"TRUNCATE {names}, token, token_grant, repository")


@pytest.fixture
def machine(postgres: PostgresPlace) -> type[WorkMachine]:
    """
    The machine over one database.
    """
    postgres.open(full_sync=False).close()

    class WorkOnPostgres(WorkMachine):
        """
        The machine over PostgreSQL.
        """

        open_subject = staticmethod(lambda: OnPostgres(postgres))

    return WorkOnPostgres


def test_no_order_of_calls_loses_or_doubles_a_packet(machine: type[WorkMachine]) -> None:
    """
    Whatever agents, operators, the clock and the server do, each packet has one holder at most, ends through
    its gate, and is neither lost nor done twice.
    """
    run_state_machine_as_test(machine, settings=SETTINGS)


SETTINGS = settings(
    max_examples=settings().max_examples // 10,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
