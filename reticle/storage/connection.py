"""
One open SQLite database, for the writer thread alone: opened, checked, reopened when it went away.

SQLAlchemy is imported here at the first change that is written with it, which is in that thread: it takes
some 0.2 s and 11 MB, and a daemon that only starts and looks needs none of it.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reticle.errors import ConfigurationFault, LocalMisuse, Refusal
from reticle.model.limits import DATABASE_BUSY_MS, DATABASE_WAL_BYTES
from reticle.storage.driver import Driver
from reticle.storage.faults import refusal_from
from reticle.storage.place import Step
from reticle.storage.schema import bring_to_head
from reticle.storage.two_levels import core_above

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")


class SqliteFile:
    """
    Provides ``Place``: one file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def shown(self) -> str:
        """
        See ``Place``.
        """
        return str(self.path)

    @property
    def look(self) -> str:
        """
        See ``Place``.
        """
        return f"Check the disk of {self.path.parent}, then retry."

    def open(self, *, full_sync: bool) -> OpenDatabase:
        """
        See ``open_database``.
        """
        return open_database(self.path, full_sync=full_sync)

    def refusal_from(self, fault: BaseException) -> Refusal | None:
        """
        See ``faults.refusal_from``.
        """
        return refusal_from(fault, self.path)


class OpenDatabase:
    """
    Provides ``OpenPlace``: the connection and what is needed to notice that its file was taken away.

    Not safe for threads: one thread makes, uses and closes it.
    """

    def __init__(self, path: Path, driver: sqlite3.Connection, inode: int) -> None:
        self.path = path
        self.driver = driver
        self._core: Connection | None = None
        self._name = str(path)
        self._inode = inode

    @property
    def changes(self) -> int:
        """
        See ``OpenPlace``.
        """
        return self.driver.total_changes

    def is_there(self) -> bool:
        """
        Whether the file we write is still the one with our name; SQLite would go on writing a removed one.
        """
        try:
            # Before each commit: half the time of ``Path.stat``.
            return os.stat(self._name).st_ino == self._inode  # noqa: PTH116 - see above
        except OSError:
            return False

    @property
    def most_together(self) -> int:
        """
        See ``OpenPlace``.
        """
        return 1

    def core(self) -> Connection:
        """
        See ``OpenPlace``.
        """
        if self._core is None:
            self._core = core_above(self.driver)
        return self._core

    def together(self, steps: Sequence[Step]) -> Sequence[object]:
        """
        See ``OpenPlace``; here nobody asks.
        """
        raise LocalMisuse(f"{len(steps)} pieces of work for one transaction of SQLite")

    def transact(self, work: Callable[[Connection], T]) -> T:
        """
        Run ``work`` in one transaction: committed when it returns, undone when it raises.
        """
        core = self.core()
        with core.begin():
            return work(core)

    def transact_on_driver(self, work: Callable[[Driver], T]) -> T:
        """
        As ``transact``, on the same connection below SQLAlchemy: 42 µs for a one-row commit against 130.
        """
        driver = self.driver
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
        if self._core is not None:
            self._core.close()
        self.driver.close()


def open_database(path: Path, *, full_sync: bool = False) -> OpenDatabase:
    """
    Open the database, made (0600) and migrated where that is needed.

    With ``full_sync`` a commit is on the disk when it returns: also a power cut takes nothing of it.

    Raises:
        ConfigurationFault: It is not ours, is open to others, or a newer program has written it.
        sqlalchemy.exc.DBAPIError, sqlite3.Error, OSError: See ``faults.refusal_from``.
    """
    inode = _own(path)
    driver = _connect(path, full_sync=full_sync)
    try:
        bring_to_head(driver, path)
    except BaseException:
        driver.close()
        raise
    return OpenDatabase(path, driver, inode)


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
