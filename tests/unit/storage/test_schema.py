"""
The migrations make the schema that the statements speak.
"""

from __future__ import annotations

import ast
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import reticle.storage.migrations as environment
from reticle.errors import ConfigurationFault
from reticle.storage.database import Database
from reticle.storage.schema import HEAD, back_up, stored_revision
from reticle.storage.work_tables import METADATA
from reticle.testing.threads import ThreadCalls

Databases = Callable[[Path], Database]


def scripts() -> ScriptDirectory:
    """
    The packaged migrations.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(environment.__file__).parent))
    return ScriptDirectory.from_config(config)


def test_the_head_is_the_newest_migration() -> None:
    """
    A new migration runs: the revision that decides about it is the packaged one.
    """
    assert scripts().get_heads() == [HEAD]


def test_the_migrated_database_is_the_declared_schema(database: Database, calls: ThreadCalls) -> None:
    """
    No column exists in the code and not in the database, or the other way round.
    """
    differences: list[Any] = calls.result_of(
        database.run(lambda connection: compare_metadata(MigrationContext.configure(connection), METADATA))
    )
    assert differences == []


def test_a_database_of_a_newer_version_is_refused_untouched(
    state_dir: Path, open_databases: Databases, calls: ThreadCalls
) -> None:
    """
    After a downgrade the daemon does not write into what it does not understand.
    """
    path = state_dir / "x.sqlite3"
    with sqlite3.connect(path) as newer:
        newer.execute("CREATE TABLE alembic_version (version_num TEXT)")
        newer.execute("INSERT INTO alembic_version VALUES ('9999')")
    newer.close()
    path.chmod(0o600)
    with pytest.raises(ConfigurationFault) as caught:
        calls.result_of(open_databases(path).open())
    assert caught.value.message == (
        f"the database {path} is of a newer reticle (revision 9999; this one knows {HEAD})"
    )
    with sqlite3.connect(path) as after:
        assert stored_revision(after) == "9999"
    after.close()


def test_a_copy_is_kept_before_rows_are_migrated(tmp_path: Path) -> None:
    """
    Whatever a migration does, the rows of before are beside the database, closed to others.
    """
    driver = sqlite3.connect(tmp_path / "x.sqlite3")
    driver.execute("CREATE TABLE t (n INTEGER)")
    driver.execute("INSERT INTO t VALUES (42)")
    driver.commit()
    kept = back_up(driver, tmp_path / "x.sqlite3", "0001")
    assert back_up(driver, tmp_path / "x.sqlite3", "0001") == kept
    driver.close()
    assert kept == tmp_path / "x.sqlite3.backup-0001"
    assert oct(kept.stat().st_mode & 0o777) == "0o600"
    copy = sqlite3.connect(kept)
    assert copy.execute("SELECT n FROM t").fetchall() == [(42,)]
    copy.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.sqlite3", "x.sqlite3.backup-0001"]


def test_a_developer_gets_a_new_migration_from_the_template(tmp_path: Path) -> None:
    """
    Alembic's own command makes a module in our manner from a changed schema, without the daemon.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(environment.__file__).parent))
    own = Path(environment.__file__).parent / "versions"
    config.set_main_option("version_locations", f"{own};{tmp_path}")
    config.set_main_option("path_separator", ";")
    config.set_main_option("sqlalchemy.url", f"sqlite:///{tmp_path / 'x.sqlite3'}")
    command.upgrade(config, "head")
    command.check(config)
    command.revision(config, "Say more", rev_id="9999", version_path=str(tmp_path))
    (made,) = tmp_path.glob("*.py")
    tree = ast.parse(made.read_text("utf-8"))
    assert ast.get_docstring(tree) == "Say more."
    assert f"down_revision = {HEAD!r}" in made.read_text("utf-8")
