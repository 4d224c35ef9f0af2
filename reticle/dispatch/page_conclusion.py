"""
The end of a call that was about a page: what belongs to the page is put to the answer, and what the agent was
shown is remembered for its next call.
"""

from __future__ import annotations

from reticle.dispatch.agents import Agent, Agents, LastPage
from reticle.dispatch.attended import AttendedPages
from reticle.dispatch.audit import ASKED, CANCELLED
from reticle.dispatch.envelope import control, enclosed
from reticle.dispatch.errand import Errand
from reticle.dispatch.outcome import Outcome
from reticle.dispatch.outline import outline


def on_its_page(
    outcome: Outcome, errand: Errand, attended: AttendedPages, *, agents: Agents, agent: Agent, now: float
) -> Outcome:
    """
    The outcome with what belongs to its page; one about no page stays as it is.

    Nothing is taken for a call that its client no longer wants. What is no tool may be wanted by the host and
    not by the agent: it takes no messages and changes no page, but its refs are shown.

    Args:
        outcome: How the call ended, its row written.
        errand: What it was.
        attended: Which page it was about.
        agents: Who remembers.
        agent: Whose call it was.
        now: Monotonic seconds.
    """
    page = attended.page
    if page is None or outcome.decided in {CANCELLED, ASKED}:
        return outcome
    identity = page.identity
    if errand.tool is None:
        if outcome.answer is not None:
            agents.show(agent, identity.page_id, outcome.answer.text or "")
        return outcome
    agent.last = LastPage(
        identity.page_id, identity.url, now, identity.project_id, driven=identity.attested is not None
    )
    if outcome.answer is not None:
        answer = enclosed(outcome.answer, errand.tool, attended, agent)
        agents.show(agent, identity.page_id, answer.text or "")
        outcome.answer = answer
        return outcome
    assert outcome.refusal is not None
    refusal = outcome.refusal
    # What was asked for stands in the message; only the details name what the page has.
    agents.show(agent, identity.page_id, outline(refusal.details))
    if not attended.is_for_another:
        refusal.details = {**refusal.details, **control(page.steering)}
    return outcome
