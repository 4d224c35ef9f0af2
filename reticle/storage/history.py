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

from reticle.storage.database import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection

_STARTS_KEPT = 100


@attrs.frozen
class PastLife:
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

    def begin_life(self, life: PastLife) -> Deferred[PastLife | None]:
        """
        Record that we have started; ready with the start before this one, or None for the first.
        """
        return self._database.run(lambda connection: _begin_life(connection, life))

    def page_connected(self, project_id: str | None, at: float) -> Deferred[None]:
        """
        Count one page of a project; None is the pages that name none.
        """
        return self._database.run(lambda connection: _count_page(connection, project_id or "", at))

    def pages_seen(self) -> Deferred[Mapping[str | None, int]]:
        """
        How many pages have ever connected, per project.
        """
        return self._database.run(_pages_seen)


def _begin_life(connection: Connection, life: PastLife) -> PastLife | None:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import daemon_start as table  # noqa: PLC0415 - as above

    columns = (table.c.at, table.c.version, table.c.pid)
    before = connection.execute(sa.select(*columns).order_by(table.c.seq.desc()).limit(1)).one_or_none()
    connection.execute(sa.insert(table), attrs.asdict(life))
    newest = sa.select(sa.func.max(table.c.seq)).scalar_subquery()
    connection.execute(sa.delete(table).where(table.c.seq <= newest - _STARTS_KEPT))
    return None if before is None else PastLife(before.at, before.version, before.pid)


def _count_page(connection: Connection, project_id: str, at: float) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import page_seen as table  # noqa: PLC0415 - as above

    counted = connection.execute(
        sa.update(table).where(table.c.project_id == project_id).values(pages=table.c.pages + 1, last_at=at)
    )
    if counted.rowcount == 0:
        connection.execute(sa.insert(table), {"project_id": project_id, "pages": 1, "last_at": at})


def _pages_seen(connection: Connection) -> Mapping[str | None, int]:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import page_seen as table  # noqa: PLC0415 - as above

    rows = connection.execute(sa.select(table.c.project_id, table.c.pages))
    return {row.project_id or None: row.pages for row in rows}
