"""
Verdicts in the database, with the windows they rest on; provides ``ports.VerdictStore``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs
from msgspec.structs import replace
from twisted.internet.defer import Deferred

from reticle.model.audit import AuditDraft
from reticle.model.ids import AuditId, VerdictId
from reticle.model.limits import VERDICT_WINDOW_BYTES, VERDICT_WINDOWS_BYTES, VERDICTS_KEPT
from reticle.storage.audit import StoredAudit
from reticle.storage.audit_chain import Head, append_within
from reticle.storage.database import Database
from reticle.storage.dialect import lock_within
from reticle.storage.surrogates import storable

if TYPE_CHECKING:
    import sqlalchemy as sa
    from sqlalchemy import Connection

    from reticle.model.verdict import Verdict
    from reticle.model.window import Window


class StoredVerdicts:
    """
    The newest ``kept`` verdicts of one database.

    Args:
        database: Where they are committed.
        audit: Makes the rows of the calls that record them.
        kept: How many stay.
        window_bytes: What one window may take, compressed.
        windows_bytes: What all of them may take.
    """

    def __init__(
        self,
        database: Database,
        audit: StoredAudit,
        kept: int = VERDICTS_KEPT,
        window_bytes: int = VERDICT_WINDOW_BYTES,
        windows_bytes: int = VERDICT_WINDOWS_BYTES,
    ) -> None:
        self._database = database
        self._audit = audit
        self._kept = kept
        self._window_bytes = window_bytes
        self._windows_bytes = windows_bytes

    def put(self, verdict: Verdict, draft: AuditDraft, *, window: Window | None = None) -> Deferred[AuditId]:
        """
        See ``ports.VerdictStore.put``.
        """
        row = self._audit.unchained(replace(draft, verdict_id=verdict.verdict_id))

        def transaction(connection: Connection) -> Head:
            # The sizes of windows are counted up from row to row.
            lock_within(connection, "verdicts")
            _put(connection, verdict, self._kept)
            _put_window(connection, verdict.verdict_id, window, self._window_bytes, self._windows_bytes)
            return append_within(connection, [row])

        def see(head: Head) -> AuditId:
            self._audit.appended(head)
            return AuditId(row[0])

        return self._database.run(transaction).addCallback(see)

    def get(self, verdict_id: VerdictId) -> Deferred[Verdict | None]:
        """
        The verdict, or None when it never was or has made room for newer ones.
        """
        return self._database.run(lambda connection: _get(connection, verdict_id))

    def window(self, verdict_id: VerdictId) -> Deferred[Window | None]:
        """
        See ``ports.VerdictStore.window``.
        """
        return self._database.run(lambda connection: _window(connection, verdict_id))

    def newest(self, count: int, principal: str | None = None) -> Deferred[Sequence[VerdictId]]:
        """
        The ids that were put last, the newest first.
        """
        return self._database.run(lambda connection: _newest(connection, count, principal))


@attrs.frozen
class _Statements:
    """
    Built once: building costs more than running.
    """

    forget: sa.Delete
    insert: sa.Insert
    prune: sa.Delete
    find: sa.Select[str]
    newest: sa.Select[str]
    newest_of: sa.Select[str]
    forget_window: sa.Delete
    insert_window: sa.Insert
    prune_windows: sa.Delete
    bytes_until: sa.Select[int]
    find_window: sa.Select[bytes]


@functools.cache
def _statements() -> _Statements:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import verdict as table  # noqa: PLC0415 - as above
    from reticle.storage.tables import verdict_window as windows  # noqa: PLC0415 - as above

    newest = sa.select(sa.func.max(table.c.seq)).scalar_subquery()
    listed = sa.select(table.c.verdict_id).order_by(table.c.seq.desc()).limit(sa.bindparam("count"))
    wanted = table.c.verdict_id == sa.bindparam("wanted")
    return _Statements(
        sa.delete(table).where(wanted),
        sa.insert(table),
        sa.delete(table).where(table.c.seq <= newest - sa.bindparam("kept")),
        sa.select(table.c.document).where(wanted),
        listed,
        listed.where(table.c.principal == sa.bindparam("principal")),
        sa.delete(windows).where(windows.c.verdict_id == sa.bindparam("wanted")),
        sa.insert(windows),
        sa.delete(windows).where(windows.c.bytes_until <= sa.bindparam("gone")),
        sa.select(sa.func.coalesce(sa.func.max(windows.c.bytes_until), 0)),
        sa.select(windows.c.document).where(windows.c.verdict_id == sa.bindparam("wanted")),
    )


def _put(connection: Connection, verdict: Verdict, kept: int) -> None:
    from reticle.storage.verdict_json import verdict_to_json  # noqa: PLC0415 - no start needs it

    statements = _statements()
    connection.execute(statements.forget, {"wanted": verdict.verdict_id})
    connection.execute(
        statements.insert,
        {
            "verdict_id": verdict.verdict_id,
            "at": verdict.at,
            "tool": verdict.tool,
            "principal": verdict.principal,
            "page_id": storable(verdict.page_id),
            "url": storable(verdict.url),
            "verified": verdict.decision.verified.value,
            "reason": verdict.decision.reason.value,
            "document": verdict_to_json(verdict),
        },
    )
    connection.execute(statements.prune, {"kept": kept})


def _put_window(
    connection: Connection, verdict_id: VerdictId, window: Window | None, most: int, most_of_all: int
) -> None:
    statements = _statements()
    connection.execute(statements.forget_window, {"wanted": verdict_id})
    document = None if window is None else _document(window)
    if document is None or len(document) > most:
        return
    until = connection.execute(statements.bytes_until).scalar_one() + len(document)
    row = {"verdict_id": verdict_id, "bytes_until": until, "document": document}
    connection.execute(statements.insert_window, row)
    connection.execute(statements.prune_windows, {"gone": until - most_of_all})


def _document(window: Window) -> bytes:
    from reticle.storage.window_json import window_to_bytes  # noqa: PLC0415 - no start needs it

    return window_to_bytes(window)


def _window(connection: Connection, verdict_id: VerdictId) -> Window | None:
    from reticle.storage.window_json import window_from_bytes  # noqa: PLC0415 - no start needs it

    found = connection.execute(_statements().find_window, {"wanted": verdict_id}).scalar_one_or_none()
    return None if found is None else window_from_bytes(found)


def _get(connection: Connection, verdict_id: VerdictId) -> Verdict | None:
    from reticle.storage.verdict_json import verdict_from_json  # noqa: PLC0415 - no start needs it

    text = connection.execute(_statements().find, {"wanted": verdict_id}).scalar_one_or_none()
    return None if text is None else verdict_from_json(text)


def _newest(connection: Connection, count: int, principal: str | None) -> Sequence[VerdictId]:
    statements, given = _statements(), {"count": count}
    found = (
        connection.execute(statements.newest, given).scalars()
        if principal is None
        else connection.execute(statements.newest_of, {**given, "principal": principal}).scalars()
    )
    return [VerdictId(verdict_id) for verdict_id in found]
