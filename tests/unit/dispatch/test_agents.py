"""
What is remembered of an agent.
"""

from __future__ import annotations

from reticle.dispatch.agents import Agent, Agents, LastPage
from reticle.model.ids import PageId
from reticle.model.limits import PAGES_REMEMBERED, REFS_REMEMBERED

A, B = PageId("a"), PageId("b")


def test_a_ref_is_known_by_the_pages_that_showed_it() -> None:
    """
    Two tabs may have the same ref; both are named, the last one first.
    """
    agent = Agent()
    agent.was_shown(A, '- button "Save" (ref=e5)\n- link (ref=e6)')
    agent.was_shown(B, "ref: e5")
    assert (agent.pages_showing("e5"), agent.pages_showing("e6")) == ([B, A], [A])
    assert (agent.pages_showing("e7"), agent.pages_showing("#e5"), agent.pages_showing("e")) == ([], [], [])
    agent.was_shown(A, "e6 again")
    assert agent.pages_showing("e5") == [A, B]


def test_the_memory_is_bounded() -> None:
    """
    An agent that looks at ever more pages and refs does not fill the daemon.
    """
    agent = Agent()
    for number in range(PAGES_REMEMBERED + 1):
        agent.was_shown(PageId(f"p{number}"), "e1")
    assert len(agent.pages_showing("e1")) == PAGES_REMEMBERED
    agent.was_shown(A, " ".join(f"e{number}" for number in range(REFS_REMEMBERED)))
    agent.was_shown(A, "e999999")
    assert (agent.pages_showing("e999999"), agent.pages_showing("e7")) == ([A], [])


def test_a_reminder_comes_with_each_third_unproved_action() -> None:
    """
    An agent that acts and acts is reminded of a verdict now and then, and not after it got one.
    """
    agent = Agent()
    assert [agent.acted(1, proved=False) for _ in range(6)] == [None, None, 3, None, None, 6]
    assert agent.acted(0, proved=True) is None
    assert [agent.acted(2, proved=False), agent.acted(5, proved=False)] == [None, 7]
    assert agent.acted(0, proved=False) is None


def test_conversations_are_apart_and_forgotten_in_their_order() -> None:
    """
    One agent's page is never another's, and the least recently used one is forgotten first.
    """
    agents = Agents(kept=2)
    agents.of("one").last = LastPage(A, "http://a/", 0.0)
    assert agents.of("two").last is None
    assert agents.of("one").last is not None
    agents.of("three")
    assert agents.of("one").last is not None
    assert agents.of("two").last is None
