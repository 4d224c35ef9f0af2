"""
The contract of the store of page holds: in the database and in memory alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.domain.lease import release, take
from reticle.errors import Refusal
from reticle.model.ids import PageId
from reticle.model.leases import Lease
from reticle.model.limits import PAGE_HOLDS
from reticle.ports import PageHolds
from reticle.storage.audit import StoredAudit
from reticle.storage.database import Database
from reticle.storage.leases import StoredPageHolds
from reticle.storage.tokens import StoredTokens
from reticle.testing.drafts import a_draft
from reticle.testing.leases import MemoryPageHolds
from reticle.testing.threads import ThreadCalls

P1, P2 = PageId("p1"), PageId("p2")


@attrs.frozen
class Subject:
    """
    A store, the tool names of its audit rows, and the store as the next life of the daemon finds it.
    """

    holds: PageHolds
    rows: Callable[[], list[str]]
    again: Callable[[], PageHolds]


@pytest.fixture(params=["database", "memory"])
def subject(request: pytest.FixtureRequest, database: Database, calls: ThreadCalls) -> Subject:
    """
    Each provider of the port.
    """
    if request.param == "memory":
        memory = MemoryPageHolds()
        return Subject(memory, lambda: [row.tool for row in memory.audit.rows], lambda: memory)
    audit = StoredAudit(database, now=lambda: 0.0)
    tokens = StoredTokens(database, audit)

    def opened() -> StoredPageHolds:
        holds = StoredPageHolds(database, audit, tokens)
        calls.result_of(Deferred.fromCoroutine(holds.open()))
        return holds

    def rows() -> list[str]:
        return [str(row["tool"]) for row in calls.result_of(audit.read(0, 9_999))]

    return Subject(opened(), rows, opened)


@pytest.fixture
def wait(calls: ThreadCalls) -> Callable[[Awaitable[Any]], Any]:
    """
    Waits for whatever a store gives.
    """

    async def outcome(awaitable: Awaitable[Any]) -> Any:
        return await awaitable

    return lambda awaitable: calls.result_of(Deferred.fromCoroutine(outcome(awaitable)))


def test_a_hold_is_there_with_its_row(subject: Subject, wait: Callable[[Any], Any]) -> None:
    """
    A page that was taken is held at once, by a token also after a restart, and the row of the call is there.
    """
    audit_id = wait(subject.holds.change(P1, take("token:a", "A", "pay", 60, 100.0), 100.0, a_draft("hold")))
    assert audit_id.startswith("audit_")
    lease = Lease("token:a", "A", "pay", 100.0, 160.0)
    assert (subject.holds.of(P1), subject.holds.of(P2)) == (lease, None)
    assert subject.again().of(P1) == lease
    assert subject.rows() == ["hold"]


def test_a_refused_change_leaves_nothing(subject: Subject, wait: Callable[[Any], Any]) -> None:
    """
    Of two agents that take a page the second changes nothing, not even the audit.
    """
    wait(subject.holds.change(P1, take("token:a", "A", "", 60, 100.0), 100.0, a_draft("hold")))
    with pytest.raises(Refusal) as caught:
        wait(subject.holds.change(P1, take("token:b", "B", "", 60, 100.0), 100.0, a_draft("hold")))
    assert caught.value.code == "page_held"
    kept = subject.again().of(P1)
    assert kept is not None
    assert kept.holder == "token:a"
    assert subject.rows() == ["hold"]


def test_a_page_given_up_is_free(subject: Subject, wait: Callable[[Any], Any]) -> None:
    """
    After a release nobody holds the page, now and after a restart.
    """
    wait(subject.holds.change(P1, take("token:a", "A", "", 60, 100.0), 100.0, a_draft("hold")))
    wait(subject.holds.change(P1, release("token:a", 110.0), 110.0, a_draft("release")))
    assert subject.holds.of(P1) is None
    assert subject.again().of(P1) is None


def test_old_holds_make_room(subject: Subject, wait: Callable[[Any], Any]) -> None:
    """
    What is over takes no room, and more pages than may be held are refused in words.
    """
    for number in range(PAGE_HOLDS):
        page = PageId(f"page{number}")
        wait(subject.holds.change(page, take("token:a", "A", "", 60, 0.0), 0.0, a_draft("hold")))
    with pytest.raises(Refusal) as caught:
        wait(subject.holds.change(P1, take("token:a", "A", "", 60, 59.0), 59.0, a_draft("hold")))
    assert caught.value.code == "conflict"
    wait(subject.holds.change(P1, take("token:a", "A", "", 60, 60.0), 60.0, a_draft("hold")))
    assert subject.holds.of(PageId("page0")) is None
    assert subject.holds.of(P1) is not None


def test_a_conversation_holds_nothing_after_a_restart(
    database: Database, calls: ThreadCalls, wait: Callable[[Any], Any]
) -> None:
    """
    A local agent that comes back after a restart is another one, so its old hold keeps nobody out.
    """
    audit = StoredAudit(database, now=lambda: 0.0)
    holds = StoredPageHolds(database, audit, StoredTokens(database, audit))
    wait(holds.change(P1, take("agent:1", "agent:1", "", 60, 0.0), 0.0, a_draft("hold")))
    next_life = StoredPageHolds(database, audit, StoredTokens(database, audit))
    calls.result_of(Deferred.fromCoroutine(next_life.open()))
    assert next_life.of(P1) is None
