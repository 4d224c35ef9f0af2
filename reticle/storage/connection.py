"""
One open SQLite database, for the writer thread alone: opened, checked, reopened when it went away.

SQLAlchemy is imported here when the first database is opened, which is in that thread.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reticle.errors import ConfigurationFault
from reticle.model.limits import DATABASE_BUSY_MS, DATABASE_WAL_BYTES
from reticle.storage.schema import bring_to_head

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")


class OpenDatabase:
    """
    The connection and what is needed to notice that its file was taken away.

    Not safe for threads: one thread makes, uses and closes it.
    """

    def __init__(self, path: Path, connection: Connection, inode: int) -> None:
        self.path = path
        self.connection = connection
        self._inode = inode

    def is_there(self) -> bool:
        """
        Whether the file we write is still the one with our name; SQLite would go on writing a removed one.
        """
        try:
            return self.path.stat().st_ino == self._inode
        except OSError:
            return False

    def transact(self, work: Callable[[Connection], T]) -> T:
        """
        Run ``work`` in one transaction: committed when it returns, undone when it raises.
        """
        with self.connection.begin():
            return work(self.connection)

    def transact_on_driver(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """
        As ``transact``, on the same connection below SQLAlchemy: 42 µs for a one-row commit against 130.
        """
        driver = self.connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.execute("BEGIN IMMEDIATE")
        try:
            outcome = work(driver)
            driver.execute("COMMIT")
        except BaseException:
            # A full disk may have ended the transaction already.
            if driver.in_transaction:
                driver.execute("ROLLBACK")
            raise
        return outcome

    def close(self) -> None:
        """
        Close it; the last connection also folds the write-ahead log into the file.
        """
        self.connection.close()
        self.connection.engine.dispose()


def open_database(path: Path, *, full_sync: bool = False) -> OpenDatabase:
    """
    Open the database, made (0600) and migrated where that is needed.

    With ``full_sync`` a commit is on the disk when it returns: also a power cut takes nothing of it.

    Raises:
        ConfigurationFault: It is not ours, is open to others, or a newer program has written it.
        sqlalchemy.exc.DBAPIError, sqlite3.Error, OSError: See ``faults.refusal_from``.
    """
    from sqlalchemy import create_engine, event  # noqa: PLC0415 - loaded in the writer thread, see above
    from sqlalchemy.pool import NullPool  # noqa: PLC0415 - as above

    inode = _own(path)
    engine = create_engine(
        "sqlite://", creator=lambda: _connect(path, full_sync=full_sync), poolclass=NullPool
    )
    # The driver's own transaction rules leave DDL and SELECT outside; ours has one plain BEGIN.
    event.listen(engine, "begin", _begin)
    connection = engine.connect()
    try:
        bring_to_head(connection, path)
    except BaseException:
        connection.close()
        engine.dispose()
        raise
    return OpenDatabase(path, connection, inode)


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _own(path: Path) -> int:
    """
    Make the file or check it; returns its inode.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except IsADirectoryError:
        raise ConfigurationFault(f"{path} is a directory", f"mv {path} {path}.old") from None
    try:
        status = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if status.st_uid != os.geteuid():
        raise ConfigurationFault(
            f"the database {path} belongs to user {status.st_uid}", f"chown $USER {path}"
        )
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise ConfigurationFault(f"the database {path} is open to other users", f"chmod 600 {path}")
    return status.st_ino


def _connect(path: Path, *, full_sync: bool) -> sqlite3.Connection:
    driver = sqlite3.connect(path, isolation_level=None, timeout=DATABASE_BUSY_MS / 1000)
    try:
        driver.execute("PRAGMA journal_mode = WAL")
        driver.execute(f"PRAGMA synchronous = {'FULL' if full_sync else 'NORMAL'}")
        driver.execute("PRAGMA foreign_keys = ON")
        driver.execute(f"PRAGMA journal_size_limit = {DATABASE_WAL_BYTES}")
    except BaseException:
        driver.close()
        raise
    return driver
