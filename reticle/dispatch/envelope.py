"""
What the gate adds to an answer about a page: what a person there wants, and what the agent should mind.

Each key is left out when it would say nothing (reticle-tools §1.3, "envelope keys").

===================  =========================================================================
``control``          ``{state, guidance[]}``: the panel's state and a person's messages, each once
``warning``          the page is throttled, so what did not happen may only be late
``session_switched`` the page of the last call is gone; this answer is about another one
``session_age_…``    the agent left the page alone for a long time
``verify_next``      several actions were not proved by a verdict
===================  =========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.dispatch.agents import Agent
from reticle.dispatch.attended import AttendedPages
from reticle.dispatch.outline import outline
from reticle.model.codes import ControlState
from reticle.model.limits import ANSWER_CHARS, STALE_SECONDS
from reticle.ports import Answer, Page, Steering
from reticle.tools.spec import Tool, ToolAnswer

THROTTLED = "The browser slows this page down: what did not happen may only be late."


def enclosed(answer: Answer, tool: Tool, attended: AttendedPages, agent: Agent) -> Answer:
    """
    The answer with what belongs to it; an answer about no page stays as it is.

    A person's messages are taken by this, so it is done once, for an answer that leaves.
    """
    page = attended.page
    if page is None:
        return answer
    unproved = agent.acted(answer.actions, proved=tool.bears_verdict)
    added = {
        **({} if attended.is_for_another else control(page.steering)),
        **_health(page, answer.fields),
        **_history(page, attended),
        **({} if unproved is None else {"verify_next": _reminder(unproved)}),
    }
    body = outline(answer.fields) if answer.text is None else answer.text
    fields, text = {**answer.fields, **added}, _joined(body, outline(added))
    return ToolAnswer(fields, text, answer.verdict_id, answer.actions, answer.blocks)


def control(steering: Steering) -> dict[str, object]:
    """
    ``{"control": …}`` when a person wants something; takes their messages.
    """
    guidance, state = steering.take_guidance(), steering.state
    if state is ControlState.ACTIVE and not guidance:
        return {}
    told: dict[str, object] = {"state": state.value, "guidance": list(guidance.messages)}
    if guidance.dropped:
        told["droppedOldest"] = guidance.dropped
    return {"control": told}


def _joined(body: str, added: str) -> str:
    """
    Both texts; what was added goes first where the end would be cut off.
    """
    parts = [body, added] if len(body) + len(added) < ANSWER_CHARS else [added, body]
    return "\n".join(filter(None, parts))


def _health(page: Page, fields: Mapping[str, object]) -> dict[str, object]:
    throttled = page.health().connected and page.health().throttled(STALE_SECONDS)
    return {"warning": THROTTLED} if throttled and "warning" not in fields else {}


def _history(page: Page, attended: AttendedPages) -> dict[str, object]:
    added: dict[str, object] = {}
    if attended.switched_from is not None:
        added["session_switched"] = {
            "from": attended.switched_from,
            "to": page.identity.page_id,
            "url": page.identity.url,
        }
    if attended.warns_of_age():
        minutes = round(attended.idle_seconds / 60)
        added["session_age_warning"] = (
            f"You left this page alone for {minutes} minutes: refs and what you know of it may be old."
        )
    return added


def _reminder(unproved: int) -> str:
    return (
        f"{unproved} actions without a verdict: name what must have come of them and prove it with "
        "reticle_assert, or act with reticle_act_and_wait."
    )
