"""
Brings a PostgreSQL database to the schema this program speaks, or refuses it.

Of several daemons that start at once one makes or migrates the tables and the others wait for it. Tables,
rows and the revision are committed together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from reticle.storage import schema as shared
from reticle.storage.audit_chain import begin_chain
from reticle.storage.postgres_driver import PostgresDriver

if TYPE_CHECKING:
    from sqlalchemy import Connection

_VERSION: Final = "alembic_version"
_KNOWN: Final = (
    "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'alembic_version'"
)
LOCK: Final = "schema"


def bring_to_head(driver: PostgresDriver, core: Callable[[], Connection], shown: str) -> str | None:
    """
    As ``storage.schema.bring_to_head``. No copy is made: the server has backups of its own.

    Args:
        driver: The connection, outside a transaction.
        core: SQLAlchemy above it, where there is something to do.
        shown: The database, for people.

    Raises:
        ConfigurationFault: A newer program has written this database.
        psycopg.Error, sqlalchemy.exc.DBAPIError: The server failed; the database is as it was.
    """
    if stored_revision(driver) == shared.HEAD:
        return None
    connection = core()
    with connection.begin():
        # Whoever migrates may take longer than anybody waits for a row.
        driver.execute("SET LOCAL lock_timeout = 0")
        driver.execute("SET LOCAL statement_timeout = 0")
        driver.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        driver.lock(LOCK)
        revision = stored_revision(driver)
        if revision is None:
            _make(driver, connection)
        elif revision != shared.HEAD:
            shared.refuse_newer(revision, shown)
            shared.upgrade_within(connection)
    return revision


def stored_revision(driver: PostgresDriver) -> str | None:
    """
    The schema's revision as the database has it, or None where reticle's tables are not.
    """
    if driver.execute(_KNOWN).fetchone() is None:
        return None
    row = driver.execute(f"SELECT version_num FROM {_VERSION}").fetchone()  # noqa: S608 - a constant
    return None if row is None else str(row[0])


def _make(driver: PostgresDriver, connection: Connection) -> None:
    """
    All tables at once, as if every migration had run; a test compares the two.
    """
    from reticle.storage.work_tables import METADATA  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    METADATA.create_all(connection, checkfirst=False)
    begin_chain(driver)
    driver.execute(
        f"CREATE TABLE {_VERSION} (version_num VARCHAR(32) NOT NULL,"
        f" CONSTRAINT {_VERSION}_pkc PRIMARY KEY (version_num))"
    )
    driver.execute(f"INSERT INTO {_VERSION} VALUES (?)", (shared.HEAD,))  # noqa: S608 - a constant
