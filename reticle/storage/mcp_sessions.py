"""
What of Streamable HTTP sessions outlives the daemon: the signing key, ended ids, what clients wished for.

All rows are in memory from the start, since a request must not wait for the disk to learn whether its
session is over. Ids are kept as digests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import msgspec
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from reticle.model.codes import LogLevel
from reticle.model.ids import McpSessionId
from reticle.model.limits import (
    ENDED_SESSIONS_KEPT,
    MCP_SESSION_AGE_SECONDS,
    PREFERENCES_BYTES,
    PREFERENCES_KEPT,
)
from reticle.model.mcp import Preferences
from reticle.storage.database import Database
from reticle.storage.driver import Driver
from reticle.storage.signing_key import SigningKey, fresh_key, open_signing_key

if TYPE_CHECKING:
    from sqlalchemy import Connection

_FLOOR: Final = ""
"""The name of the row that says up to which time of issue no id is brought back any more."""

_ROWS: Final = (
    "SELECT session, issued_at, ended, log_level, subscriptions FROM mcp_session ORDER BY issued_at"
)


@attrs.define
class _Rows:
    """
    What the table says.
    """

    life: int = 0
    floor: int = 0
    ended: set[str] = attrs.field(factory=set)
    preferences: dict[str, Preferences] = attrs.field(factory=dict)


class StoredMcpSessions:
    """
    Provides ``ports.mcp_sessions.McpSessionStore``. Until ``open`` is through, and where it fails, sessions
    live as long as the daemon.
    """

    _log = Logger()

    def __init__(self, state_dir: Path, database: Database, now: Callable[[], float]) -> None:
        self._state_dir = state_dir
        self._database = database
        self._now = now
        self._key = fresh_key()
        self._rows = _Rows()

    async def open(self) -> None:
        """
        Read the key and the rows; after the life has been recorded in the database.

        Raises ``Refusal`` ``storage_failed``.
        """
        rows = await self._database.run_on_driver(lambda driver: _read(driver, self._oldest()))
        self._key = await self._database.run_beside(
            lambda: open_signing_key(self._state_dir, self._database.path, rows.life)
        )
        self._rows = rows
        if self._key.replaced:
            self._log.warn(
                "the state directory was restored from a copy, or its session key was not ours alone: "
                "MCP sessions of earlier lives are refused and clients begin new ones"
            )

    @property
    def key(self) -> bytes:
        """
        See ``McpSessionStore``.
        """
        return self._key.value

    @property
    def signing_key(self) -> SigningKey:
        """
        For keys of other purposes; the same in every life from ``open`` on.
        """
        return self._key

    def is_ended(self, session_id: McpSessionId, issued_at: int) -> bool:
        """
        See ``McpSessionStore``.
        """
        return issued_at <= self._rows.floor or _digest(session_id) in self._rows.ended

    def end(self, session_id: McpSessionId, issued_at: int) -> Deferred[None]:
        """
        See ``McpSessionStore``.
        """
        digest = _digest(session_id)
        self._rows.ended.add(digest)
        self._rows.preferences.pop(digest, None)
        return self._database.run(lambda connection: _end(connection, digest, issued_at, self._oldest()))

    def preferences(self, session_id: McpSessionId) -> Preferences:
        """
        See ``McpSessionStore``.
        """
        return self._rows.preferences.get(_digest(session_id), Preferences())

    def keep(self, session_id: McpSessionId, issued_at: int, preferences: Preferences) -> None:
        """
        See ``McpSessionStore``. Wishes over ``PREFERENCES_BYTES`` are not kept.
        """
        digest = _digest(session_id)
        document = msgspec.json.encode(list(preferences.subscriptions)).decode()
        known = self._rows.preferences
        if known.get(digest) == preferences or digest in self._rows.ended:
            return
        if len(document) > PREFERENCES_BYTES:
            self._log.info("a session's subscriptions are too long to be kept for the next life")
            return
        known[digest] = preferences
        while len(known) > PREFERENCES_KEPT:
            del known[next(iter(known))]
        level = preferences.log_level
        written = self._database.run(lambda connection: _keep(connection, digest, issued_at, level, document))
        written.addErrback(
            lambda lost: self._log.warn("a session's wishes were not kept: {fault}", fault=lost.value)
        )

    def _oldest(self) -> int:
        return int(self._now()) - MCP_SESSION_AGE_SECONDS


def _digest(session_id: str) -> str:
    return hashlib.sha256(session_id.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _read(driver: Driver, oldest: int) -> _Rows:
    """
    In text, as all that each start does.
    """
    driver.execute("DELETE FROM mcp_session WHERE issued_at < ?", (oldest,))
    rows = _Rows(life=driver.execute("SELECT max(seq) FROM daemon_start").fetchone()[0] or 0)
    for session, issued_at, ended, log_level, subscriptions in driver.execute(_ROWS):
        if session == _FLOOR:
            rows.floor = issued_at
        elif ended:
            rows.ended.add(session)
        else:
            level = None if log_level is None else LogLevel(log_level)
            uris = msgspec.json.decode(subscriptions, type=tuple[str, ...])
            rows.preferences[session] = Preferences(level, uris)
    return rows


def _end(connection: Connection, digest: str, issued_at: int, oldest: int) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import mcp_session as table  # noqa: PLC0415 - as above

    connection.execute(sa.delete(table).where(sa.or_(table.c.session == digest, table.c.issued_at < oldest)))
    connection.execute(sa.insert(table), _row(digest, issued_at, ended=True))
    count = connection.execute(sa.select(sa.func.count()).where(table.c.ended)).scalar_one()
    if count > ENDED_SESSIONS_KEPT:
        _raise_floor(connection, count - ENDED_SESSIONS_KEPT * 9 // 10)


def _raise_floor(connection: Connection, excess: int) -> None:
    """
    Forget the ended ids that were issued first, and with them the right of all ids as old to come back.
    """
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.tables import mcp_session as table  # noqa: PLC0415 - as above

    ended = sa.select(table.c.issued_at).where(table.c.ended).order_by(table.c.issued_at)
    floor = connection.execute(ended.limit(1).offset(excess - 1)).scalar_one()
    connection.execute(sa.delete(table).where(table.c.issued_at <= floor))
    connection.execute(sa.insert(table), _row(_FLOOR, floor, ended=True))


def _keep(
    connection: Connection, digest: str, issued_at: int, level: LogLevel | None, subscriptions: str
) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.tables import mcp_session as table  # noqa: PLC0415 - as above

    known = connection.execute(sa.select(table.c.ended).where(table.c.session == digest)).scalar()
    if known:
        return
    connection.execute(sa.delete(table).where(table.c.session == digest))
    connection.execute(
        sa.insert(table),
        {
            **_row(digest, issued_at, ended=False),
            "log_level": None if level is None else level.value,
            "subscriptions": subscriptions,
        },
    )


def _row(digest: str, issued_at: int, *, ended: bool) -> dict[str, object]:
    return {
        "session": digest,
        "issued_at": issued_at,
        "ended": ended,
        "log_level": None,
        "subscriptions": "[]",
    }
