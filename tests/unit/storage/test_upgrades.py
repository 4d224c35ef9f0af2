"""
A database of any released schema becomes one of today, with everything that was in it.

``released/`` holds a database of each, as SQL, with rows as its version wrote them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from twisted.internet.defer import Deferred

import reticle.storage.migrations as environment
from reticle.model.ids import TokenId, VerdictId
from reticle.storage import schema
from reticle.storage.audit import StoredAudit
from reticle.storage.connection import open_database
from reticle.storage.database import Database
from reticle.storage.history import DaemonStart, History
from reticle.storage.repositories import StoredRepositories
from reticle.storage.schema import HEAD, stored_revision
from reticle.storage.tokens import StoredTokens
from reticle.storage.verdicts import StoredVerdicts
from reticle.testing.drafts import a_draft
from reticle.testing.threads import ThreadCalls

RELEASED = Path(__file__).parent / "released"
REVISIONS = sorted(path.stem for path in RELEASED.glob("*.sql"))

Databases = Callable[[Path], Database]
each_revision = pytest.mark.parametrize("revision", REVISIONS)


def lay_down(folder: Path, revision: str) -> Path:
    """
    A database of that version.
    """
    path = folder / "x.sqlite3"
    driver = sqlite3.connect(path)
    driver.executescript((RELEASED / f"{revision}.sql").read_text("utf-8"))
    driver.close()
    path.chmod(0o600)
    return path


def rows_of(path: Path, table: str) -> list[tuple[Any, ...]]:
    """
    What a table of a closed database holds.
    """
    driver = sqlite3.connect(path)
    try:
        return driver.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
    finally:
        driver.close()


@pytest.fixture
def upgraded(state_dir: Path, open_databases: Databases, calls: ThreadCalls, revision: str) -> Database:
    """
    An open database that was of that version.
    """
    database = open_databases(lay_down(state_dir, revision))
    calls.result_of(database.open())
    return database


def test_every_schema_but_the_newest_is_here() -> None:
    """
    Who adds a migration adds the database that it begins with.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(environment.__file__).parent))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    assert known - {HEAD} <= set(REVISIONS) <= known


@each_revision
def test_what_was_kept_is_still_there(upgraded: Database, calls: ThreadCalls, revision: str) -> None:
    """
    After an upgrade an agent finds its verdict, and the daemon knows its earlier life and its pages.
    """
    del revision
    verdicts = StoredVerdicts(upgraded, StoredAudit(upgraded, now=lambda: 7.0))
    verdict = calls.result_of(verdicts.get(VerdictId("verdict_1")))
    assert verdict is not None
    assert verdict.decision.because == "it held"
    before = calls.result_of(History(upgraded).begin_life(DaemonStart(1764470000.0, "9", 1)))
    assert before is not None
    assert before.pages == {"shop": 3, None: 1}


def shown(database: Database, calls: ThreadCalls) -> list[Any]:
    """
    The audit rows as they are listed.
    """
    return [*calls.result_of(StoredAudit(database, now=lambda: 1764470000.0).read(0, 99))]


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_audit_rows_of_before_are_the_first_of_the_chain(
    upgraded: Database, calls: ThreadCalls, revision: str
) -> None:
    """
    What was called before the upgrade is listed after it, word for word, in its order, and counts as a whole
    chain that goes on.
    """
    del revision
    audit = StoredAudit(upgraded, now=lambda: 1764470000.0)
    rows = shown(upgraded, calls)
    assert [(row["seq"], row["audit_id"], row["at_us"], row["duration_us"]) for row in rows] == [
        (1, "audit_a", 1764460800123456, 1_250),
        (2, "audit_b", 1764460801500000, 812_500),
        (3, "audit_c", 1764460802000000, 31),
        (4, "audit_d", 1764460803000000, 7_000),
        (5, "audit_e", 1764460804000000, 30_000_000),
    ]
    assert [(row["decision"], row["reason"], row["verdict_id"]) for row in rows] == [
        ("allowed", "", None),
        ("allowed", "", "verdict_1"),
        ("refused", "bad_arguments", None),
        ("failed", "incident_0123456789ab", None),
        ("cancelled", "", None),
    ]
    assert [row["carrier"] for row in rows] == ["sse", "http", "stdio", "sse", "http"]
    assert {(row["transport"], row["repository_id"]) for row in rows} == {("mcp", None)}
    calls.result_of(audit.record(a_draft()))
    check = calls.result_of(Deferred.fromCoroutine(audit.check()))
    assert (check.rows, check.seq, check.fault) == (6, 6, None)


def test_a_chain_is_carried_over_as_it_is(tmp_path: Path) -> None:
    """
    A head that an operator noted before an upgrade is still met after it.
    """
    path = lay_down(tmp_path, "0003")
    before = rows_of(path, "audit")
    open_database(path).close()
    assert rows_of(path, "audit") == before
    assert rows_of(path, "audit_head")[0][1:] == (3, before[-1][-1])


