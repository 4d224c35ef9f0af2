"""
States of repositories' files in the database, so that two of them can be compared later, by any daemon on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred

from reticle.model.tree_limits import MANIFESTS_BYTES, MANIFESTS_KEPT
from reticle.storage.database import Database
from reticle.storage.dialect import lock_within

if TYPE_CHECKING:
    from sqlalchemy import Connection


class StoredManifests:
    """
    Packed manifests by their fingerprint; the ones that were seen last stay.

    Args:
        database: Where they are.
        now: Seconds since the epoch.
        kept: How many stay.
        kept_bytes: And how much of them.
    """

    def __init__(
        self,
        database: Database,
        now: Callable[[], float],
        kept: int = MANIFESTS_KEPT,
        kept_bytes: int = MANIFESTS_BYTES,
    ) -> None:
        self._database = database
        self._now = now
        self._kept = kept
        self._kept_bytes = kept_bytes

    def put(self, tree: str, packed: bytes) -> Deferred[None]:
        """
        Keep one, or keep it for longer. Raises ``Refusal`` ``storage_failed``.
        """
        now_us = round(self._now() * 1_000_000)

        def work(connection: Connection) -> None:
            if _touch(connection, tree, now_us):
                return
            _put(connection, tree, packed, now_us)
            _prune(connection, tree, self._kept, self._kept_bytes)

        return self._database.run(work)

    def get(self, tree: str) -> Deferred[bytes | None]:
        """
        One of them, None where it is kept no more. Raises ``Refusal`` ``storage_failed``.
        """
        return self._database.run(lambda connection: _get(connection, tree))


def _touch(connection: Connection, tree: str, now_us: int) -> bool:
    """
    Whether it is there; then it was seen now.
    """
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.work_tables import work_tree as table  # noqa: PLC0415 - as above

    lock_within(connection, "work_tree")
    seen = connection.execute(sa.update(table).where(table.c.tree == tree).values(kept_at_us=now_us))
    return seen.rowcount > 0


def _put(connection: Connection, tree: str, packed: bytes, now_us: int) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.work_tables import work_tree as table  # noqa: PLC0415 - as above

    row = {"tree": tree, "manifest": packed, "size_bytes": len(packed), "kept_at_us": now_us}
    connection.execute(sa.insert(table), row)


def _prune(connection: Connection, tree: str, kept: int, kept_bytes: int) -> None:
    """
    Let the oldest go where there are too many; never the one that was put now.
    """
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.work_tables import work_tree as table  # noqa: PLC0415 - as above

    newest = sa.select(table.c.tree, table.c.size_bytes).order_by(table.c.kept_at_us.desc(), table.c.tree)
    size = 0
    gone: list[str] = []
    for number, (name, bytes_of_it) in enumerate(connection.execute(newest).all()):
        size += bytes_of_it
        if name != tree and (number >= kept or size > kept_bytes):
            gone.append(name)
    if gone:
        connection.execute(sa.delete(table).where(table.c.tree.in_(gone)))


def _get(connection: Connection, tree: str) -> bytes | None:
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.work_tables import work_tree as table  # noqa: PLC0415 - as above

    found = connection.execute(sa.select(table.c.manifest).where(table.c.tree == tree)).scalar_one_or_none()
    return None if found is None else bytes(found)
