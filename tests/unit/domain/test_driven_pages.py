"""
Which page a call means, with several agents and several browser contexts.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.browser_lease import Asker, begin
from reticle.domain.driven_pages import Meant, Reach, meant, reach
from reticle.errors import Refusal
from reticle.model.browser import BrowserLease, BrowserWish
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.page import PageIdentity

ME = Asker("me", 100.0)


def lease(name: str, holder: str, *pages: str, shared: bool = False) -> BrowserLease:
    """
    A context of somebody's with these pages.
    """
    ids = [PageId(each) for each in pages]
    wish = BrowserWish("http://127.0.0.1:8000/", shared=shared)
    return BrowserLease(BrowserLeaseId(name), wish, begin(Asker(holder, 100.0), holder, 300), ids[0], ids)


def pages(*names: str) -> list[PageIdentity]:
    """
    Connected pages.
    """
    return [PageIdentity(PageId(name), f"http://{name}/", "", own_script=True) for name in names]


def choice(
    connected: Sequence[str],
    leases: Sequence[BrowserLease],
    last: str | None = None,
    *,
    remembers: bool = True,
) -> Meant:
    """
    What my call means.
    """
    return meant(
        pages(*connected), None if last is None else PageId(last), reach(leases, ME), remembers=remembers
    )


def refusal(
    connected: Sequence[str],
    leases: Sequence[BrowserLease],
    last: str | None = None,
    *,
    remembers: bool = True,
) -> Refusal:
    """
    Why it is refused.
    """
    with pytest.raises(Refusal) as caught:
        choice(connected, leases, last, remembers=remembers)
    return caught.value


def test_pages_are_mine_another_s_or_everybody_s() -> None:
    """
    A context is its holder's; a shared one, and that of an agent that is gone, is as a page that dialled in.
    """
    leases = [
        lease("l1", "me", "mine", "popup"),
        lease("l2", "you", "yours"),
        lease("l3", "you", "ours", shared=True),
        lease("l4", "gone", "left"),
    ]
    assert reach(leases, attrs.evolve(ME, gone=["gone"])) == Reach(
        {PageId("mine"): BrowserLeaseId("l1"), PageId("popup"): BrowserLeaseId("l1")},
        frozenset({PageId("yours")}),
    )


def test_an_agent_that_drives_a_page_means_it() -> None:
    """
    Neither a person's tab nor another agent's page makes a call ambiguous for somebody who opened a page.
    """
    leases = [lease("l1", "me", "mine"), lease("l2", "you", "yours")]
    assert choice(["tab", "mine", "yours"], leases) == Meant(None, frozenset({PageId("mine")}), own=True)
    assert choice(["tab", "mine", "yours"], leases, "tab").own


def test_of_several_own_pages_the_one_used_last_is_meant() -> None:
    """
    With two contexts an agent goes on where it was, and names the other one once to change.
    """
    leases = [lease("l1", "me", "one"), lease("l2", "me", "two")]
    assert choice(["one", "two"], leases, "two").page_id == "two"
    refused = refusal(["one", "two"], leases)
    assert refused.code == "multiple_sessions"
    assert "one (http://one/), two (http://two/)" in refused.message
    assert refused.details["candidates"] == [
        {"sessionId": "one", "url": "http://one/", "projectId": None},
        {"sessionId": "two", "url": "http://two/", "projectId": None},
    ]


def test_a_popup_of_one_s_own_page_is_for_the_directory_to_choose() -> None:
    """
    A window that the page opened is a page of the same context; of an agent that nothing is remembered of,
    it is asked which.
    """
    leases = [lease("l1", "me", "page", "popup")]
    assert choice(["page", "popup"], leases).among == {"page", "popup"}
    assert refusal(["page", "popup"], leases, remembers=False).code == "multiple_sessions"
    assert choice(["page"], leases, remembers=False).among == {"page"}


def test_another_agent_s_page_is_never_guessed() -> None:
    """
    The one tab that is free is meant, however many pages others drive; when none is, the refusal says so.
    """
    leases = [lease("l2", "you", "yours"), lease("l3", "they", "theirs")]
    assert choice(["yours", "tab", "theirs"], leases).among == {"tab"}
    refused = refusal(["yours", "theirs"], leases)
    assert refused.code == "no_session"
    assert "other agents drive yours (http://yours/), theirs" in refused.message
    assert "reticle_lease" in refused.recovery


def test_who_looks_at_another_s_page_goes_on_looking_at_it() -> None:
    """
    A page that was named is the page of the next look too.
    """
    assert choice(["yours", "tab"], [lease("l2", "you", "yours")], "yours").page_id == "yours"


def test_without_driven_pages_all_is_as_it_was() -> None:
    """
    Nothing connected, one tab, several tabs: that is for the directory.
    """
    assert choice([], []) == Meant(None, frozenset())
    assert choice(["a", "b"], []).among == {"a", "b"}
    assert choice(["a", "b"], [], "b").page_id == "b"
    assert choice(["a", "b"], [], "closed").page_id is None


HOLDERS = st.sampled_from(["me", "you", "they"])


@given(
    holders=st.lists(HOLDERS, max_size=4),
    tabs=st.integers(0, 2),
    last=st.none() | st.integers(0, 6),
    remembers=st.booleans(),
)
def test_no_call_without_a_name_reaches_another_s_page(
    *, holders: list[str], tabs: int, last: int | None, remembers: bool
) -> None:
    """
    Whatever is open, a call that names no page gets an own page when there is one, and one of another agent
    only when its last call named it.
    """
    leases = [lease(f"l{number}", holder, f"p{number}") for number, holder in enumerate(holders)]
    names = [f"p{number}" for number in range(len(holders) + tabs)]
    used = None if last is None or last >= len(names) else names[last]
    mine = {name for name, holder in zip(names, holders, strict=False) if holder == "me"}
    others = {name for name, holder in zip(names, holders, strict=False) if holder != "me"}
    if (len(mine) > 1 and used not in mine) or (others and others == set(names) and used is None):
        assert refusal(names, leases, used, remembers=remembers).code in {"multiple_sessions", "no_session"}
        return
    got = choice(names, leases, used, remembers=remembers)
    reached = set(got.among) if got.page_id is None else {got.page_id}
    if mine:
        assert got.own
        assert reached <= mine
    elif used is None:
        assert not reached & others
    else:
        assert reached == {used}