@pytest.mark.parametrize("revision", [revision for revision in REVISIONS if revision >= "0003"])
def test_tokens_and_repositories_still_count(upgraded: Database, calls: ThreadCalls, revision: str) -> None:
    """
    Nobody needs a new token because of an upgrade, and none that was revoked comes back.
    """
    del revision
    audit = StoredAudit(upgraded, now=lambda: 1764470000.0)
    tokens = StoredTokens(upgraded, audit)
    repositories = StoredRepositories(upgraded, audit, tokens)
    calls.result_of(Deferred.fromCoroutine(tokens.open()))
    calls.result_of(Deferred.fromCoroutine(repositories.open()))
    sealed = tokens.find(TokenId("t1"))
    assert sealed is not None
    assert (sealed.salt, sealed.digest, sealed.token.last_used_at) == ("c2FsdA", "ZGlnZXN0", 1764460800.0)
    assert [(grant.capability, grant.revoked_at) for grant in sealed.token.grants] == [
        ("write", None),
        ("read", 1764460750.0),
    ]
    assert [(each.root, each.origins) for each in repositories.all()] == [
        ("/src/shop", ("http://localhost:3000",))
    ]


def schema_of(path: Path) -> dict[str, str]:
    """
    Tables and indexes with the words that made them, white space aside.
    """
    driver = sqlite3.connect(path)
    found = driver.execute("SELECT name, sql FROM sqlite_master").fetchall()
    driver.close()
    return {name: "".join((sql or "").split()) for name, sql in found}


@each_revision
def test_an_upgraded_database_is_as_a_new_one(tmp_path: Path, revision: str) -> None:
    """
    However old a database is, the same statements work on it as on one that was made today.
    """
    old, new = lay_down(tmp_path, revision), tmp_path / "new.sqlite3"
    for path in (old, new):
        open_database(path).close()
    assert schema_of(old) == schema_of(new)
    assert rows_of(old, "alembic_version") == rows_of(new, "alembic_version") == [(HEAD,)]
    assert len(rows_of(new, "audit_head")) == 1


def test_a_new_database_is_as_one_that_every_migration_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The short way to a first database leaves nothing out.
    """
    short, long = tmp_path / "short.sqlite3", tmp_path / "long.sqlite3"
    open_database(short).close()
    monkeypatch.setattr(schema, "is_empty", lambda _driver: False)
    open_database(long).close()
    assert schema_of(short) == schema_of(long)
    assert rows_of(short, "audit_head") == rows_of(long, "audit_head")


@each_revision
def test_the_database_of_before_is_kept(tmp_path: Path, revision: str) -> None:
    """
    Who wants to go back finds the whole database of before beside it, closed to others.
    """
    path = lay_down(tmp_path, revision)
    before = rows_of(path, "audit")
    open_database(path).close()
    kept = tmp_path / f"x.sqlite3.backup-{revision}"
    assert rows_of(kept, "audit") == before
    assert kept.stat().st_mode & 0o777 == 0o600
    driver = sqlite3.connect(kept)
    assert stored_revision(driver) == revision
    driver.close()


@each_revision
def test_a_migration_that_fails_leaves_the_database_of_before(
    tmp_path: Path, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A disk that fills up half-way through an upgrade costs nothing: the next start tries again.
    """
    path = lay_down(tmp_path, revision)
    before = {table: rows_of(path, table) for table in ("alembic_version", "audit", "verdict", "page_seen")}
    names = schema_of(path)

    def fail(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("alembic.command.upgrade", upgrade_then(fail))
    with pytest.raises(sqlite3.OperationalError):
        open_database(path)
    assert {table: rows_of(path, table) for table in before} == before
    assert schema_of(path) == names
    monkeypatch.undo()
    open_database(path).close()
    assert rows_of(path, "alembic_version") == [(HEAD,)]


def upgrade_then(fail: Callable[..., None]) -> Callable[[Config, str], None]:
    """
    All steps, and then the failure, before anything is committed.
    """
    from alembic import command

    upgrade = command.upgrade

    def run(config: Config, revision: str) -> None:
        upgrade(config, revision)
        fail()

    return run


def test_results_of_before_are_in_the_order_of_their_times(tmp_path: Path) -> None:
    """
    What was published and asked before there were numbers keeps its order, and its content.
    """
    path = lay_down(tmp_path, "0008")
    open_database(path).close()
    artifacts = [(row[0], row[1], row[13]) for row in rows_of(path, "work_artifact")]
    assert artifacts == [(1, "art_b", b"one"), (2, "art_a", None)]
    assert [row[:2] for row in rows_of(path, "work_blocker")] == [(1, "blk_b"), (2, "blk_a")]
