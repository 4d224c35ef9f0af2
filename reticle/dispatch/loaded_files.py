"""
The files that a page's document was just loaded from are looked at as soon as it says hello.

One that goes before the verdict leaves no time behind: only who saw it can tell that the page may still show
it. A document may come by a click, or by the page itself, and not by a call that could look.
"""

from __future__ import annotations

from collections.abc import Callable

from reticle.dispatch.permitted import repository_of
from reticle.domain.authorization import denial
from reticle.domain.tokens import Good, standing
from reticle.model.codes import Capability
from reticle.model.ids import RepositoryId
from reticle.model.page import PageIdentity
from reticle.ports import RepositoryStore, TokenStore, Worktrees


class LoadedFiles:
    """
    Args:
        tokens: The capability tokens.
        repositories: The registered repositories.
        worktrees: The files of repositories.
        now: Seconds since the epoch.
    """

    def __init__(
        self,
        tokens: TokenStore,
        repositories: RepositoryStore,
        worktrees: Worktrees,
        now: Callable[[], float],
    ) -> None:
        self._tokens = tokens
        self._repositories = repositories
        self._worktrees = worktrees
        self._now = now

    def document_came(self, identity: PageIdentity) -> None:
        """
        A document of a page said hello. Nobody waits for the look, and nobody pays for it whose verdicts
        complete nothing: it is for pages that the daemon opened, of a repository in which some token may
        claim.
        """
        if identity.attested is None:
            return
        place = repository_of(identity, self._repositories)
        repository = None if place is None else self._repositories.find(place)
        if repository is not None and self._is_worked_on(repository.repository_id):
            self._worktrees.see(repository.root)

    def _is_worked_on(self, repository_id: RepositoryId) -> bool:
        now = self._now()
        return any(
            isinstance(standing(token, now), Good)
            and denial(token.grants, Capability.CLAIM, repository_id, now) is None
            for token in self._tokens.all()
        )
