"""
A PostgreSQL of any released schema becomes one of today, with everything that was in it.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from reticle.storage.audit_check import begin_check
from reticle.storage.postgres.connection import PostgresPlace
from reticle.storage.schema import HEAD
from reticle.storage.work_tables import METADATA
from reticle.testing.postgresql import PostgresServer

RELEASED = Path(__file__).parents[1] / "released" / "postgresql"
REVISIONS = sorted(path.stem for path in RELEASED.glob("*.sql"))
each_revision = pytest.mark.parametrize("revision", REVISIONS)


@pytest.fixture
def old(postgres: PostgresPlace, postgres_server: PostgresServer, revision: str) -> PostgresPlace:
    """
    A database of that version.
    """
    dump = (RELEASED / f"{revision}.sql").read_text("utf-8")
    postgres_server.execute(dump, postgres_server.name_of(postgres.address))
    return postgres


def schema_of(place: PostgresPlace) -> list[tuple[Any, ...]]:
    """
    Columns and indexes as the server knows them.
    """
    opened = place.open(full_sync=False)
    columns = opened.driver.execute(
        "SELECT table_name, column_name, data_type, is_nullable, column_default"
        " FROM information_schema.columns"
        " WHERE table_schema = 'public' ORDER BY table_name, column_name"
    ).fetchall()
    indexes = opened.driver.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname"
    ).fetchall()
    opened.close()
    return [*columns, *indexes]


@each_revision
def test_an_upgraded_database_is_as_a_new_one(
    old: PostgresPlace, postgres_server: PostgresServer, revision: str
) -> None:
    """
    However old a database is, the same statements work on it as on one that was made today.
    """
    del revision
    name = postgres_server.fresh_database()
    assert schema_of(old) == schema_of(PostgresPlace(postgres_server.address(name), "new"))
    postgres_server.drop(name)


@each_revision
def test_what_was_kept_is_still_there(old: PostgresPlace, revision: str) -> None:
    """
    After an upgrade tokens count, and the audit log is the same whole chain.
    """
    del revision
    opened = old.open(full_sync=False)
    walk = begin_check(opened.driver)
    while not walk.done and walk.fault is None:
        walk.step(opened.driver, 100)
    assert (walk.result().fault, walk.result().rows) == (None, 3)
    assert opened.driver.execute("SELECT token_id FROM token").fetchall() == [("t1",)]
    assert opened.driver.execute("SELECT daemon, page_id FROM page_hold").fetchall() == [("d1", "shop-1")]
    opened.close()


@each_revision
def test_daemons_that_start_at_once_migrate_once(old: PostgresPlace, revision: str) -> None:
    """
    One migrates, the others wait for it.
    """
    del revision
    outcomes: list[object] = []
    ready = threading.Barrier(3)

    def run() -> None:
        ready.wait()
        try:
            opened = old.open(full_sync=False)
            outcomes.append(opened.driver.execute("SELECT version_num FROM alembic_version").fetchall())
            opened.close()
        except BaseException as fault:  # noqa: BLE001 - compared below
            outcomes.append(fault)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [[(HEAD,)]] * 3


@each_revision
def test_a_migration_that_fails_leaves_the_database_of_before(
    old: PostgresPlace, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    """
    A server that ends half-way through an upgrade costs nothing: the next start tries again.
    """
    if revision == HEAD:
        pytest.skip("nothing is left to migrate")
    from alembic import command

    upgrade = command.upgrade

    def fail(*arguments: Any) -> None:
        upgrade(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr("alembic.command.upgrade", fail)
    with pytest.raises(KeyboardInterrupt):
        old.open(full_sync=False)
    monkeypatch.undo()
    stored = "SELECT version_num FROM public.alembic_version"
    assert postgres_server.execute(stored, postgres_server.name_of(old.address)) == [(revision,)]
    assert schema_of(old)


def test_the_database_is_the_declared_schema(postgres: PostgresPlace) -> None:
    """
    No column exists in the code and not in the database, or the other way round.
    """
    opened = postgres.open(full_sync=False)
    differences = compare_metadata(MigrationContext.configure(opened.core()), METADATA)
    opened.close()
    assert differences == []
