"""
Who may act on driven pages, who keeps them, who may close them.
"""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.browser_lease import Asker, begin, keeps_away, no_lease, release, renew, touch
from reticle.errors import Refusal
from reticle.model.browser import BrowserLease, BrowserWish
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease
from reticle.model.limits import BROWSER_CALL_SECONDS

URL = "http://127.0.0.1:8000/"
ANNE = Asker("anne", 100.0)
BOB = Asker("bob", 150.0)
AFTER_ANNE = attrs.evolve(BOB, gone=["anne"])


def lease_of(asker: Asker, seconds: float = 300, *, shared: bool = False) -> BrowserLease:
    """
    A context that somebody has just opened.
    """
    page_id = PageId("b1")
    wish = BrowserWish(URL, seconds=seconds, shared=shared)
    return BrowserLease(
        BrowserLeaseId("l1"), wish, begin(asker, asker.agent.title(), seconds), page_id, [page_id]
    )


def test_a_lease_keeps_the_others_acts_away_while_it_lasts() -> None:
    """
    Nobody but its holder acts on a driven page; when the time is over, or the holder is gone, anybody may.
    """
    lease = lease_of(ANNE, seconds=100)
    assert keeps_away(lease, BOB) == Lease("anne", "Anne", "", 100.0, 200.0)
    assert keeps_away(lease, ANNE) is None
    assert keeps_away(lease, AFTER_ANNE) is None
    assert keeps_away(lease, attrs.evolve(BOB, now=200.0)) is None


def test_a_shared_lease_keeps_nobody_away() -> None:
    """
    What a person opened for their agents is for all of them.
    """
    lease = lease_of(ANNE, shared=True)
    assert keeps_away(lease, BOB) is None
    assert renew(lease, BOB, "Bob", 60)(lease.lease) == attrs.evolve(lease.lease, until=210.0)
    # also when whoever opened it is gone, it does not become somebody's own
    assert renew(lease, AFTER_ANNE, "Bob", 60)(lease.lease) == attrs.evolve(lease.lease, until=210.0)
    with pytest.raises(Refusal) as caught:
        release(BOB)(lease.lease)
    assert caught.value.code == "page_held"


def test_a_call_keeps_a_page_for_its_whole_time_again() -> None:
    """
    An agent that works need not think of its lease, and what it has left is never shortened by a call.
    """
    lease = lease_of(ANNE, seconds=300)
    later = attrs.evolve(ANNE, now=250.0)
    assert touch(lease, later)(lease.lease) == attrs.evolve(lease.lease, until=550.0)
    longer = attrs.evolve(lease.lease, until=4_000.0)
    assert touch(lease, later)(longer) == longer


def test_no_call_is_longer_than_it_keeps_its_page() -> None:
    """
    A lease of a few seconds does not end under a long wait of its own.
    """
    lease = lease_of(ANNE, seconds=1)
    kept = touch(lease, ANNE)(lease.lease)
    assert kept == attrs.evolve(lease.lease, until=100.0 + BROWSER_CALL_SECONDS)


def test_whoever_may_only_look_keeps_nothing() -> None:
    """
    A page is not kept open for ever by somebody who watches it; that of a holder who is gone is kept by
    whoever uses it.
    """
    lease = lease_of(ANNE, seconds=300)
    assert touch(lease, BOB)(lease.lease) == lease.lease
    assert touch(lease, BOB)(None) is None
    assert touch(lease, AFTER_ANNE)(lease.lease) == attrs.evolve(lease.lease, until=450.0)


def test_a_lease_is_renewed_by_its_holder_and_taken_over_from_one_that_is_gone() -> None:
    """
    An agent that lost its connection goes on with its page under its new name; a stranger is told who has it.
    """
    lease = lease_of(ANNE)
    assert renew(lease, attrs.evolve(ANNE, now=200.0), "Anne", 10)(lease.lease) == attrs.evolve(
        lease.lease, until=210.0
    )
    assert renew(lease, AFTER_ANNE, "Bob", 60)(lease.lease) == Lease("bob", "Bob", "", 150.0, 210.0)
    with pytest.raises(Refusal) as caught:
        renew(lease, BOB, "Bob", 60)(lease.lease)
    assert caught.value.code == "page_held"
    assert "held by Anne for 250 more seconds" in caught.value.message
    with pytest.raises(Refusal) as caught:
        renew(lease, ANNE, "Anne", 60)(None)
    assert (caught.value.code, caught.value.message) == ("not_found", no_lease("l1").message)


def test_only_its_holder_or_an_operator_ends_a_lease() -> None:
    """
    Nobody's page is closed under its hands; what was left behind can be cleared away.
    """
    lease = lease_of(ANNE).lease
    for rule in (release(ANNE), release(BOB, by_operator=True), release(AFTER_ANNE)):
        assert rule(lease) is None
    with pytest.raises(Refusal) as caught:
        release(BOB)(lease)
    assert caught.value.code == "page_held"


@given(
    holder=st.sampled_from(["anne", "bob"]),
    agent=st.sampled_from(["anne", "bob"]),
    gone=st.sets(st.sampled_from(["anne", "bob"])),
    now=st.floats(0, 1_000),
    seconds=st.floats(1, 500),
    shared=st.booleans(),
)
def test_who_is_kept_away_changes_nothing(
    *, holder: str, agent: str, gone: set[str], now: float, seconds: float, shared: bool
) -> None:
    """
    In no situation does an agent renew, or prolong by looking, what it may not act on; and the holder always
    may.
    """
    lease = lease_of(Asker(holder, 0.0), seconds, shared=shared)
    asker = Asker(agent, now, gone)
    if keeps_away(lease, asker) is None:
        renewed = renew(lease, asker, "x", 10)(lease.lease)
        assert renewed is not None
        assert renewed.until == now + 10
        kept = touch(lease, asker)(lease.lease)
        assert kept is not None
        assert kept.until >= lease.lease.until
        return
    assert agent != holder
    assert touch(lease, asker)(lease.lease) == lease.lease
    with pytest.raises(Refusal):
        renew(lease, asker, "x", 10)(lease.lease)
    with pytest.raises(Refusal):
        release(asker)(lease.lease)
