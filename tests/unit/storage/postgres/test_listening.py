"""
Daemons that hear of each other over PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs
import pytest

from reticle.storage.database import Database
from reticle.storage.dialect import tell
from reticle.storage.driver import Driver
from reticle.storage.place import Place
from reticle.storage.postgres.connection import PostgresPlace
from reticle.storage.postgres.listening import PostgresListening
from reticle.testing.postgresql import PostgresServer
from reticle.testing.threads import ThreadCalls

Databases = Callable[[Place], Database]


@attrs.define
class Heard:
    """
    What one daemon heard; ``looks`` counts how often it was told to look at everything.
    """

    listening: PostgresListening
    subjects: list[str]
    looks: list[int]


@pytest.fixture
def listen(postgres: PostgresPlace, calls: ThreadCalls) -> Iterator[Callable[[str], Heard]]:
    """
    Starts daemons that listen, by their names.
    """
    made: list[PostgresListening] = []

    def begin(origin: str) -> Heard:
        subjects: list[str] = []
        looks: list[int] = []
        listening = PostgresListening(
            postgres.address,
            origin,
            calls.callFromThread,
            heard=subjects.append,
            look=lambda: looks.append(1),
        )
        listening.startService()
        made.append(listening)
        while not looks:
            calls.run_one()
        return Heard(listening, subjects, looks)

    yield begin
    for listening in made:
        calls.result_of(listening.stopService())


def test_what_one_daemon_tells_the_others_hear(
    postgres: PostgresPlace, listen: Callable[[str], Heard], open_databases: Databases, calls: ThreadCalls
) -> None:
    """
    A word goes out with its transaction and not before; who said it does not hear it, and one that was undone
    nobody hears.
    """
    mine, other = listen("test"), listen("another")
    database = open_databases(postgres)

    def undone(driver: Driver) -> None:
        tell(driver, "never")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        calls.result_of(database.run_on_driver(undone))
    calls.result_of(database.run_on_driver(lambda driver: tell(driver, "work run_1 maker")))
    while not other.subjects:
        calls.run_one()
    calls.result_of(mine.listening.leads("nothing"))
    assert (mine.subjects, other.subjects) == ([], ["work run_1 maker"])


def test_a_daemon_that_was_deaf_looks_at_everything(
    postgres: PostgresPlace,
    postgres_server: PostgresServer,
    listen: Callable[[str], Heard],
    open_databases: Databases,
    calls: ThreadCalls,
) -> None:
    """
    What was said while the connection was lost is not missed: once it is back everything is looked at, and
    words are heard again.
    """
    heard = listen("another")
    name = postgres_server.execute(
        "SELECT datname FROM pg_stat_activity WHERE application_name LIKE 'reticle%'"
    )
    assert postgres_server.end_connections(str(name[0][0]), "listener") == 1
    while len(heard.looks) < 2:
        calls.run_one()
    database = open_databases(postgres)
    calls.result_of(database.run_on_driver(lambda driver: tell(driver, "again")))
    while not heard.subjects:
        calls.run_one()
    assert heard.subjects == ["again"]


def test_one_daemon_leads_until_it_ends(listen: Callable[[str], Heard], calls: ThreadCalls) -> None:
    """
    Of two daemons one sweeps; when it stops, or loses its connection, the other one does.
    """
    first, second = listen("first"), listen("second")
    assert calls.result_of(first.listening.leads("sweep")) is True
    assert calls.result_of(first.listening.leads("sweep")) is True
    assert calls.result_of(second.listening.leads("sweep")) is False
    assert calls.result_of(second.listening.leads("another thing")) is True
    calls.result_of(first.listening.stopService())
    assert calls.result_of(second.listening.leads("sweep")) is True
    assert calls.result_of(first.listening.leads("sweep")) is False
