"""
What failures of the machine mean, and which failures are bugs.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from reticle.storage.faults import refusal_from

PATH = Path("/srv/state/reticle.sqlite3")


def sqlite_error(code: int) -> sqlite3.Error:
    """
    An error as the driver raises it.
    """
    fault = sqlite3.OperationalError("some words")
    fault.sqlite_errorcode = code
    return fault


@pytest.mark.parametrize(
    ("code", "message", "recovery"),
    [
        (sqlite3.SQLITE_FULL, "the disk of {} is full", "Free disk space, then retry."),
        (
            sqlite3.SQLITE_IOERR_FSYNC,
            "reading or writing {} failed",
            "Check the disk of /srv/state, then retry.",
        ),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "{} cannot be written", "Make it writable: chmod u+w {}"),
        (sqlite3.SQLITE_CANTOPEN, "{} cannot be opened", "Check the directory: ls -ld /srv/state"),
        (sqlite3.SQLITE_CORRUPT, "the database {} is damaged", "Start a new one: mv {} {}.damaged"),
    ],
)
def test_a_failure_of_the_machine_is_a_refusal_with_a_recovery(
    code: int, message: str, recovery: str
) -> None:
    """
    Each kind of failure says what to do, also in its extended forms.
    """
    refusal = refusal_from(sqlite_error(code), PATH)
    assert refusal is not None
    assert refusal.code == "storage_failed"
    assert refusal.message == message.replace("{}", str(PATH))
    assert refusal.recovery == recovery.replace("{}", str(PATH))


def test_wrong_statements_are_bugs() -> None:
    """
    A bug of ours is not dressed up as a trouble with the disk.
    """
    assert refusal_from(sqlite_error(sqlite3.SQLITE_CONSTRAINT_UNIQUE), PATH) is None
    assert refusal_from(sqlite_error(sqlite3.SQLITE_ERROR), PATH) is None
    assert refusal_from(KeyError("x"), PATH) is None


def test_a_directory_that_is_gone_is_a_refusal() -> None:
    """
    File errors outside the driver are told the same way.
    """
    refusal = refusal_from(PermissionError(13, "Permission denied"), PATH)
    assert refusal is not None
    assert refusal.message == f"{PATH} cannot be used: Permission denied"
