"""
Tokens and repositories in memory.

They pass the contract tests that the stores in ``reticle.storage`` pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs
from twisted.internet.defer import Deferred, fail

from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import RefusalCode
from reticle.model.ids import AuditId, RepositoryId, TokenId
from reticle.model.tokens import Grant, Repository, SealedToken, Token
from reticle.testing.stores import MemoryAudit


class MemoryTokens:
    """
    Provides ``ports.TokenStore``; its changes leave rows in ``audit``.
    """

    def __init__(self, audit: MemoryAudit | None = None) -> None:
        self.audit = MemoryAudit() if audit is None else audit
        self._tokens: dict[TokenId, SealedToken] = {}
        self._acted: dict[TokenId, float] = {}
        self._listeners: list[Callable[[], None]] = []

    def find(self, token_id: TokenId) -> SealedToken | None:
        """
        What was kept.
        """
        return self._tokens.get(token_id)

    def all(self) -> Sequence[Token]:
        """
        Every token, the newest first.
        """
        tokens = (sealed.token for sealed in self._tokens.values())
        return sorted(tokens, key=lambda token: (-token.created_at, token.token_id))

    def keep(self, *kept: SealedToken) -> None:
        """
        Put some there without a call, before a test begins.
        """
        for sealed in kept:
            self._put(sealed)

    def create(self, sealed: SealedToken, draft: AuditDraft) -> Deferred[AuditId]:
        """
        Keep one.
        """
        return self._committed(draft, lambda: self._put(sealed))

    def revoke(self, token_id: TokenId, at: float, reason: str, draft: AuditDraft) -> Deferred[AuditId]:
        """
        End one and its grants.
        """
        del reason
        if token_id not in self._tokens:
            return fail(Refusal(RefusalCode.NOT_FOUND, "there is no such token"))
        return self._committed(draft, lambda: self._end(token_id, at))

    def replace(self, old: TokenId, fresh: SealedToken, at: float, draft: AuditDraft) -> Deferred[AuditId]:
        """
        End one and keep another.
        """
        known = self._tokens.get(old)
        if known is None:
            return fail(Refusal(RefusalCode.NOT_FOUND, "there is no such token"))
        if known.token.revoked_at is not None:
            return fail(Refusal(RefusalCode.CONFLICT, "that token was revoked meanwhile"))

        def swap() -> None:
            self._end(old, at)
            self._put(fresh)

        return self._committed(draft, swap)

    def used(self, token_id: TokenId, at: float) -> None:
        """
        Remember it at once.
        """
        sealed = self._tokens.get(token_id)
        if sealed is not None:
            self._put(attrs.evolve(sealed, token=attrs.evolve(sealed.token, last_used_at=at)))

    def acted(self, token_id: TokenId, at: float) -> None:
        """
        Remember it.
        """
        self._acted[token_id] = at

    def acted_at(self, token_id: TokenId) -> float | None:
        """
        When it was.
        """
        return self._acted.get(token_id)

    def on_change(self, listener: Callable[[], None]) -> None:
        """
        Tell this one too.
        """
        self._listeners.append(listener)

    def end_grants_for(self, repository_id: RepositoryId, at: float) -> None:
        """
        As the removal of a repository does; ``MemoryRepositories`` calls it.
        """
        for sealed in list(self._tokens.values()):
            grants = [
                _ended(grant, at) if grant.repository_id == repository_id else grant
                for grant in sealed.token.grants
            ]
            self._put(attrs.evolve(sealed, token=attrs.evolve(sealed.token, grants=tuple(grants))))

    def tell(self) -> None:
        """
        Something changed.
        """
        for listener in tuple(self._listeners):
            listener()

    def _put(self, sealed: SealedToken) -> None:
        self._tokens[sealed.token.token_id] = sealed

    def _end(self, token_id: TokenId, at: float) -> None:
        sealed = self._tokens[token_id]
        if sealed.token.revoked_at is None:
            grants = tuple(_ended(grant, at) for grant in sealed.token.grants)
            token = attrs.evolve(sealed.token, revoked_at=at, grants=grants)
            self._put(attrs.evolve(sealed, token=token))

    def _committed(self, draft: AuditDraft, change: Callable[[], None]) -> Deferred[AuditId]:
        def see(audit_id: AuditId) -> AuditId:
            change()
            self.tell()
            return audit_id

        return self.audit.record(draft).addCallback(see)


class MemoryRepositories:
    """
    Provides ``ports.RepositoryStore``; its changes leave rows where those of ``tokens`` do.
    """

    def __init__(self, tokens: MemoryTokens | None = None) -> None:
        self._tokens = MemoryTokens() if tokens is None else tokens
        self._repositories: dict[RepositoryId, Repository] = {}

    def find(self, repository_id: RepositoryId) -> Repository | None:
        """
        What was registered.
        """
        return self._repositories.get(repository_id)

    def all(self) -> Sequence[Repository]:
        """
        By root.
        """
        return sorted(self._repositories.values(), key=lambda each: each.root)

    def keep(self, *kept: Repository) -> None:
        """
        Put some there without a call, before a test begins.
        """
        self._repositories.update((each.repository_id, each) for each in kept)

    def by_root(self, root: str) -> Repository | None:
        """
        The one there.
        """
        return next((each for each in self._repositories.values() if each.root == root), None)

    def by_origin(self, origin: str) -> Repository | None:
        """
        The one whose app is there.
        """
        return next((each for each in self._repositories.values() if origin in each.origins), None)

    def add(self, repository: Repository, draft: AuditDraft) -> Deferred[AuditId]:
        """
        Register it unless its root or an origin is another's.
        """
        taken = self.by_root(repository.root) or self.find(repository.repository_id)
        if taken is not None or any(map(self.by_origin, repository.origins)):
            return fail(Refusal(RefusalCode.CONFLICT, "that is registered already"))
        recorded = self._tokens.audit.record(draft)

        def see(audit_id: AuditId) -> AuditId:
            self._repositories[repository.repository_id] = repository
            self._tokens.tell()
            return audit_id

        return recorded.addCallback(see)

    def update(
        self, repository_id: RepositoryId, decide: Callable[[Repository], Repository], draft: AuditDraft
    ) -> Deferred[AuditId]:
        """
        Change it unless an origin is another's.
        """
        known = self.find(repository_id)
        if known is None:
            return fail(Refusal(RefusalCode.REPO_NOT_REGISTERED, "there is no such repository"))
        try:
            changed = decide(known)
        except Refusal as refusal:
            return fail(refusal)
        owners = [self.by_origin(origin) for origin in changed.origins]
        if any(owner is not None and owner is not known for owner in owners):
            return fail(Refusal(RefusalCode.CONFLICT, "that origin is another's"))

        def see(audit_id: AuditId) -> AuditId:
            self._repositories[repository_id] = changed
            self._tokens.tell()
            return audit_id

        return self._tokens.audit.record(draft).addCallback(see)

    def remove(self, repository_id: RepositoryId, at: float, draft: AuditDraft) -> Deferred[AuditId]:
        """
        Take it out, with its grants.
        """
        if repository_id not in self._repositories:
            return fail(Refusal(RefusalCode.REPO_NOT_REGISTERED, "there is no such repository"))

        def see(audit_id: AuditId) -> AuditId:
            del self._repositories[repository_id]
            self._tokens.end_grants_for(repository_id, at)
            self._tokens.tell()
            return audit_id

        return self._tokens.audit.record(draft).addCallback(see)


def _ended(grant: Grant, at: float) -> Grant:
    return grant if grant.revoked_at is not None else attrs.evolve(grant, revoked_at=at)
