"""
Capability tokens in the database; provides ``ports.TokenStore``.

All of them are in memory from the start, since every request asks for one. A change is committed with its
audit row in one transaction, and only then seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import AuditId, GrantId, RepositoryId, TokenId
from reticle.model.limits import TOKEN_USE_SECONDS, TOKENS_KEPT
from reticle.model.tokens import Grant, SealedToken, Token
from reticle.storage.audit import StoredAudit
from reticle.storage.audit_chain import Head, Unchained, append_within
from reticle.storage.database import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection


class StoredTokens:
    """
    The tokens of one database. Before ``open`` is through there are none.

    Args:
        database: Where they are committed.
        audit: Makes the rows of changes.
    """

    _log = Logger()

    def __init__(self, database: Database, audit: StoredAudit) -> None:
        self._database = database
        self._audit = audit
        self._tokens: dict[TokenId, SealedToken] = {}
        self._listeners: list[Callable[[], None]] = []

    async def open(self) -> None:
        """
        Read them all; again when the database was replaced. Raises ``Refusal`` ``storage_failed``.
        """
        self._see(await self._database.run(_read))

    def find(self, token_id: TokenId) -> SealedToken | None:
        """
        See ``TokenStore``.
        """
        return self._tokens.get(token_id)

    def all(self) -> Sequence[Token]:
        """
        See ``TokenStore``.
        """
        return sorted((sealed.token for sealed in self._tokens.values()), key=lambda token: -token.created_at)

    async def create(self, sealed: SealedToken, draft: AuditDraft) -> AuditId:
        """
        See ``TokenStore``.
        """
        return await self._change(draft, lambda connection: _put(connection, sealed))

    async def revoke(self, token_id: TokenId, at: float, reason: str, draft: AuditDraft) -> AuditId:
        """
        See ``TokenStore``.
        """
        return await self._change(draft, lambda connection: _revoke(connection, token_id, at, reason))

    async def replace(self, old: TokenId, fresh: SealedToken, at: float, draft: AuditDraft) -> AuditId:
        """
        See ``TokenStore``.
        """

        def swap(connection: Connection) -> None:
            if not _revoke(connection, old, at, "rotated"):
                raise Refusal(RefusalCode.CONFLICT, "that token was revoked meanwhile", "Create a new one.")
            _put(connection, fresh)

        return await self._change(draft, swap)

    def used(self, token_id: TokenId, at: float) -> None:
        """
        See ``TokenStore``. At most once in ``TOKEN_USE_SECONDS`` per token.
        """
        sealed = self._tokens.get(token_id)
        if sealed is None or at - (sealed.token.last_used_at or 0.0) < TOKEN_USE_SECONDS:
            return
        self._tokens[token_id] = attrs.evolve(sealed, token=attrs.evolve(sealed.token, last_used_at=at))
        written = self._database.run(lambda connection: _note_use(connection, token_id, at))
        written.addErrback(lambda lost: self._log.warn("a use was not noted: {fault}", fault=lost.value))

    def on_change(self, listener: Callable[[], None]) -> None:
        """
        See ``TokenStore``.
        """
        self._listeners.append(listener)

    def _change(self, draft: AuditDraft, work: Callable[[Connection], object]) -> Deferred[AuditId]:
        return self.commit(self._audit.unchained(draft), work)

    def commit(
        self,
        row: Unchained,
        work: Callable[[Connection], object],
        committed: Callable[[], None] | None = None,
    ) -> Deferred[AuditId]:
        """
        Do work that changes tokens or grants in one transaction with its row, and see the outcome. What it
        raises undoes everything; ``committed`` is called before listeners are told.
        """

        def transaction(connection: Connection) -> tuple[Head, Sequence[SealedToken]]:
            work(connection)
            return append_within(connection, [row]), _read(connection)

        def see(outcome: tuple[Head, Sequence[SealedToken]]) -> AuditId:
            head, tokens = outcome
            self._audit.appended(head)
            if committed is not None:
                committed()
            self._see(tokens)
            return AuditId(row[0])

        return self._database.run(transaction).addCallback(see)

    def _see(self, tokens: Sequence[SealedToken]) -> None:
        uses = {token_id: sealed.token.last_used_at for token_id, sealed in self._tokens.items()}
        self._tokens = {
            sealed.token.token_id: _with_use(sealed, uses.get(sealed.token.token_id)) for sealed in tokens
        }
        for listener in tuple(self._listeners):
            listener()


def _with_use(sealed: SealedToken, at: float | None) -> SealedToken:
    """
    The newest use, which may not be written yet.
    """
    newest = max(at or 0.0, sealed.token.last_used_at or 0.0) or None
    return attrs.evolve(sealed, token=attrs.evolve(sealed.token, last_used_at=newest))


def _read(connection: Connection) -> Sequence[SealedToken]:
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

    from reticle.storage.tables import token, token_grant  # noqa: PLC0415 - as above

    grants: dict[str, list[Grant]] = {}
    for row in connection.execute(sa.select(token_grant).order_by(token_grant.c.granted_at)).mappings():
        grants.setdefault(row["token_id"], []).append(
            Grant(
                GrantId(row["grant_id"]),
                Capability(row["capability"]),
                None if row["repository_id"] is None else RepositoryId(row["repository_id"]),
                row["granted_at"],
                row["expires_at"],
                row["revoked_at"],
            )
        )
    return [
        SealedToken(
            Token(
                TokenId(row["token_id"]),
                row["display_name"],
                row["kind"],
                row["created_at"],
                row["expires_at"],
                tuple(grants.get(row["token_id"], ())),
                row["revoked_at"],
                row["last_used_at"],
            ),
            row["salt"],
            row["digest"],
        )
        for row in connection.execute(sa.select(token)).mappings()
    ]


def _put(connection: Connection, sealed: SealedToken) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.tables import token, token_grant  # noqa: PLC0415 - as above

    made = sealed.token
    connection.execute(
        sa.insert(token).values(
            token_id=made.token_id,
            salt=sealed.salt,
            digest=sealed.digest,
            kind=made.kind,
            display_name=made.display_name,
            created_at=made.created_at,
            expires_at=made.expires_at,
            revoked_at=made.revoked_at,
        )
    )
    for grant in made.grants:
        connection.execute(
            sa.insert(token_grant).values(
                grant_id=grant.grant_id,
                token_id=made.token_id,
                capability=grant.capability.value,
                repository_id=grant.repository_id,
                granted_at=grant.granted_at,
                expires_at=grant.expires_at,
                revoked_at=grant.revoked_at,
            )
        )
    _make_room(connection, made.created_at)


def _make_room(connection: Connection, now: float) -> None:
    """
    Forget the oldest tokens that no longer count, as far as there are more than ``TOKENS_KEPT``.

    Raises ``Refusal`` ``conflict`` when that many still count.
    """
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.tables import token, token_grant  # noqa: PLC0415 - as above

    over = connection.execute(sa.select(sa.func.count()).select_from(token)).scalar_one() - TOKENS_KEPT
    if over <= 0:
        return
    ended = sa.or_(token.c.revoked_at.is_not(None), token.c.expires_at <= now)
    oldest = sa.select(token.c.token_id).where(ended).order_by(token.c.created_at).limit(over)
    gone = list(connection.execute(oldest).scalars())
    if len(gone) < over:
        raise Refusal(
            RefusalCode.CONFLICT, f"{TOKENS_KEPT} tokens are the most", "Revoke tokens that nobody needs."
        )
    connection.execute(sa.delete(token_grant).where(token_grant.c.token_id.in_(gone)))
    connection.execute(sa.delete(token).where(token.c.token_id.in_(gone)))


def _revoke(connection: Connection, token_id: TokenId, at: float, reason: str) -> bool:
    """
    Whether this ended a token that still counted. Raises ``Refusal`` ``not_found``.
    """
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.tables import token  # noqa: PLC0415 - as above

    known = connection.execute(
        sa.select(token.c.revoked_at).where(token.c.token_id == token_id)
    ).one_or_none()
    if known is None:
        raise Refusal(RefusalCode.NOT_FOUND, "there is no such token", "daemon.token.list shows them.")
    if known[0] is not None:
        return False
    ending = {"revoked_at": at, "revoked_reason": reason}
    connection.execute(sa.update(token).where(token.c.token_id == token_id).values(ending))
    end_grants(connection, ending, token_id=token_id)
    return True


def end_grants(connection: Connection, ending: dict[str, object], **which: str) -> None:
    """
    Revoke the grants whose columns have these values, those that are not revoked yet.
    """
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.tables import token_grant  # noqa: PLC0415 - as above

    named = [token_grant.c[column] == value for column, value in which.items()]
    live = sa.update(token_grant).where(token_grant.c.revoked_at.is_(None), *named)
    connection.execute(live.values(ending))


def _note_use(connection: Connection, token_id: TokenId, at: float) -> None:
    import sqlalchemy as sa  # noqa: PLC0415 - as above

    from reticle.storage.tables import token  # noqa: PLC0415 - as above

    connection.execute(sa.update(token).where(token.c.token_id == token_id).values(last_used_at=at))
