"""
Which pages a token for some repositories may use.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from reticle.dispatch.grants import Rights
from reticle.dispatch.permitted import permitted, repository_of
from reticle.errors import Refusal
from reticle.model.codes import Capability
from reticle.model.ids import PageId
from reticle.model.page import EarlierLives, RefusedDial
from reticle.ports import Pages
from reticle.testing.grants import MemoryRepositories
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.tokens import a_grant, a_repository


def page(page_id: str, url: str, project_id: str | None = None) -> FakePage:
    """
    A page of that address and project.
    """
    return FakePage(page_id, url=url, project_id=project_id)


@pytest.fixture
def repositories() -> MemoryRepositories:
    """
    Two repositories, each with an origin.
    """
    kept = MemoryRepositories()
    kept.keep(a_repository("r1", ["http://localhost:3000"]), a_repository("r2", ["http://localhost:5000"]))
    return kept


def pages_for(repositories: MemoryRepositories, *pages: FakePage, place: str | None = "r1") -> Pages:
    """
    The pages that a token for one repository may look at.
    """
    everything = FakePages(*pages, refused=[RefusedDial(1.0, "http://x", "no", "")])
    everything.earlier = EarlierLives(1.0, {"r2": 3})
    rights = Rights((a_grant(Capability.OBSERVE, place),), 100.0)
    return permitted(everything, rights, Capability.OBSERVE, repositories)


OURS = page("ours", "http://localhost:3000/cart")
THEIRS = page("theirs", "http://localhost:5000/")
NOBODYS = page("nobodys", "http://localhost:9000/")


def test_a_page_belongs_by_its_project_else_by_its_origin(repositories: MemoryRepositories) -> None:
    """
    What a page names itself counts before where it was loaded from; other pages belong to none.
    """
    named = page("named", "http://localhost:3000/", "r2")
    unknown = page("unknown", "http://localhost:3000/", "elsewhere")
    cases = [OURS, THEIRS, NOBODYS, named, unknown, page("file", "file:///index.html")]
    assert [repository_of(each.identity, repositories) for each in cases] == [
        "r1",
        "r2",
        None,
        "r2",
        "r1",
        None,
    ]


def test_only_pages_of_its_repository_are_there(repositories: MemoryRepositories) -> None:
    """
    A token for one repository sees, and means without saying, its own pages alone.
    """
    pages = pages_for(repositories, OURS, THEIRS, NOBODYS)
    assert [each.identity.page_id for each in pages.all()] == ["ours"]
    assert pages.resolve(None).identity == OURS.identity
    assert pages.resolve(PageId("ours")).identity == OURS.identity
    assert list(pages.refused_dials()) == []
    assert pages.earlier_lives() is None
    assert pages.seen_before() == 3
    awaited: list[bool] = []
    waiting = pages.await_page(PageId("ours"), 1.0)
    assert isinstance(waiting, Deferred)
    waiting.addCallback(awaited.append)
    assert awaited == [True]


@pytest.mark.parametrize("name", ["theirs", "nobodys"])
def test_a_page_of_others_is_refused_with_the_way_out(repositories: MemoryRepositories, name: str) -> None:
    """
    Naming another's page says whose it has to be, and names no page that is not the caller's.
    """
    pages = pages_for(repositories, OURS, THEIRS, NOBODYS)
    with pytest.raises(Refusal) as told:
        pages.resolve(PageId(name))
    assert told.value.code == "capability_scope_mismatch"
    assert "repo.add" in told.value.recovery
    with pytest.raises(Refusal) as told:
        pages.resolve(PageId("never"))
    assert (told.value.code, told.value.details) == ("unknown_session", {"candidates": ["ours"]})


def test_nothing_is_told_of_others_when_its_own_are_not_there(repositories: MemoryRepositories) -> None:
    """
    Without a page of its own the token hears how pages come to belong to a repository.
    """
    with pytest.raises(Refusal) as told:
        pages_for(repositories, THEIRS, NOBODYS).resolve(None)
    assert told.value.code == "no_session"
    assert "project id" in told.value.recovery
    assert told.value.details == {}


def test_a_grant_for_all_sees_everything_as_it_is(repositories: MemoryRepositories) -> None:
    """
    Local agents and tokens for all repositories use every page, mapped or not.
    """
    pages = pages_for(repositories, OURS, NOBODYS, place=None)
    assert isinstance(pages, FakePages)
    assert pages.resolve(PageId("nobodys")) is NOBODYS
