"""
A page that the person chooses.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.ids import PageId
from reticle.ports import Page
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages
from reticle.tools.attendance import present_page
from reticle.tools.page_choice import WHICH_PAGE, which_page

FIRST = FakePage("p1", title="Shop\nCart", url="http://localhost/cart")
SECOND = FakePage("p2", title="", url="http://localhost/admin")


def context_with(answer: Mapping[str, object] | None) -> FakeContext:
    """
    Two pages, and what the person answers.
    """
    context = FakeContext(FakePages(SECOND, FIRST))
    if answer is not None:
        context.answers[WHICH_PAGE] = answer
    return context


def present(context: FakeContext, page_id: str | None = None) -> Page | Exception:
    """
    The page of a call, or why there is none.
    """
    got: list[object] = []
    Deferred.fromCoroutine(present_page(context, page_id)).addBoth(got.append)
    outcome = got[0]
    ended = getattr(outcome, "value", outcome)
    assert isinstance(ended, FakePage | Exception)
    return ended


def test_the_person_chooses_by_title_and_address() -> None:
    """
    The form names each page as its person knows it, and the call goes to the chosen one.
    """
    context = context_with({"action": "accept", "content": {"page": "p1"}})
    assert present(context) is FIRST
    [asked] = context.asked
    schema = asked[WHICH_PAGE].params["requestedSchema"]
    assert isinstance(schema, dict)
    assert schema["properties"]["page"]["enum"] == ["p1", "p2"]
    assert schema["properties"]["page"]["enumNames"] == [
        "Shop Cart: http://localhost/cart",
        "p2: http://localhost/admin",
    ]


@pytest.mark.parametrize(
    "answer",
    [None, {"action": "decline"}, {"action": "accept"}, {"action": "accept", "content": {"page": 7}}],
)
def test_without_a_choice_the_call_is_refused_as_before(answer: Mapping[str, object] | None) -> None:
    """
    Nobody to ask, a no, an empty form: the agent has to name the page itself.
    """
    refusal = present(context_with(answer))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "multiple_sessions"
    assert refusal.details == {"candidates": ["p2", "p1"]}


def test_a_named_page_asks_nobody() -> None:
    """
    Where the call is clear, and where no page is of that name, no form is shown.
    """
    context = context_with({"action": "accept", "content": {"page": "p1"}})
    assert present(context, "p2") is SECOND
    refusal = present(context, "p3")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "unknown_session"
    assert context.asked == []


def test_a_chosen_page_that_left_is_told() -> None:
    """
    A page closed while the person was choosing is not replaced by another one.
    """
    refusal = present(context_with({"action": "accept", "content": {"page": "p9"}}))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "unknown_session"
    assert which_page([]).method == "elicitation/create"
    assert PageId("p9") in refusal.message
