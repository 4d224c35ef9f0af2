"""
Which addresses a token for some repositories may have opened.
"""

from __future__ import annotations

import pytest

from reticle.dispatch.grants import Rights
from reticle.dispatch.openable import place_to_open
from reticle.errors import Refusal
from reticle.model.browser import Attestation
from reticle.model.codes import Capability
from reticle.model.ids import BrowserLeaseId, RepositoryId
from reticle.testing.grants import MemoryRepositories
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.tokens import a_grant, a_repository

SHOP, BLOG = "http://localhost:3000", "http://localhost:5000"
ELSEWHERE = "http://localhost:9000/x"


def opens(url: str, *pages: FakePage, place: str | None = "shop", **more: Capability) -> RepositoryId | None:
    """
    What a token with ``drive`` for one repository may open.
    """
    repositories = MemoryRepositories()
    repositories.keep(a_repository("shop", [SHOP]), a_repository("blog", [BLOG]))
    rights = Rights((a_grant(more.get("capability", Capability.DRIVE), place),), 100.0)
    return place_to_open(url, rights, repositories, FakePages(*pages))


def refusal(url: str, *pages: FakePage, **more: Capability) -> Refusal:
    """
    Why it may not.
    """
    with pytest.raises(Refusal) as caught:
        opens(url, *pages, **more)
    assert caught.value.code == "capability_scope_mismatch"
    return caught.value


def test_a_token_of_one_repository_opens_its_app_and_no_other() -> None:
    """
    An agent sent to mend the shop has the shop's pages opened, not the blog's, and nothing else of the net.
    """
    assert opens(f"{SHOP}/cart?x=1") == "shop"
    for url in (
        f"{BLOG}/",
        ELSEWHERE,
        "https://shop.example/",
        f"{SHOP}@evil.example/",
        "http://localhost:30000/",
    ):
        assert "nothing was opened" in refusal(url).message
    assert "repo add" in str(refusal(ELSEWHERE).recovery)


def test_a_token_that_may_only_look_opens_nothing() -> None:
    """
    To observe a repository's pages is not to open them.
    """
    refusal(f"{SHOP}/", capability=Capability.OBSERVE)


def test_a_token_for_all_repositories_opens_anything() -> None:
    """
    Whoever drives everywhere needs no repository.
    """
    assert opens(ELSEWHERE, place=None) is None


def test_an_app_that_names_its_project_is_known_by_it() -> None:
    """
    Where an app that dialled in says whose it is, more of it may be opened; what a driven page says of its
    project is an agent's word and counts for nothing.
    """
    url = "http://localhost:9000/"
    assert opens(ELSEWHERE, FakePage("a", url=url, project_id="shop")) == "shop"
    refusal(ELSEWHERE, FakePage("a", url=url, project_id="blog"))
    refusal(ELSEWHERE, FakePage("a", url=url, project_id="unknown"))
    refusal(ELSEWHERE, FakePage("a", url=url, project_id="shop"), FakePage("b", url=url, project_id="blog"))
    refusal(ELSEWHERE, FakePage("a", url="http://localhost:9001/", project_id="shop"))
    attested = Attestation(BrowserLeaseId("l1"), url)
    refusal(ELSEWHERE, FakePage("a", url=url, project_id="shop", attested=attested))
