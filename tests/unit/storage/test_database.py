"""
The writer thread: in order, one transaction each, and well again after a failure.
"""

from __future__ import annotations

import functools
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from reticle.errors import ConfigurationFault, LocalMisuse, Refusal
from reticle.model.limits import STORAGE_JOBS
from reticle.storage.database import Database
from reticle.storage.driver import Driver
from reticle.testing.threads import ThreadCalls

Databases = Callable[[Path], Database]


def count_pages(connection: Any) -> int:
    """
    Rows of one small table.
    """
    return int(connection.exec_driver_sql("SELECT count(*) FROM page_seen").scalar_one())


def add_page(connection: Any, name: str = "shop") -> None:
    """
    One row.
    """
    connection.execute(sa.text("INSERT INTO page_seen VALUES (:name, 1, 1.0)"), {"name": name})


def refused(calls: ThreadCalls, database: Database, work: Any = count_pages) -> Refusal:
    """
    Why a transaction is refused.
    """
    with pytest.raises(Refusal) as caught:
        calls.result_of(database.run(work))
    return caught.value


def test_a_transaction_is_all_or_nothing(database: Database, calls: ThreadCalls) -> None:
    """
    Work that fails half-way leaves nothing behind, and its own exception comes back.
    """

    def fail_late(connection: Any) -> None:
        add_page(connection)
        raise ZeroDivisionError("half-way")

    with pytest.raises(ZeroDivisionError, match="half-way"):
        calls.result_of(database.run(fail_late))
    assert calls.result_of(database.run(count_pages)) == 0
    calls.result_of(database.run(add_page))
    assert calls.result_of(database.run(count_pages)) == 1


def test_work_runs_in_one_other_thread_in_order(database: Database, calls: ThreadCalls) -> None:
    """
    The reactor's thread never touches the disk, and what was asked first is done first.
    """
    seen: list[tuple[int, str]] = []

    def note(number: int, _connection: object) -> None:
        seen.append((number, threading.current_thread().name))

    pending = [database.run(functools.partial(note, number)) for number in range(5)]
    for one in pending:
        calls.result_of(one)
    assert seen == [(number, "reticle-storage") for number in range(5)]


def test_a_stop_finishes_what_was_asked(state_dir: Path, calls: ThreadCalls) -> None:
    """
    Rows handed over before a stop are on disk after it; later ones are refused.
    """
    database = Database(state_dir / "x.sqlite3", calls.callFromThread)
    assert refused(calls, database).code == "not_ready"
    calls.result_of(database.stopService())
    database.startService()
    pending = [database.run(functools.partial(add_page, name=str(n))) for n in range(10)]
    stops = [database.stopService(), database.stopService()]
    assert refused(calls, database).code == "shutting_down"
    for one in stops:
        calls.result_of(one)
    assert [one.called for one in pending] == [True] * 10
    with sqlite3.connect(state_dir / "x.sqlite3") as reader:
        assert reader.execute("SELECT count(*) FROM page_seen").fetchone() == (10,)
    reader.close()
    assert sorted(os.listdir(state_dir)) == ["x.sqlite3"]  # noqa: PTH208 - names are compared
    with pytest.raises(LocalMisuse):
        database.startService()


def test_a_stop_waits_only_once_for_a_disk_that_fails(file_database: Database, calls: ThreadCalls) -> None:
    """
    With a disk that hangs before it fails, a stop takes as long as one call and not as all that wait.
    """
    stopping = threading.Event()
    tried: list[object] = []

    def fail(connection: object) -> None:
        tried.append(connection)
        stopping.wait(10)
        raise OSError(5, "Input/output error")

    pending = [file_database.run(fail) for _ in range(3)]
    stopped = file_database.stopService()
    stopping.set()
    for one in pending:
        with pytest.raises(Refusal, match="Input/output error"):
            calls.result_of(one)
    calls.result_of(stopped)
    assert len(tried) == 1


def test_a_full_disk_is_a_refusal_and_no_restart_is_needed(
    file_database: Database, calls: ThreadCalls
) -> None:
    """
    While the disk is full calls are refused with what to do; once there is space they work again.
    """

    def limit(connection: Any, pages: int) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    def fill(connection: Any) -> None:
        add_page(connection, "x" * 2_000_000)

    calls.result_of(file_database.run(lambda connection: limit(connection, 30)))
    fault = refused(calls, file_database, fill)
    assert fault.code == "storage_failed"
    assert fault.message == f"the disk of {file_database.path} is full"
    assert fault.recovery == "Free disk space, then retry."
    assert calls.result_of(file_database.run(fill)) is None


def test_a_change_that_is_refused_is_no_fault_of_the_disk(database: Database, calls: ThreadCalls) -> None:
    """
    Who registers a repository twice does not make the daemon say that its store fails.
    """

    def refuse(_: object) -> None:
        raise Refusal("conflict", "it is registered already")

    assert refused(calls, database, refuse).code == "conflict"
    assert database.fault is None


