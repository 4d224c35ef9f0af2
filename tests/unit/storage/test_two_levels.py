"""
Both levels of the database are one transaction.
"""

from __future__ import annotations

import sqlite3

from reticle.storage.two_levels import core_above, driver_below


def test_what_one_level_writes_the_other_undoes() -> None:
    """
    A change that fails leaves nothing, whichever way its statements went.
    """
    driver = sqlite3.connect(":memory:", isolation_level=None)
    driver.execute("CREATE TABLE t (n INTEGER)")
    core = core_above(driver)
    assert driver_below(core) is driver
    transaction = core.begin()
    core.exec_driver_sql("INSERT INTO t VALUES (1)")
    driver.execute("INSERT INTO t VALUES (2)")
    transaction.rollback()
    assert driver.execute("SELECT * FROM t").fetchall() == []
    driver.close()


def test_the_driver_stays_open_below_a_closed_connection() -> None:
    """
    A daemon goes on with the database that it has just migrated.
    """
    driver = sqlite3.connect(":memory:", isolation_level=None)
    core_above(driver).close()
    assert driver.execute("SELECT 1").fetchall() == [(1,)]
    driver.close()
