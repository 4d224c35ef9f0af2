"""
Looks at files that are asked for while one is under way.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from reticle.storage.worktrees.coalesced import CoalescedLooks
from reticle.storage.worktrees.listing import UnlistedError
from tests.conftest import LoggedFailures


class Looks:
    """
    Looks that end when a test says so.
    """

    def __init__(self) -> None:
        self.under_way: list[tuple[str, Deferred[object]]] = []
        self.begun = 0
        self.looks = CoalescedLooks(self._look)

    def _look(self, root: str) -> Deferred[object]:
        self.begun += 1
        looked = Deferred[object]()
        self.under_way.append((root, looked))
        return looked

    def end(self, outcome: object = None) -> None:
        """
        The oldest look is through.
        """
        _, looked = self.under_way.pop(0)
        if isinstance(outcome, Exception):
            looked.errback(outcome)
        else:
            looked.callback(outcome)

    def wait(self, root: str = "/shop") -> list[None]:
        """
        What has something in it as soon as the looks are through.
        """
        through: list[None] = []
        self.looks.through(root).addCallback(through.append)
        return through


def test_many_pages_that_load_at_once_are_one_look_and_one_behind_it() -> None:
    """
    A page that loads itself again and again costs no more than one look at a time; the last document is
    always seen.
    """
    looks = Looks()
    for _ in range(5):
        looks.looks.ask("/shop")
    looks.looks.ask("/other")
    assert [root for root, _ in looks.under_way] == ["/shop", "/other"]
    looks.end()
    assert [root for root, _ in looks.under_way] == ["/other", "/shop"]
    looks.end()
    looks.end()
    assert (looks.under_way, looks.begun) == ([], 3)
    looks.looks.ask("/shop")
    assert looks.begun == 4


def test_a_verdict_waits_for_what_was_asked_before_it_alone() -> None:
    """
    It is ready with the look at the last document before it, and not kept by those that come after.
    """
    looks = Looks()
    assert looks.wait() == [None]
    looks.looks.ask("/shop")
    first = looks.wait()
    looks.looks.ask("/shop")
    second = looks.wait()
    looks.end()
    assert (first, second) == ([None], [])
    looks.looks.ask("/shop")
    third = looks.wait()
    looks.end()
    assert (second, third) == ([None], [])
    looks.end()
    assert third == [None]


def test_who_goes_away_while_it_waits_breaks_nothing() -> None:
    """
    A call that its client cancelled leaves the look and the others as they are.
    """
    looks = Looks()
    looks.looks.ask("/shop")
    gone = looks.looks.through("/shop")
    gone.addErrback(lambda _: None)
    other = looks.wait()
    gone.cancel()
    looks.end()
    assert other == [None]


@pytest.mark.parametrize(("fault", "logged"), [(UnlistedError("no"), 0), (OSError(), 0), (ValueError(), 1)])
def test_a_look_that_fails_keeps_nobody_waiting(
    fault: Exception, logged: int, logged_failures: LoggedFailures
) -> None:
    """
    Files that cannot be listed are the verdict's to tell; a fault of ours stands in the log.
    """
    looks = Looks()
    looks.looks.ask("/shop")
    waited = looks.wait()
    looks.looks.ask("/shop")
    looks.end(fault)
    assert waited == [None]
    assert len(looks.under_way) == 1
    assert len(logged_failures.flush(ValueError)) == logged
