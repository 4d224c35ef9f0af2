"""
What a database failure means to whoever asked: a refusal with the step that mends it.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode

_BY_CODE = {
    sqlite3.SQLITE_FULL: ("the disk of {path} is full", "Free disk space, then retry."),
    sqlite3.SQLITE_BUSY: ("another program holds {path}", "Close it, then retry."),
    sqlite3.SQLITE_LOCKED: ("another program holds {path}", "Close it, then retry."),
    sqlite3.SQLITE_PROTOCOL: (
        "the file system of {path} cannot lock",
        "Use a local disk: set RETICLE_STATE_DIR, then restart.",
    ),
    sqlite3.SQLITE_READONLY: ("{path} cannot be written", "Make it writable: chmod u+w {path}"),
    sqlite3.SQLITE_PERM: ("{path} cannot be opened", "Make it yours: ls -l {path}"),
    sqlite3.SQLITE_AUTH: ("{path} cannot be opened", "Make it yours: ls -l {path}"),
    sqlite3.SQLITE_CANTOPEN: ("{path} cannot be opened", "Check the directory: ls -ld {parent}"),
    sqlite3.SQLITE_IOERR: ("reading or writing {path} failed", "Check the disk of {parent}, then retry."),
    sqlite3.SQLITE_CORRUPT: ("the database {path} is damaged", "Start a new one: mv {path} {path}.damaged"),
    sqlite3.SQLITE_NOTADB: ("{path} is not a database", "Start a new one: mv {path} {path}.damaged"),
    sqlite3.SQLITE_NOMEM: ("memory ran out while writing {path}", "Free memory, then retry."),
}


def refusal_from(fault: BaseException, path: Path) -> Refusal | None:
    """
    The refusal for a failure of the database or its file, or None when it is a bug of ours.

    Wrong SQL and broken constraints are bugs; everything the machine did to us is not.
    """
    cause = getattr(fault, "orig", None) or fault
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        known = None if code is None else _BY_CODE.get(code & 0xFF)
        if known is None:
            return None
        message, recovery = (text.format(path=path, parent=path.parent) for text in known)
        return Refusal(RefusalCode.STORAGE_FAILED, message, recovery)
    if isinstance(cause, OSError):
        return Refusal(
            RefusalCode.STORAGE_FAILED,
            f"{path} cannot be used: {cause.strerror or cause}",
            f"Check the directory: ls -ld {path.parent}",
        )
    return None
