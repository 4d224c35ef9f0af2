"""
Exactly one answer per request, whatever the link does (SP-05).
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.relay.ledger import Ledger, Pending, may_repeat
from reticle.relay.messages import Kind, Message


def message(key: str, method: str = "tools/call", **params: object) -> Message:
    """
    A request.
    """
    return Message(Kind.REQUEST, key, method, params, b"")


def pending(key: str, *, repeatable: bool = False, method: str = "tools/call") -> Pending:
    """
    A request without an answer.
    """
    return Pending(message(key, method), repeatable=repeatable, since=0.0)


@pytest.mark.parametrize(
    ("method", "name", "expected"),
    [
        ("tools/call", "look", True),
        ("tools/call", "click", False),
        ("tools/list", "", True),
        ("resources/read", "", True),
        ("tasks/cancel", "", False),
        ("vendor/anything", "", False),
    ],
)
def test_only_what_is_known_to_read_may_be_repeated(method: str, name: str, *, expected: bool) -> None:
    """
    A click is never sent twice, nor a method that nobody knows.
    """
    assert may_repeat(message("1", method, name=name), {"look"}) is expected


def test_a_read_is_sent_again_once() -> None:
    """
    The second loss of the same read is told to the client, not hidden by a third try.
    """
    ledger = Ledger()
    ledger.add(pending("1", repeatable=True))
    ledger.left("1")
    assert [each.message.key for each in ledger.doubt().again] == ["1"]
    ledger.left("1")
    assert [each.message.key for each in ledger.doubt().unknown] == ["1"]
    assert len(ledger) == 0


def test_an_act_that_has_left_is_never_sent_again() -> None:
    """
    Nobody knows whether it happened, so the client is told, and the request is settled.
    """
    ledger = Ledger()
    ledger.add(pending("1"))
    ledger.add(pending("2"))
    ledger.left("1")
    torn = ledger.doubt()
    assert [each.message.key for each in torn.unknown] == ["1"]
    assert torn.again == []
    assert [each.message.key for each in ledger.queued()] == ["2"]
    assert ledger.settle("1") is None


def test_what_the_daemon_gave_back_goes_out_again() -> None:
    """
    A body answered with 503 has not been taken: an act too is sent again.
    """
    ledger = Ledger()
    ledger.add(pending("1"))
    ledger.left("1")
    ledger.returned("1")
    assert ledger.doubt() == ([], [])
    assert [each.message.key for each in ledger.queued()] == ["1"]


def test_a_listen_lives_on() -> None:
    """
    An open subscription is renewed over any number of restarts.
    """
    ledger = Ledger()
    ledger.add(pending("1", repeatable=True, method="subscriptions/listen"))
    for _ in range(3):
        ledger.left("1")
        assert len(ledger.doubt().again) == 1


@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "left", "returned", "settle", "doubt"]), st.integers(0, 3)),
        max_size=40,
    )
)
def test_no_request_is_settled_twice(steps: list[tuple[str, int]]) -> None:
    """
    In any order of events a request leaves the ledger exactly once.
    """
    ledger, ended, live = Ledger(), [], set()
    for what, number in steps:
        key = str(number)
        if what == "add" and key not in ledger:
            ledger.add(pending(key, repeatable=number % 2 == 0))
            live.add(key)
        elif what == "left":
            ledger.left(key)
        elif what == "returned":
            ledger.returned(key)
        elif what == "settle" and ledger.settle(key) is not None:
            ended.append(key)
            live.discard(key)
        elif what == "doubt":
            unknown = [each.message.key for each in ledger.doubt().unknown]
            assert set(unknown) <= live
            live -= set(unknown)
    assert {key for key in map(str, range(4)) if key in ledger} == live
