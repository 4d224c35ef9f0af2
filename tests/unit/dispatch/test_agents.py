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


def test_all_agents_together_are_bounded() -> None:
    """
    Many agents that look at large pages do not fill the daemon: the least recent ones' refs go first.
    """
    agents = Agents(refs=5)
    one, two, three = (agents.of(name) for name in ("one", "two", "three"))
    agents.show(one, A, "e1 e2")
    agents.show(two, A, "e1 e2")
    agents.show(three, A, "e1 e2 e3")
    assert [agent.refs_held() for agent in (one, two, three)] == [0, 2, 3]
    agents.show(three, A, "e4 e5 e6")
    assert [agent.refs_held() for agent in (one, two, three)] == [0, 0, 6]
    agents.show(two, A, "e9")
    assert [agent.refs_held() for agent in (two, three)] == [1, 0]


def test_a_forgotten_agent_gives_its_room_back() -> None:
    """
    Agents that come and go do not use up the room of those that stay.
    """
    agents = Agents(kept=1, refs=3)
    for number in range(5):
        agents.show(agents.of(f"agent {number}"), A, "e1 e2 e3")
    assert agents.of("agent 4").refs_held() == 3
    late = agents.of("late")
    agents.of("newer")
    agents.show(late, A, "e1")
    assert late.refs_held() == 0


def test_a_conversation_that_is_over_is_forgotten() -> None:
    """
    What one agent was shown takes no room from the others once it has hung up.
    """
    agents = Agents(refs=4)
    gone, stays = agents.of("gone"), agents.of("stays")
    agents.show(gone, A, "e1 e2 e3")
    agents.forget("gone")
    agents.forget("gone")
    assert agents.conversations() == ["stays"]
    agents.show(stays, A, "e1 e2 e3")
    agents.show(agents.of("new"), A, "e4")
    assert stays.pages_showing("e1") == [A]
