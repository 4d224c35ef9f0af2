"""
Capability tokens in the database; provides ``ports.TokenStore``.

All of them are in memory from the start, since every request asks for one. A change is committed with its
audit row in one transaction, and only then seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

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
from reticle.storage.audit_chain import Head, Unchained, append, append_within
from reticle.storage.database import Database
from reticle.storage.dialect import lock, lock_within, tell, tell_within
from reticle.storage.driver import Driver
from reticle.storage.two_levels import driver_below

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from reticle.storage.place import AsksAhead

_GRANTS: Final = (
    "SELECT token_id, grant_id, capability, repository_id, granted_at, expires_at, revoked_at"
    " FROM token_grant ORDER BY granted_at"
)
_TOKENS: Final = (
    "SELECT token_id, display_name, kind, created_at, expires_at, revoked_at, last_used_at, salt, digest"
    " FROM token"
)

GRANTS: Final = "grants"
"""What daemons on one database lock to change tokens, repositories or page holds, and tell each other of."""

_Outcome = tuple[Head, Sequence[SealedToken]]
"""Where the chain ends after a change, and the tokens that there are then."""

_Beside = tuple[Head, Sequence[SealedToken] | None]
"""The same, with None where no token was changed."""


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
        self._acted: dict[TokenId, float] = {}
        self._listeners: list[Callable[[], None]] = []

    async def open(self) -> None:
        """
        Read them all; again when the database was replaced. Raises ``Refusal`` ``storage_failed``.
        """
        self._see(await self._database.run_on_driver(_read))

    def find(self, token_id: TokenId) -> SealedToken | None:
        """
        See ``TokenStore``.
        """
        return self._tokens.get(token_id)

    def all(self) -> Sequence[Token]:
        """
        See ``TokenStore``.
        """
        tokens = (sealed.token for sealed in self._tokens.values())
        return sorted(tokens, key=lambda token: (-token.created_at, token.token_id))

    async def create(self, sealed: SealedToken, draft: AuditDraft) -> AuditId:
        """
        See ``TokenStore``.
        """
        row = self._audit.unchained(draft)

        def put(driver: Driver) -> _Outcome:
            lock(driver, GRANTS)
            _put(driver, sealed)
            tell(driver, GRANTS)
            return append(driver, [row]), _read(driver)

        # Each first start makes one.
        return await self._database.run_on_driver(put).addCallback(self._committed, row)

    async def revoke(self, token_id: TokenId, at: float, reason: str, draft: AuditDraft) -> AuditId:
        """
        See ``TokenStore``.
        """
        return await self._change(draft, lambda connection: _revoke(connection, token_id, at, reason))

    async def replace(self, old: TokenId, fresh: SealedToken, at: float, draft: AuditDraft) -> AuditId:
        """
        See ``TokenStore``. A work session's own token stays that session's.
        """

        def swap(connection: Connection) -> None:
            if not _revoke(connection, old, at, "rotated"):
                raise Refusal(RefusalCode.CONFLICT, "that token was revoked meanwhile", "Create a new one.")
            driver = driver_below(connection)
            _put(driver, fresh)
            driver.execute(
                "UPDATE work_session SET token_id = ? WHERE token_id = ?", (fresh.token.token_id, old)
            )

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

    def acted(self, token_id: TokenId, at: float) -> None:
        """
        See ``TokenStore``.
        """
        if token_id in self._tokens:
            self._acted[token_id] = at

    def acted_at(self, token_id: TokenId) -> float | None:
        """
        See ``TokenStore``.
        """
        return self._acted.get(token_id)

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

        def transaction(connection: Connection) -> _Outcome:
            lock_within(connection, GRANTS)
            work(connection)
            tell_within(connection, GRANTS)
            return append_within(connection, [row]), _read(driver_below(connection))

        return self._database.run(transaction).addCallback(self._committed, row, committed)

    def commit_beside(
        self,
        row: Unchained,
        work: Callable[[Driver], bool],
        committed: Callable[[], None],
        ahead: tuple[AsksAhead, Any] | None = None,
    ) -> Deferred[AuditId]:
        """
        As ``commit``, for work that mostly leaves tokens alone, and says whether it changed any. ``ahead`` as
        of ``Database.run_on_driver``.
        """

        def transaction(driver: Driver) -> _Beside:
            changed = work(driver)
            if changed:
                tell(driver, GRANTS)
            tokens = _read(driver) if changed else None
            return append(driver, [row]), tokens

        def see(outcome: _Beside) -> AuditId:
            head, tokens = outcome
            if tokens is not None:
                return self._committed((head, tokens), row, committed)
            self._audit.appended(head)
            committed()
            return AuditId(row[0])

        return self._database.run_on_driver(transaction, ahead).addCallback(see)

    def _committed(
        self, outcome: _Outcome, row: Unchained, committed: Callable[[], None] | None = None
    ) -> AuditId:
        head, tokens = outcome
        self._audit.appended(head)
        if committed is not None:
            committed()
        self._see(tokens)
        return AuditId(row[0])

    def _see(self, tokens: Sequence[SealedToken]) -> None:
        uses = {token_id: sealed.token.last_used_at for token_id, sealed in self._tokens.items()}
        self._tokens = {
            sealed.token.token_id: _with_use(sealed, uses.get(sealed.token.token_id)) for sealed in tokens
        }
        self._acted = {token_id: at for token_id, at in self._acted.items() if token_id in self._tokens}
        for listener in tuple(self._listeners):
            listener()


def _with_use(sealed: SealedToken, at: float | None) -> SealedToken:
    """
    The newest use, which may not be written yet.
    """
    newest = max(at or 0.0, sealed.token.last_used_at or 0.0) or None
    return attrs.evolve(sealed, token=attrs.evolve(sealed.token, last_used_at=newest))


def _read(driver: Driver) -> Sequence[SealedToken]:
    """
    In text, since each start reads them and needs nothing else of SQLAlchemy.
    """
    grants: dict[str, list[Grant]] = {}
    for token_id, grant_id, capability, place, granted_at, expires_at, revoked_at in driver.execute(_GRANTS):
        grants.setdefault(token_id, []).append(
            Grant(
                GrantId(grant_id),
                Capability(capability),
                None if place is None else RepositoryId(place),
                granted_at,
                expires_at,
                revoked_at,
            )
        )
    return [
        SealedToken(
            Token(
                TokenId(token_id),
                display_name,
                kind,
                created_at,
                expires_at,
                tuple(grants.get(token_id, ())),
                revoked_at,
                last_used_at,
            ),
            salt,
            digest,
        )
        for (
            token_id, display_name, kind, created_at, expires_at, revoked_at, last_used_at, salt, digest,
        ) in driver.execute(_TOKENS)
    ]  # fmt: skip


def _put(driver: Driver, sealed: SealedToken) -> None:
    made = sealed.token
    _refuse_removed(driver, made.grants)
    driver.execute(
        "INSERT INTO token"
        " (token_id, salt, digest, kind, display_name, created_at, expires_at, revoked_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            made.token_id, sealed.salt, sealed.digest, made.kind, made.display_name, made.created_at,
            made.expires_at, made.revoked_at,
        ),
    )  # fmt: skip
    driver.executemany(
        "INSERT INTO token_grant"
        " (grant_id, token_id, capability, repository_id, granted_at, expires_at, revoked_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                grant.grant_id, made.token_id, grant.capability.value, grant.repository_id,
                grant.granted_at, grant.expires_at, grant.revoked_at,
            )
            for grant in made.grants
        ],
    )  # fmt: skip
    _make_room(driver, made.created_at)


def _refuse_removed(driver: Driver, grants: Sequence[Grant]) -> None:
    """
    Raises ``Refusal`` ``conflict`` when a repository was taken out while the token was made or renewed: its
    grants ended then, and one that came after would count once the id is registered anew.
    """
    removed = "SELECT 1 FROM repository WHERE repository_id = ? AND removed_at IS NOT NULL"
    if any(driver.execute(removed, (grant.repository_id,)).fetchone() for grant in grants):
        raise Refusal(
            RefusalCode.CONFLICT, "a repository of this token was taken out meanwhile", "Call it once more."
        )


def _make_room(driver: Driver, now: float) -> None:
    """
    Forget the oldest tokens that no longer count, as far as there are more than ``TOKENS_KEPT``.

    Raises ``Refusal`` ``conflict`` when that many still count.
    """
    over = driver.execute("SELECT count(*) FROM token").fetchone()[0] - TOKENS_KEPT
    if over <= 0:
        return
    gone = driver.execute(
        "SELECT token_id FROM token WHERE revoked_at IS NOT NULL OR expires_at <= ?"
        " ORDER BY created_at LIMIT ?",
        (now, over),
    ).fetchall()
    if len(gone) < over:
        raise Refusal(
            RefusalCode.CONFLICT, f"{TOKENS_KEPT} tokens are the most", "Revoke tokens that nobody needs."
        )
    driver.executemany("DELETE FROM token_grant WHERE token_id = ?", gone)
    driver.executemany("DELETE FROM token WHERE token_id = ?", gone)


def _revoke(connection: Connection, token_id: TokenId, at: float, reason: str) -> bool:
    """
    Whether this ended a token that still counted. Raises ``Refusal`` ``not_found``.
    """
    import sqlalchemy as sa  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)

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


def put_within(driver: Driver, sealed: SealedToken) -> None:
    """
    Keep a new token in somebody else's transaction; see ``commit_beside``. Raises ``Refusal`` ``conflict``.
    """
    lock(driver, GRANTS)
    _put(driver, sealed)


def expire_within(driver: Driver, token_id: TokenId, at: float) -> None:
    """
    Let a token end at that time, in somebody else's transaction; one that ends earlier, or is gone, stays so.
    """
    lock(driver, GRANTS)
    driver.execute(
        "UPDATE token SET expires_at = ? WHERE token_id = ? AND (expires_at IS NULL OR expires_at > ?)",
        (at, token_id, at),
    )


def expire_grants_within(
    driver: Driver, token_id: TokenId, capabilities: Sequence[Capability], at: float
) -> None:
    """
    Let grants of a token end at that time, in somebody else's transaction; one that ends earlier stays so.
    """
    lock(driver, GRANTS)
    named = ", ".join("?" * len(capabilities))
    live = (
        "UPDATE token_grant SET expires_at = ? WHERE token_id = ? AND (expires_at IS NULL OR expires_at > ?)"
    )
    driver.execute(
        f"{live} AND capability IN ({named})",
        (at, token_id, at, *(capability.value for capability in capabilities)),
    )


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
