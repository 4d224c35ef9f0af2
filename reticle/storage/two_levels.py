"""
SQLAlchemy Core above an open SQLite connection, and the way back down: one transaction at both levels.

What every start does and what is hot stays with the driver; Core takes 0.2 s and 11 MB to load.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def core_above(driver: sqlite3.Connection) -> Connection:
    """
    A connection whose transactions are the driver's; closing it leaves the driver open.
    """
    from sqlalchemy import create_engine, event  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)
    from sqlalchemy.pool import StaticPool  # noqa: PLC0415 - as above

    engine = create_engine("sqlite://", creator=lambda: driver, poolclass=StaticPool)
    # The driver's own transaction rules leave DDL and SELECT outside; ours has one plain BEGIN.
    event.listen(engine, "begin", _begin)
    return engine.connect()


def driver_below(connection: Connection) -> sqlite3.Connection:
    """
    What stands below a connection of Core.
    """
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
