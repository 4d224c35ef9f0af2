"""
What a document was loaded from is seen before it can go unnoticed.
"""

from __future__ import annotations

import attrs

from reticle.dispatch.loaded_files import LoadedFiles
from reticle.model.browser import Attestation
from reticle.model.codes import Capability
from reticle.model.ids import BrowserLeaseId
from reticle.model.tokens import SealedToken
from reticle.testing.grants import MemoryRepositories, MemoryTokens
from reticle.testing.pages import FakePage
from reticle.testing.tokens import a_grant, a_repository, a_token
from reticle.testing.worktrees import MemoryWorktrees

URL = "http://localhost:3000/cart"
OPENED = Attestation(BrowserLeaseId("lease-1"), URL, 1.0)
CLAIMS = a_token(a_grant(Capability.CLAIM, "r1"))


def seen(*tokens: SealedToken, opened: Attestation | None = OPENED, url: str = URL) -> list[str]:
    """
    The folders that are looked at when a document comes.
    """
    repositories, worktrees = MemoryRepositories(), MemoryWorktrees()
    repositories.keep(a_repository("r1", ["http://localhost:3000"]))
    kept = MemoryTokens()
    kept.keep(*tokens)
    loaded = LoadedFiles(kept, repositories, worktrees, lambda: 100.0)
    loaded.document_came(attrs.evolve(FakePage("p1", url=url).identity, attested=opened))
    return worktrees.sights


def test_the_files_of_a_new_document_are_seen() -> None:
    """
    Of a page that the daemon opened, where an agent works whose verdict may complete a packet.
    """
    assert seen(CLAIMS) == ["/src/r1"]
    looks, claims_anywhere = (
        a_token(a_grant(Capability.OBSERVE)),
        a_token(a_grant(Capability.CLAIM), name="t2"),
    )
    assert seen(looks, claims_anywhere) == ["/src/r1"]


def test_nobody_pays_for_it_where_nobody_works() -> None:
    """
    Nothing is looked at for a page that dialled in, an app of no repository, or where no token may claim.
    """
    assert seen(CLAIMS, opened=None) == []
    assert seen(CLAIMS, url="http://localhost:9000/") == []
    assert seen() == []
    over = [
        a_token(a_grant(Capability.CLAIM, "r2")),
        a_token(a_grant(Capability.CLAIM, "r1", expires_at=99.0), name="t2"),
        a_token(a_grant(Capability.CLAIM), name="t3", revoked_at=99.0),
        a_token(a_grant(Capability.CLAIM), name="t4", expires_at=99.0),
    ]
    assert seen(*over) == []
