"""
SQLAlchemy Core above an open connection, and the way back down: one transaction at both levels.

What every start does and what is hot stays with the driver; Core takes 0.2 s and 11 MB to load.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from reticle.storage.driver import Driver

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_DRIVER: Final = "reticle driver"
"""Under which name a connection of Core knows the driver that we gave it."""


def core_above(driver: sqlite3.Connection) -> Connection:
    """
    A connection whose transactions are the driver's; closing it leaves the driver open.
    """
    from sqlalchemy import create_engine  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)
    from sqlalchemy.pool import StaticPool  # noqa: PLC0415 - as above

    # The driver's own transaction rules leave DDL and SELECT outside; ours has one plain BEGIN.
    engine = create_engine("sqlite://", creator=lambda: driver, poolclass=StaticPool)
    return connected(engine, driver, lambda: driver.execute("BEGIN IMMEDIATE"))


def connected(engine: Engine, driver: Driver, begin: Callable[[], Any]) -> Connection:
    """
    The one connection of an engine, from which ``driver_below`` finds its driver.
    """
    from sqlalchemy import event  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    event.listen(engine, "begin", lambda _connection: begin())
    connection = engine.connect()
    connection.info[_DRIVER] = driver
    return connection


def driver_below(connection: Connection) -> Driver:
    """
    What stands below a connection of Core.
    """
    driver: Driver = connection.info[_DRIVER]
    return driver