def test_another_program_holding_the_database_is_named(
    file_database: Database, calls: ThreadCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A lock held by somebody's SQLite shell is a refusal, and its end is the end of the trouble.
    """
    monkeypatch.setattr("reticle.storage.connection.DATABASE_BUSY_MS", 20)
    calls.result_of(file_database.open())
    other = sqlite3.connect(file_database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert refused(calls, file_database).message == f"another program holds {file_database.path}"
    other.execute("ROLLBACK")
    other.close()
    assert calls.result_of(file_database.run(count_pages)) == 0


def test_a_damaged_database_is_refused_until_it_is_moved_away(
    state_dir: Path, open_databases: Databases, calls: ThreadCalls
) -> None:
    """
    A file that is no database is not overwritten; after the named command the daemon goes on by itself.
    """
    path = state_dir / "x.sqlite3"
    path.write_bytes(b"not a database, but something of value" * 100)
    path.chmod(0o600)
    database = open_databases(path)
    with pytest.raises(Refusal) as caught:
        calls.result_of(database.open())
    assert caught.value.message == f"{path} is not a database"
    assert caught.value.recovery == f"Start a new one: mv {path} {path}.damaged"
    assert database.fault is caught.value
    assert path.read_bytes().startswith(b"not a database")
    path.rename(state_dir / "x.sqlite3.damaged")
    assert calls.result_of(database.run(count_pages)) == 0
    assert database.fault is None


def test_a_damaged_page_is_a_refusal(state_dir: Path, open_databases: Databases, calls: ThreadCalls) -> None:
    """
    Damage in the middle of the file is told, not hidden.
    """
    path = state_dir / "x.sqlite3"
    first = Database(path, calls.callFromThread)
    first.startService()
    calls.result_of(first.run(add_page))
    calls.result_of(first.stopService())
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    fault = refused(calls, open_databases(path))
    assert fault.message == f"the database {path} is damaged"


def test_a_state_directory_that_was_removed_comes_back(file_database: Database, calls: ThreadCalls) -> None:
    """
    Rows never go into a deleted file: they are refused, and work once the directory is back.
    """
    calls.result_of(file_database.run(add_page))
    folder = file_database.path.parent
    shutil.rmtree(folder)
    fault = refused(calls, file_database)
    assert fault.message == f"{file_database.path} cannot be used: No such file or directory"
    assert fault.recovery == f"Check the directory: ls -ld {folder}"
    folder.mkdir(mode=0o700)
    assert calls.result_of(file_database.run(count_pages)) == 0


def test_a_database_open_to_others_is_refused(
    state_dir: Path, open_databases: Databases, calls: ThreadCalls
) -> None:
    """
    An audit log that others can read or change stops the start with one command.
    """
    path = state_dir / "x.sqlite3"
    path.touch()
    path.chmod(0o644)
    with pytest.raises(ConfigurationFault) as caught:
        calls.result_of(open_databases(path).open())
    assert caught.value.recovery == f"chmod 600 {path}"


def test_too_many_waiting_transactions_are_refused(database: Database, calls: ThreadCalls) -> None:
    """
    A disk that hangs does not fill the memory.
    """
    gate = threading.Event()
    blocked = database.run(lambda _: gate.wait(30))
    pending = [database.run(lambda _: None) for _ in range(STORAGE_JOBS - 1)]
    fault = refused(calls, database)
    gate.set()
    assert fault.message == f"{STORAGE_JOBS} transactions wait for the disk already"
    calls.result_of(blocked)
    calls.result_of(pending[-1])


def test_a_cancelled_wait_does_no_harm(database: Database, calls: ThreadCalls) -> None:
    """
    A caller that gives up does not disturb the next one.
    """
    given_up = database.run(add_page)
    given_up.addErrback(lambda _: None)
    given_up.cancel()
    assert calls.result_of(database.run(count_pages)) == 1


def test_work_below_sqlalchemy_is_a_transaction_too(file_database: Database, calls: ThreadCalls) -> None:
    """
    The quick road of the audit log is all or nothing as well, and survives a full disk.
    """

    def fail_late(driver: Driver) -> None:
        driver.execute("INSERT INTO page_seen VALUES ('shop', 1, 1.0)")
        raise ZeroDivisionError("half-way")

    def fill(driver: Driver) -> None:
        driver.execute("PRAGMA max_page_count = 30")
        driver.execute("INSERT INTO page_seen VALUES (?, 1, 1.0)", ("x" * 2_000_000,))

    with pytest.raises(ZeroDivisionError, match="half-way"):
        calls.result_of(file_database.run_on_driver(fail_late))
    assert calls.result_of(file_database.run(count_pages)) == 0
    with pytest.raises(Refusal, match="is full"):
        calls.result_of(file_database.run_on_driver(fill))
    assert calls.result_of(file_database.run(count_pages)) == 0
