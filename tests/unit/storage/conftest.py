"""
A state directory and an open store, without a reactor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reticle.storage.audit_chain import begin_chain
from reticle.storage.database import Database
from reticle.storage.driver import Driver
from reticle.storage.place import Place
from reticle.storage.postgres.connection import PostgresPlace
from reticle.storage.store import DATABASE_FILE
from reticle.testing.postgresql import PostgresServer
from reticle.testing.threads import ThreadCalls


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    """
    An empty directory that only we may read.
    """
    path = tmp_path / "state"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture
def calls() -> ThreadCalls:
    """
    The reactor's side of threads.
    """
    return ThreadCalls()


@pytest.fixture
def open_databases(calls: ThreadCalls) -> Iterator[Callable[[Path | Place], Database]]:
    """
    Makes started databases and stops them afterwards.
    """
    made: list[Database] = []

    def make(place: Path | Place) -> Database:
        database = Database(place, calls.callFromThread)
        database.startService()
        made.append(database)
        return database

    yield make
    for database in made:
        calls.result_of(database.stopService())


@pytest.fixture
def postgres(postgres_server: PostgresServer) -> Iterator[PostgresPlace]:
    """
    An empty database of a real PostgreSQL.
    """
    name = postgres_server.fresh_database()
    yield PostgresPlace(postgres_server.address(name), "test")
    postgres_server.drop(name)


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: PostgresServer) -> Iterator[PostgresPlace]:
    """
    A database that already has its tables, for tests that need them as they are: to make them takes 0.2 s.
    """
    name = postgres_server.fresh_database()
    place = PostgresPlace(postgres_server.address(name), "test")
    place.open(full_sync=False).close()
    yield place
    postgres_server.drop(name)


def emptied(place: PostgresPlace) -> PostgresPlace:
    """
    A database without the rows of the test before.
    """
    opened = place.open(full_sync=False)

    def empty(driver: Driver) -> None:
        made = (
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
        )
        names = [name for (name,) in driver.execute(made).fetchall()]
        driver.execute(f"TRUNCATE {', '.join(names)} RESTART IDENTITY")
        begin_chain(driver)

    opened.transact_on_driver(empty)
    opened.close()
    return place


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, state_dir: Path) -> Path | Place:
    """
    Where an empty database may be: each kind that there is.
    """
    if request.param == "sqlite":
        return state_dir / DATABASE_FILE
    return emptied(request.getfixturevalue("migrated_postgres"))


@pytest.fixture
def database(place: Path | Place, open_databases: Callable[[Path | Place], Database]) -> Database:
    """
    A started, empty database of each kind.
    """
    return open_databases(place)


@pytest.fixture
def file_database(state_dir: Path, open_databases: Callable[[Path | Place], Database]) -> Database:
    """
    A started, empty database in a file.
    """
    return open_databases(state_dir / DATABASE_FILE)
