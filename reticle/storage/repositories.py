"""
Registered repositories in the database; provides ``ports.RepositoryStore``.

Removing one revokes the grants for it in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import RefusalCode
from reticle.model.ids import AuditId, RepositoryId
from reticle.model.tokens import Repository
from reticle.storage.audit import StoredAudit
from reticle.storage.database import Database
from reticle.storage.driver import Driver
from reticle.storage.tokens import StoredTokens, end_grants
from reticle.storage.two_levels import driver_below

if TYPE_CHECKING:
    from sqlalchemy import Connection

_PRESENT: Final = (
    "SELECT repository_id, root, display_name, origins, registered_at"
    " FROM repository WHERE removed_at IS NULL"
)


class StoredRepositories:
    """
    The repositories of one database. Before ``open`` is through there are none.

    Args:
        database: Where they are committed.
        audit: Makes the rows of changes.
        tokens: Whose grants end with a repository.
    """

    def __init__(self, database: Database, audit: StoredAudit, tokens: StoredTokens) -> None:
        self._database = database
        self._audit = audit
        self._tokens = tokens
        self._repositories: dict[RepositoryId, Repository] = {}

    async def open(self) -> None:
        """
        Read them all. Raises ``Refusal`` ``storage_failed``.
        """
        self._repositories = {each.repository_id: each for each in await self._database.run_on_driver(_read)}

    def find(self, repository_id: RepositoryId) -> Repository | None:
        """
        See ``RepositoryStore``.
        """
        return self._repositories.get(repository_id)

    def all(self) -> Sequence[Repository]:
        """
        See ``RepositoryStore``.
        """
        return sorted(self._repositories.values(), key=lambda each: each.root)

    def by_root(self, root: str) -> Repository | None:
        """
        See ``RepositoryStore``.
        """
        return next((each for each in self._repositories.values() if each.root == root), None)

    def by_origin(self, origin: str) -> Repository | None:
        """
        See ``RepositoryStore``.
        """
        return next((each for each in self._repositories.values() if origin in each.origins), None)

    async def add(self, repository: Repository, draft: AuditDraft) -> AuditId:
        """
        See ``RepositoryStore``.
        """

        def register(connection: Connection) -> None:
            _refuse_taken(_read(driver_below(connection)), repository)
            _put(connection, repository)

        return await self._change(draft, register)

    async def update(
        self, repository_id: RepositoryId, decide: Callable[[Repository], Repository], draft: AuditDraft
    ) -> AuditId:
        """
        See ``RepositoryStore``.
        """

        def change(connection: Connection) -> None:
            present = {each.repository_id: each for each in _read(driver_below(connection))}
            known = present.pop(repository_id, None)
            if known is None:
                raise _unknown()
            changed = decide(known)
            _refuse_taken(list(present.values()), changed)
            _rewrite(connection, changed)

        return await self._change(draft, change)

    async def remove(self, repository_id: RepositoryId, at: float, draft: AuditDraft) -> AuditId:
        """
        See ``RepositoryStore``.
        """

        def take_out(connection: Connection) -> None:
            _remove(connection, repository_id, at)
            ending: dict[str, object] = {"revoked_at": at, "revoked_reason": "repo_removed"}
            end_grants(connection, ending, repository_id=repository_id)

        return await self._change(draft, take_out)

    async def _change(self, draft: AuditDraft, work: Callable[[Connection], None]) -> AuditId:
        seen: list[Sequence[Repository]] = []

        def change(connection: Connection) -> None:
            work(connection)
            seen.append(_read(driver_below(connection)))

        def see() -> None:
            self._repositories = {each.repository_id: each for each in seen[-1]}

        return await self._tokens.commit(self._audit.unchained(draft), change, see)


def _refuse_taken(known: Sequence[Repository], repository: Repository) -> None:
    for each in known:
        if each.root == repository.root or each.repository_id == repository.repository_id:
            raise Refusal(
                RefusalCode.CONFLICT,
                f"{each.root} is registered already as {each.repository_id}",
                "Use that id: repo.update changes its name and origins, repo.remove takes it out.",
            )
        shared = sorted({*each.origins} & {*repository.origins})
        if shared:
            raise Refusal(
                RefusalCode.CONFLICT,
                f"{shared[0]} belongs to {each.repository_id} already",
                "An app belongs to one repository: name another origin, or repo.update that one.",
            )


def _read(driver: Driver) -> Sequence[Repository]:
    """
    In text, as tokens are.
    """
    return [
        Repository(RepositoryId(repository_id), root, display_name, tuple(json.loads(origins)), registered_at)
        for repository_id, root, display_name, origins, registered_at in driver.execute(_PRESENT)
    ]


def _put(connection: Connection, added: Repository) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import repository  # noqa: PLC0415 - as above

    # An id that was taken out may come back, as the project id that pages go on to name; its grants do not.
    gone = repository.c.repository_id == added.repository_id, repository.c.removed_at.is_not(None)
    connection.execute(sa.delete(repository).where(*gone))
    connection.execute(
        sa.insert(repository).values(
            repository_id=added.repository_id,
            root=added.root,
            display_name=added.display_name,
            origins=json.dumps(list(added.origins)),
            registered_at=added.registered_at,
        )
    )


def _remove(connection: Connection, repository_id: RepositoryId, at: float) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.tables import repository  # noqa: PLC0415 - as above

    present = repository.c.repository_id == repository_id, repository.c.removed_at.is_(None)
    removed = connection.execute(sa.update(repository).where(*present).values(removed_at=at))
    if removed.rowcount == 0:
        raise _unknown()


def _rewrite(connection: Connection, changed: Repository) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.tables import repository  # noqa: PLC0415 - as above

    present = repository.c.repository_id == changed.repository_id, repository.c.removed_at.is_(None)
    values = {"display_name": changed.display_name, "origins": json.dumps(list(changed.origins))}
    connection.execute(sa.update(repository).where(*present).values(values))


def _unknown() -> Refusal:
    return Refusal(RefusalCode.REPO_NOT_REGISTERED, "there is no such repository", "repo.list shows them.")
