"""
A state directory and an open store, without a reactor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reticle.storage.database import Database
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


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, state_dir: Path) -> Path | Place:
    """
    Where an empty database may be: each kind that there is.
    """
    if request.param == "sqlite":
        return state_dir / DATABASE_FILE
    found: PostgresPlace = request.getfixturevalue("postgres")
    return found


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
