"""
What a daemon remembers of its earlier lives: pages per project and when it last started.

So "no page is connected" can say "pages of this project have been here before the restart at T" instead
of "never seen one".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs
from twisted.internet.defer import Deferred

from reticle.model.page import EarlierLives
from reticle.storage.database import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection

_STARTS_KEPT = 100
_PROJECTS_KEPT = 200
"""Project ids come from pages, which may make up as many as they like."""


@attrs.frozen
class DaemonStart:
    """
    A start of a daemon on this state directory; ``at`` in seconds since the epoch.
    """

    at: float
    version: str
    pid: int


class History:
    """
    The part of the database that outlives a daemon for the sake of honest messages.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin_life(self, life: DaemonStart) -> Deferred[EarlierLives | None]:
        """
        Record that we have started; ready with what was before, or None for the first life.
        """
        return self._database.run(lambda connection: _begin_life(connection, life))

    def page_connected(self, project_id: str | None, at: float) -> Deferred[None]:
        """
        Count one page of a project; None is the pages that name none.
        """
        return self._database.run(lambda connection: _count_page(connection, project_id or "", at))


def _begin_life(connection: Connection, life: DaemonStart) -> EarlierLives | None:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import daemon_start as table  # noqa: PLC0415 - as above

    before = connection.execute(sa.select(sa.func.max(table.c.seq))).scalar_one()
    connection.execute(sa.insert(table), attrs.asdict(life))
    newest = sa.select(sa.func.max(table.c.seq)).scalar_subquery()
    connection.execute(sa.delete(table).where(table.c.seq <= newest - _STARTS_KEPT))
    return None if before is None else EarlierLives(life.at, _pages_seen(connection))


def _count_page(connection: Connection, project_id: str, at: float) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import page_seen as table  # noqa: PLC0415 - as above

    counted = connection.execute(
        sa.update(table).where(table.c.project_id == project_id).values(pages=table.c.pages + 1, last_at=at)
    )
    if counted.rowcount == 0:
        connection.execute(sa.insert(table), {"project_id": project_id, "pages": 1, "last_at": at})
        newest = sa.select(table.c.project_id).order_by(table.c.last_at.desc()).limit(_PROJECTS_KEPT)
        connection.execute(sa.delete(table).where(table.c.project_id.not_in(newest)))


def _pages_seen(connection: Connection) -> Mapping[str | None, int]:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import page_seen as table  # noqa: PLC0415 - as above

    rows = connection.execute(sa.select(table.c.project_id, table.c.pages))
    return {row.project_id or None: row.pages for row in rows}
