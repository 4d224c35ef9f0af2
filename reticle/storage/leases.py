"""
Page holds in the database; provides ``ports.PageHolds``.

A token's hold outlives the daemon. That of a conversation does not: whoever comes back has another one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import RefusalCode
from reticle.model.ids import AuditId, PageId
from reticle.model.leases import Lease
from reticle.model.limits import PAGE_HOLDS
from reticle.storage.audit import StoredAudit
from reticle.storage.database import Database
from reticle.storage.driver import Driver
from reticle.storage.surrogates import storable
from reticle.storage.tokens import StoredTokens
from reticle.storage.two_levels import driver_below

if TYPE_CHECKING:
    from sqlalchemy import Connection

LASTING: Final = "token:"
"""How the name of an agent begins that is the same one after a restart."""

Leases = dict[PageId, Lease]


class StoredPageHolds:
    """
    The page holds of one database. Before ``open`` is through there are none.

    Args:
        database: Where they are committed.
        audit: Makes the rows of changes.
        tokens: Commits a change together with its row.
        daemon: Whose pages they are, where several daemons keep theirs in one database: a page is connected
            to one daemon, and another's page of the same name is another page.
    """

    def __init__(
        self, database: Database, audit: StoredAudit, tokens: StoredTokens, daemon: str = ""
    ) -> None:
        self._database = database
        self._audit = audit
        self._tokens = tokens
        self._daemon = daemon
        self._leases: Leases = {}

    async def open(self) -> None:
        """
        Forget those of conversations and read the others. Raises ``Refusal`` ``storage_failed``.
        """
        self._leases = await self._database.run_on_driver(lambda driver: _begin_life(driver, self._daemon))

    def of(self, page_id: PageId) -> Lease | None:
        """
        See ``PageHolds``.
        """
        return self._leases.get(page_id)

    def change(
        self, page_id: PageId, rule: Callable[[Lease | None], Lease | None], now: float, draft: AuditDraft
    ) -> Deferred[AuditId]:
        """
        See ``PageHolds``.
        """
        seen: list[Leases] = []

        def work(connection: Connection) -> None:
            seen.append(_change(connection, self._daemon, page_id, rule, now))

        def see(audit_id: AuditId) -> AuditId:
            self._leases = seen[-1]
            return audit_id

        return self._tokens.commit(self._audit.unchained(draft), work).addCallback(see)


def _change(
    connection: Connection,
    daemon: str,
    page_id: PageId,
    rule: Callable[[Lease | None], Lease | None],
    now: float,
) -> Leases:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import page_hold  # noqa: PLC0415 - as above

    leases = _read(driver_below(connection), daemon)
    changed = rule(leases.pop(page_id, None))
    over = (page_hold.c.page_id == page_id) | (page_hold.c.until <= now)
    connection.execute(sa.delete(page_hold).where(page_hold.c.daemon == daemon, over))
    leases = {name: lease for name, lease in leases.items() if lease.until > now}
    if changed is None:
        return leases
    if len(leases) >= PAGE_HOLDS:
        raise too_many()
    row = {
        "daemon": daemon,
        "page_id": page_id,
        "holder": changed.holder,
        "shown": storable(changed.shown),
        "purpose": storable(changed.purpose),
        "since": changed.since,
        "until": changed.until,
    }
    connection.execute(sa.insert(page_hold).values(**row))
    return {**leases, page_id: changed}


def _begin_life(driver: Driver, daemon: str) -> Leases:
    """
    In text, as all that each start does.
    """
    driver.execute(
        "DELETE FROM page_hold WHERE daemon = ? AND substr(holder, 1, ?) <> ?",
        (daemon, len(LASTING), LASTING),
    )
    return _read(driver, daemon)


def _read(driver: Driver, daemon: str) -> Leases:
    return {
        PageId(page_id): Lease(holder, shown, purpose, since, until)
        for page_id, holder, shown, purpose, since, until in driver.execute(
            "SELECT page_id, holder, shown, purpose, since, until FROM page_hold WHERE daemon = ?", (daemon,)
        )
    }


def too_many() -> Refusal:
    """
    Why no more pages can be held; a retry makes sense once one was given up.
    """
    return Refusal(
        RefusalCode.CONFLICT,
        f"{PAGE_HOLDS} pages are held already; nothing was done.",
        "Release a page that is no longer needed.",
    )
