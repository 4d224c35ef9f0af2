"""
Where capability tokens and repositories are kept; provided by ``reticle.storage``.

What is asked on every request is answered at once from memory. What changes something commits together with
its audit row, or not at all, and is seen by the next question.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.audit import AuditDraft
    from reticle.model.ids import AuditId, RepositoryId, TokenId
    from reticle.model.tokens import Repository, SealedToken, Token


class TokenStore(Protocol):
    """
    The capability tokens. Every change raises ``Refusal`` ``storage_failed`` when it cannot be written.
    """

    def find(self, token_id: TokenId) -> SealedToken | None:
        """
        The token of that id, whether it counts or not; None when there never was one, or before the store is
        open.
        """

    def all(self) -> Sequence[Token]:
        """
        Every token, the newest first.
        """

    def create(self, sealed: SealedToken, draft: AuditDraft) -> Awaitable[AuditId]:
        """
        Keep a new token.
        """

    def revoke(self, token_id: TokenId, at: float, reason: str, draft: AuditDraft) -> Awaitable[AuditId]:
        """
        Revoke a token and all of its grants. Raises ``Refusal`` ``not_found``; one that is revoked already
        keeps its time.
        """

    def replace(self, old: TokenId, fresh: SealedToken, at: float, draft: AuditDraft) -> Awaitable[AuditId]:
        """
        Revoke one token and keep another in its place. Raises ``Refusal`` ``not_found``, or ``conflict`` when
        the old one was revoked meanwhile.
        """

    def used(self, token_id: TokenId, at: float) -> None:
        """
        Remember when a token was used last; written when there is time.
        """

    def acted(self, token_id: TokenId, at: float) -> None:
        """
        Remember when the holder of a token last called something else than that it lives; for this life of
        the daemon.
        """

    def acted_at(self, token_id: TokenId) -> float | None:
        """
        When that was, None where this daemon has seen none.
        """

    def on_change(self, listener: Callable[[], None]) -> None:
        """
        Call this after every change of tokens or grants.
        """


class RepositoryStore(Protocol):
    """
    The registered repositories. Every change raises ``Refusal`` ``storage_failed`` when it cannot be written.
    """

    def find(self, repository_id: RepositoryId) -> Repository | None:
        """
        A registered repository; None for one that is unknown or was removed.
        """

    def all(self) -> Sequence[Repository]:
        """
        Every registered repository, by its root.
        """

    def by_root(self, root: str) -> Repository | None:
        """
        The registered repository at this absolute path.
        """

    def by_origin(self, origin: str) -> Repository | None:
        """
        The registered repository whose app is served there.
        """

    def add(self, repository: Repository, draft: AuditDraft) -> Awaitable[AuditId]:
        """
        Register one. Raises ``Refusal`` ``conflict`` when its root or one of its origins is another's.
        """

    def update(
        self, repository_id: RepositoryId, decide: Callable[[Repository], Repository], draft: AuditDraft
    ) -> Awaitable[AuditId]:
        """
        Put what ``decide`` makes of it, name and origins, in its place. Raises ``Refusal``
        ``repo_not_registered``, ``conflict`` when an origin is another's, and what ``decide`` raises.
        """

    def remove(self, repository_id: RepositoryId, at: float, draft: AuditDraft) -> Awaitable[AuditId]:
        """
        Take it out and revoke every grant for it. Raises ``Refusal`` ``repo_not_registered``.
        """


class Folders(Protocol):
    """
    The folders of this machine, as far as registering one needs.
    """

    def real(self, path: str) -> Awaitable[str]:
        """
        The one absolute path of a folder, links followed. Raises ``Refusal`` ``not_found``.
        """
