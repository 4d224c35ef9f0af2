"""
Brings a database to the schema this program speaks, or refuses it.

Runs in the writer thread. Alembic is imported only to migrate what there is: reading the stored revision is
one SELECT, and an empty database is made by ``fresh.sql`` (half a second and 20 MB less).
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reticle.errors import ConfigurationFault
from reticle.storage.audit_chain import begin_chain

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

HEAD: Final = "0009"
"""The newest revision in ``reticle.storage.migrations``; a test compares it."""

FRESH: Final = Path(__file__).with_name("fresh.sql")
"""Makes an empty database what every migration would have made of it."""

_VERSION_TABLE: Final = "alembic_version"


def stored_revision(driver: sqlite3.Connection) -> str | None:
    """
    The schema's revision as the database has it, or None for an empty database.
    """
    known = driver.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_VERSION_TABLE,)).fetchone()
    if known is None:
        return None
    row = driver.execute(f"SELECT version_num FROM {_VERSION_TABLE}").fetchone()  # noqa: S608 - a constant
    return None if row is None else str(row[0])


def is_empty(driver: sqlite3.Connection) -> bool:
    """
    Whether nothing at all is in the file.
    """
    return driver.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def bring_to_head(driver: sqlite3.Connection, path: Path) -> str | None:
    """
    Migrate in one transaction, after a copy of a database that holds something.

    Returns:
        The revision that was migrated from, or None when nothing had to be done to existing rows.

    Raises:
        ConfigurationFault: A newer program has written this database.
        sqlite3.Error, sqlalchemy.exc.DBAPIError: The disk or the file failed; the database is as it was.
    """
    revision = stored_revision(driver)
    if revision == HEAD:
        return None
    if revision is None and is_empty(driver):
        _make(driver)
        return None
    refuse_newer(revision, str(path))
    if revision is not None:
        back_up(driver, path, revision)
    _upgrade(driver)
    return revision


def back_up(driver: sqlite3.Connection, path: Path, revision: str) -> Path:
    """
    Copy the database beside itself as ``<name>.backup-<revision>`` (0600), in one step.
    """
    kept = path.with_name(f"{path.name}.backup-{revision}")
    fresh = kept.with_name(f".{kept.name}")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    copy = sqlite3.connect(fresh)
    try:
        driver.backup(copy)
    finally:
        copy.close()
    fresh.replace(kept)
    return kept


def refuse_newer(revision: str | None, shown: str) -> None:
    """
    Raises ``ConfigurationFault`` for a revision that this program does not know.
    """
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - only when the revision differs

    scripts = ScriptDirectory.from_config(_alembic_config())
    known = {script.revision for script in scripts.walk_revisions()}
    if revision is not None and revision not in known:
        raise ConfigurationFault(
            f"the database {shown} is of a newer reticle (revision {revision}; this one knows {HEAD})",
            "pip install --upgrade txreticle, or use another --state-dir",
        )


def _make(driver: sqlite3.Connection) -> None:
    """
    All tables at once, as if every migration had run; a test compares the two.
    """
    driver.execute("BEGIN IMMEDIATE")
    try:
        for statement in FRESH.read_text("utf-8").split(";\n"):
            driver.execute(statement)
        begin_chain(driver)
        driver.execute(
            f"CREATE TABLE {_VERSION_TABLE} (version_num VARCHAR(32) NOT NULL,"
            f" CONSTRAINT {_VERSION_TABLE}_pkc PRIMARY KEY (version_num))"
        )
        driver.execute(f"INSERT INTO {_VERSION_TABLE} VALUES (?)", (HEAD,))  # noqa: S608 - a constant
        driver.execute("COMMIT")
    except BaseException:
        # A full disk may have ended the transaction already.
        if driver.in_transaction:
            driver.execute("ROLLBACK")
        raise


def _upgrade(driver: sqlite3.Connection) -> None:
    from reticle.storage.two_levels import core_above  # noqa: PLC0415 - only when the revision differs

    connection = core_above(driver)
    try:
        with connection.begin():
            upgrade_within(connection)
    finally:
        connection.close()


def upgrade_within(connection: Connection) -> None:
    """
    Run the migrations that are left, in the transaction that the caller has begun.
    """
    from alembic import command  # noqa: PLC0415 - only when the revision differs

    config = _alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _alembic_config() -> Config:
    from alembic.config import Config  # noqa: PLC0415 - only when the revision differs

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config
