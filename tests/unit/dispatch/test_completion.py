"""
What arguments may be.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred

from reticle.dispatch.completion import completion, values_of
from reticle.model.completes import Completes
from reticle.testing.drafts import a_draft
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.stores import MemoryVerdicts
from reticle.testing.verdicts import recorded_verdict


def values(completes: Completes | None) -> list[str]:
    """
    What may be completed with two pages and two verdicts.
    """
    verdicts = MemoryVerdicts()
    verdicts.put(recorded_verdict("v1"), a_draft())
    verdicts.put(recorded_verdict("v2"), a_draft())
    got: list[str] = []
    pages = FakePages(FakePage("p1"), FakePage("p2"))
    Deferred.fromCoroutine(values_of(completes, pages, verdicts)).addCallback(got.extend)
    return got


def test_each_kind_of_argument_offers_what_there_is() -> None:
    """
    A person chooses among open pages, their addresses once each, and the last verdicts.
    """
    assert values(Completes.PAGE) == ["p1", "p2"]
    assert values(Completes.URL) == ["http://localhost:8000/"]
    assert values(Completes.VERDICT) == ["v2", "v1"]
    assert values(None) == []


def test_what_begins_as_typed_comes_first() -> None:
    """
    Typing narrows the choice, in any case, and what only holds the letters comes after.
    """
    told = completion(["cart", "shop-CAR", "order"], "Car")["completion"]
    assert told == {"values": ["cart", "shop-CAR"], "total": 2, "hasMore": False}


def test_a_long_choice_is_cut_and_says_so() -> None:
    """
    No client gets more than it may, and it knows that there are more.
    """
    told = completion([f"v{number}" for number in range(150)], "")["completion"]
    assert isinstance(told, dict)
    assert (len(told["values"]), told["total"], told["hasMore"]) == (100, 150, True)
