"""
What the gate adds to an answer about a page.
"""

from __future__ import annotations

import attrs

from reticle.dispatch.agents import Agent, LastPage
from reticle.dispatch.attended import AttendedPages
from reticle.dispatch.envelope import THROTTLED, enclosed
from reticle.model.codes import EventType
from reticle.model.ids import PageId
from reticle.model.limits import ANSWER_CHARS
from reticle.ports import Answer
from reticle.testing.gate import scripted_tool
from reticle.testing.pages import FakePage, FakePages
from reticle.tools.spec import ToolAnswer

TOOL = scripted_tool("test_look", None)


def look(page: FakePage, answer: ToolAnswer, agent: Agent | None = None) -> Answer:
    """
    An answer about a page, enclosed.
    """
    agent = agent or Agent()
    attended = AttendedPages(FakePages(page), agent, acts=False, now=1_000.0)
    attended.resolve(None)
    return enclosed(answer, TOOL, attended, agent)


def test_a_healthy_answer_is_left_alone() -> None:
    """
    Where there is nothing to say nothing is said.
    """
    enclosed_answer = look(FakePage(), ToolAnswer({"count": 1}, "count 1"))
    assert (enclosed_answer.fields, enclosed_answer.text) == ({"count": 1}, "count 1")
    assert look(FakePage(), ToolAnswer({"count": 1})).text == "count: 1"


def test_a_person_s_words_come_once_with_fields_and_text() -> None:
    """
    A message reaches the agent with its next answer, whatever it asked, and not again.
    """
    page = FakePage()
    page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
    page.record(EventType.HUMAN_CONTROL, {"kind": "message", "text": "use the other form"})
    answer = look(page, ToolAnswer({"count": 1}, "count 1"))
    assert answer.fields["control"] == {"state": "paused", "guidance": ["use the other form"]}
    assert answer.text == "count 1\ncontrol:\n  state: paused\n  guidance: [use the other form]"
    assert look(page, ToolAnswer({})).fields["control"] == {"state": "paused", "guidance": []}


def test_an_answer_about_no_page_takes_nobodys_words() -> None:
    """
    A message waits for a call that is about its page.
    """
    page, agent = FakePage(), Agent()
    page.record(EventType.HUMAN_CONTROL, {"kind": "message", "text": "hello"})
    attended = AttendedPages(FakePages(page), agent, acts=False, now=0.0)
    answer = ToolAnswer({"total": 3})
    assert enclosed(answer, TOOL, attended, agent) is answer
    assert page.steering.waiting() == 1


def test_a_slowed_page_is_said_so() -> None:
    """
    An empty result in a background tab is not read as "nothing happened"; a tool's own warning stays.
    """
    page = FakePage()
    page.hide()
    assert look(page, ToolAnswer({})).fields["warning"] == THROTTLED
    assert look(page, ToolAnswer({"warning": "covered"})).fields["warning"] == "covered"
    page.disconnect()
    gone = AttendedPages(FakePages(page), Agent(), acts=False, now=0.0)
    gone.resolve(page.identity.page_id)
    assert "warning" not in enclosed(ToolAnswer({}), TOOL, gone, Agent()).fields


def test_the_third_unproved_action_reminds_of_a_verdict() -> None:
    """
    An agent that only acts is told how to prove; a verdict begins the count anew.
    """
    page, agent = FakePage(), Agent()
    seen = [look(page, ToolAnswer({}, actions=1), agent).fields for _ in range(3)]
    assert [("verify_next" in fields) for fields in seen] == [False, False, True]
    assert str(seen[2]["verify_next"]).startswith("3 actions without a verdict")
    proof = attrs.evolve(TOOL, bears_verdict=True)
    attended = AttendedPages(FakePages(page), agent, acts=False, now=0.0)
    attended.resolve(None)
    assert enclosed(ToolAnswer({}), proof, attended, agent).fields == {}
    assert look(page, ToolAnswer({}, actions=2), agent).fields == {}


def test_a_page_that_changed_or_aged_is_named() -> None:
    """
    The agent hears that its tab was replaced, or that it has not looked for a quarter of an hour.
    """
    page = FakePage("new")
    agent = Agent(LastPage(PageId("old"), page.identity.url, 0.0))
    switched = look(page, ToolAnswer({}), agent).fields
    assert switched == {"session_switched": {"from": "old", "to": "new", "url": page.identity.url}}
    agent = Agent(LastPage(PageId("new"), page.identity.url, 100.0))
    aged = look(page, ToolAnswer({}), agent).fields
    assert str(aged["session_age_warning"]).startswith("You left this page alone for 15 minutes")


def test_what_is_added_is_never_cut_off() -> None:
    """
    A huge answer does not hide that a person paused the agent.
    """
    page = FakePage()
    page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
    answer = look(page, ToolAnswer({}, "x" * ANSWER_CHARS))
    assert answer.text is not None
    assert answer.text.startswith("control:\n  state: paused")
