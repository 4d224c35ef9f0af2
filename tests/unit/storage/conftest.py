"""
A state directory and an open store, without a reactor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reticle.storage.database import Database
from reticle.storage.store import DATABASE_FILE
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
def open_databases(calls: ThreadCalls) -> Iterator[Callable[[Path], Database]]:
    """
    Makes started databases and stops them afterwards.
    """
    made: list[Database] = []

    def make(path: Path) -> Database:
        database = Database(path, calls.callFromThread)
        database.startService()
        made.append(database)
        return database

    yield make
    for database in made:
        calls.result_of(database.stopService())


@pytest.fixture
def database(state_dir: Path, open_databases: Callable[[Path], Database]) -> Database:
    """
    A started database in an empty directory.
    """
    return open_databases(state_dir / DATABASE_FILE)
