"""
What a failure of PostgreSQL means to whoever asked. No word of the server's reaches a peer: it may hold SQL.
"""

from __future__ import annotations

import sys
from typing import Final

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode

_RECONNECTS: Final = "the daemon connects again by itself."

_BY_STATE: Final = {
    "28": (
        "{shown} does not let us in",
        "Mend its pg_hba.conf or ~/.pgpass; " + _RECONNECTS + " Or mend RETICLE_DATABASE_URL, then restart.",
    ),
    "3D": ("{shown} does not exist", "Make it: createdb NAME; " + _RECONNECTS),
    "42501": ("{shown} does not let us change its tables", "Make the user their owner, then retry."),
    "25006": ("{shown} takes no changes: it is a standby", "Name the primary in RETICLE_DATABASE_URL."),
    "53100": ("the disk of {shown} is full", "Free disk space there, then retry."),
    "53200": ("{shown} ran out of memory", "Free memory there, then retry."),
    "53300": ("{shown} has too many connections", "Raise its max_connections; " + _RECONNECTS),
    "53": ("{shown} lacks resources", "Look into its log, then retry."),
    "57014": ("{shown} took too long over a statement", "Look at what it is doing, then retry."),
    "57": ("{shown} is stopping or starting", "Start it; " + _RECONNECTS),
    "58": ("reading or writing {shown} failed", "Look into its log and at its disk, then retry."),
    "08": ("the connection to {shown} was lost", "Start it; " + _RECONNECTS),
    "XX": ("{shown} is damaged", "Look into its log."),
}
"""By the longest beginning of the SQLSTATE (PostgreSQL's documentation, appendix A)."""

_AT_CONNECTING: Final = (
    ("password authentication failed", _BY_STATE["28"]),
    ("no password supplied", _BY_STATE["28"]),
    ("no pg_hba.conf entry", _BY_STATE["28"]),
    ("does not exist", _BY_STATE["3D"]),
    ("too many clients", _BY_STATE["53300"]),
    ("starting up", _BY_STATE["57"]),
    ("shutting down", _BY_STATE["57"]),
)
"""libpq gives no SQLSTATE for a connection that was refused; in another language it is merely not reached."""

_CONTENTION: Final = ("40001", "40P01", "55P03")
"""Serialisation failure, deadlock, lock not available."""

_LOST: Final = ("08", "57P01", "57P02", "57P03", "57P05")
"""The connection is gone, or the server ends it now; or it was idle in a transaction for too long."""


def refusal_from(fault: BaseException, shown: str) -> Refusal | None:
    """
    The refusal for a failure of the server or the way to it, or None when it is a bug of ours.

    Wrong SQL and broken constraints are bugs; everything the machine did to us is not.
    """
    cause = getattr(fault, "orig", None) or fault
    psycopg = sys.modules.get("psycopg")
    if psycopg is None or not isinstance(cause, psycopg.Error):
        return None
    state = cause.sqlstate
    if state is None:
        if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
            return None
        told = str(cause)
        known = next(
            (words for sign, words in _AT_CONNECTING if sign in told),
            ("{shown} cannot be reached", "Start it, or mend RETICLE_DATABASE_URL; " + _RECONNECTS),
        )
    else:
        found = next((_BY_STATE[state[:end]] for end in (5, 2) if state[:end] in _BY_STATE), None)
        if found is None:
            return None
        known = found
    message, recovery = (text.format(shown=shown) for text in known)
    return Refusal(RefusalCode.STORAGE_FAILED, message, recovery)


def is_contention(fault: BaseException) -> bool:
    """
    Whether others were in the way, so that the same work may well go through a moment later.
    """
    return _state_of(getattr(fault, "orig", None) or fault) in _CONTENTION


def is_lost(fault: BaseException) -> bool:
    """
    Whether the connection is gone, and another one may do.
    """
    cause = getattr(fault, "orig", None) or fault
    psycopg = sys.modules.get("psycopg")
    if psycopg is None or not isinstance(cause, psycopg.Error):
        return False
    state = _state_of(cause)
    if state is None:
        return isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError)
    return state.startswith(_LOST)


def _state_of(cause: BaseException) -> str | None:
    state: str | None = getattr(cause, "sqlstate", None)
    return state


def unknown_outcome(shown: str) -> Refusal:
    """
    The connection was lost after COMMIT was sent; a retry makes sense only after a look.
    """
    return Refusal(
        RefusalCode.STORAGE_FAILED,
        f"the connection to {shown} was lost during the commit: whether the change was kept is not known.",
        "Look whether it is there before you repeat it; " + _RECONNECTS,
        {"outcome": "unknown"},
    )
