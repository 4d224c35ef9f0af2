"""
An upgrade that is killed at any moment, and one of a database as large as they get.
"""

from __future__ import annotations

import contextlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reticle.model.limits import AUDIT_ROWS_KEPT
from reticle.storage.audit_check import begin_check
from reticle.storage.connection import open_database
from reticle.storage.schema import HEAD, stored_revision

RELEASED = Path(__file__).parents[1] / "unit/storage/released"
KILLS = 8
ROWS = 15_000
LONGEST_UPGRADE_SECONDS = 120.0
UPGRADE = """
import sys
from pathlib import Path
import alembic.command, alembic.config, reticle.storage.tables
from reticle.storage.connection import open_database
print("begin", flush=True)
open_database(Path(sys.argv[1])).close()
"""


def old_database(path: Path, rows: int) -> Path:
    """
    A database of the revision 0002 with so many audit rows more.
    """
    with contextlib.closing(sqlite3.connect(path)) as driver:
        driver.executescript((RELEASED / "0002.sql").read_text("utf-8"))
        driver.executemany(
            "INSERT INTO audit VALUES (?, ?, 1764460900.5, 'local', 'sse', 'x', 'allowed', ?, 2.5, NULL)",
            ((100 + number, f"audit_{number:020x}", f"{number:064x}") for number in range(rows)),
        )
        driver.commit()
    path.chmod(0o600)
    return path


def begin_upgrade(path: Path) -> subprocess.Popen[bytes]:
    """
    A program that is about to upgrade it.
    """
    child = subprocess.Popen([sys.executable, "-c", UPGRADE, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"begin\n"
    child.stdout.close()
    return child


def look_at(path: Path, rows: int) -> str | None:
    """
    The revision of a database that must be whole, old or new.
    """
    with contextlib.closing(sqlite3.connect(path)) as driver:
        assert driver.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        revision = stored_revision(driver)
        assert driver.execute("SELECT count(*) FROM audit").fetchone() == (rows,)
        if revision == HEAD:
            walk = begin_check(driver)
            while not walk.done and walk.fault is None:
                walk.step(driver, 5_000)
            assert (walk.result().rows, walk.result().fault) == (rows, None)
    return revision


def test_a_killed_upgrade_leaves_the_old_database_or_the_new_one(tmp_path: Path) -> None:
    """
    Whenever the machine ends it, the next start finds every row and completes what was begun.
    """
    old = old_database(tmp_path / "old.sqlite3", ROWS)
    rows = ROWS + 5
    path = tmp_path / "x.sqlite3"
    shutil.copy(old, path)
    began = time.monotonic()
    assert begin_upgrade(path).wait(60) == 0
    whole_seconds = time.monotonic() - began
    chance = random.Random(5)
    seen = {look_at(path, rows)}
    for _ in range(KILLS):
        for each in tmp_path.glob("*x.sqlite3*"):
            each.unlink()
        shutil.copy(old, path)
        child = begin_upgrade(path)
        time.sleep(chance.random() * whole_seconds)
        child.kill()
        killed = child.wait(10) == -signal.SIGKILL
        revision = look_at(path, rows)
        assert revision == HEAD or (killed and revision == "0002")
        seen.add(revision)
        kept = tmp_path / "x.sqlite3.backup-0002"
        if revision == HEAD:
            assert kept.exists()
        if kept.exists():
            assert look_at(kept, rows) == "0002"
        open_database(path).close()
        assert look_at(path, rows) == HEAD
        assert [each.name for each in tmp_path.glob(".*")] == []
    assert seen == {HEAD, "0002"}


@pytest.mark.full
def test_a_large_database_is_upgraded_in_time(tmp_path: Path) -> None:
    """
    With as many audit rows as are kept an upgrade takes seconds, and all of them are in the chain.
    """
    path = old_database(tmp_path / "x.sqlite3", AUDIT_ROWS_KEPT - 5)
    began = time.monotonic()
    open_database(path).close()
    took = time.monotonic() - began
    print(f"{AUDIT_ROWS_KEPT} rows in {took:.1f} s")
    assert took < LONGEST_UPGRADE_SECONDS
    assert look_at(path, AUDIT_ROWS_KEPT) == HEAD
