"""
Capability tokens and folders for tests: with whatever grants, and secrets that nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterable

from twisted.internet.defer import Deferred, fail, succeed

from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import GrantId, RepositoryId, TokenId
from reticle.model.tokens import Grant, Repository, SealedToken, Token
from reticle.model.trust import Principal, PrincipalKind


def a_grant(
    capability: Capability,
    repository_id: str | None = None,
    *,
    expires_at: float | None = None,
    revoked_at: float | None = None,
) -> Grant:
    """
    One grant, for a repository or for all.
    """
    place = None if repository_id is None else RepositoryId(repository_id)
    return Grant(
        GrantId(f"grant_{capability}_{repository_id}"), capability, place, 0.0, expires_at, revoked_at
    )


def a_token(
    *grants: Grant, name: str = "t1", expires_at: float | None = None, revoked_at: float | None = None
) -> SealedToken:
    """
    A token as it is kept.
    """
    token = Token(TokenId(name), name, "cli", 0.0, expires_at, grants, revoked_at)
    return SealedToken(token, "00", "00")


def bearer_of(sealed: SealedToken) -> Principal:
    """
    Whoever proved to have the token.
    """
    return Principal(PrincipalKind.TOKEN, sealed.token.token_id)


def a_repository(repository_id: str = "r1", origins: Iterable[str] = ()) -> Repository:
    """
    A registered repository whose root is named as it is.
    """
    root = f"/src/{repository_id}"
    return Repository(RepositoryId(repository_id), root, repository_id, tuple(origins), 0.0)


class MemoryFolders:
    """
    Provides ``ports.Folders``: only these folders exist, by their paths; the value is the real one.
    """

    def __init__(self, *folders: str) -> None:
        self.real_paths = {folder: folder for folder in folders}

    def real(self, path: str) -> Deferred[str]:
        """
        See ``ports.Folders``.
        """
        found = self.real_paths.get(path)
        if found is None:
            return fail(Refusal(RefusalCode.NOT_FOUND, f"there is no folder {path}"))
        return succeed(found)
