"""
Agents come into a run, say how they are, and leave.
"""

from __future__ import annotations

import pytest

from reticle.domain.work import claimed
from reticle.domain.work.sessions import capabilities_of, close, report
from reticle.model.codes import Capability, RefusalCode
from reticle.model.work import WorkSession
from reticle.model.work_limits import REASON_CHARS, SESSION_TOKEN_SECONDS
from reticle.model.work_plan import JobPlan, RolePlan
from reticle.model.work_words import (
    JobState,
    ReportKind,
    ReportObstacle,
    ReportPhase,
    Severity,
    WorkSessionState,
)
from tests.unit.domain.work.desk import OPERATOR, Desk, refusal_of

ONE = JobPlan(id="one", role="maker")
TWO_SLOTS = {"maker": RolePlan(slots=2)}


def reported(
    desk: Desk,
    session: WorkSession,
    kind: ReportKind,
    obstacle: ReportObstacle | None = None,
    message: str = "hello",
) -> dict[str, object]:
    """
    What a report is answered.
    """
    told = desk.do(
        report,
        OPERATOR,
        session.session_id,
        kind=kind,
        phase=ReportPhase.AWAIT_PACKET,
        message=message,
        obstacle=obstacle,
    )
    return dict(told)


def test_agents_take_the_free_slots_of_their_role() -> None:
    """
    As many agents work at once as the plan says, and one more is refused with who they are.
    """
    desk = Desk(ONE, roles=TWO_SLOTS)
    first, second = desk.agent(), desk.agent()
    assert (first.slot, second.slot) == (1, 2)
    refused = refusal_of(desk.agent)
    assert refused.code == RefusalCode.CONFLICT
    assert refused.details["sessions"] == [first.session_id, second.session_id]
    desk.do(close, OPERATOR, first.session_id, reason="done")
    assert desk.agent().slot == 1


@pytest.mark.parametrize(("role", "slot"), [("nobody", None), ("maker", 3)])
def test_a_role_or_slot_that_the_run_has_not_is_refused(role: str, slot: int | None) -> None:
    """
    An agent that is started wrongly learns what there is.
    """
    desk = Desk(ONE, roles=TWO_SLOTS)
    assert refusal_of(desk.agent, role, slot=slot).code == RefusalCode.NOT_FOUND


def test_who_lives_is_displaced_on_purpose_only() -> None:
    """
    A session that called something lately keeps its slot, unless somebody says why not.
    """
    desk = Desk(ONE, roles=TWO_SLOTS)
    old = desk.agent()
    desk.now += 100
    refused = refusal_of(desk.agent, slot=1, replace=True)
    assert refused.code == RefusalCode.DISPLACED_SESSION_LIVE
    assert refused.details == {"session_id": old.session_id}
    assert refusal_of(desk.agent, slot=1, replace=True, force_live=True).code == RefusalCode.BAD_ARGUMENTS
    busy = {"used_us": lambda token_id: round(desk.now * 1e6) if token_id == old.token_id else 0}
    desk.now += 100
    assert refusal_of(desk.agent, slot=1, replace=True, **busy).code == RefusalCode.DISPLACED_SESSION_LIVE
    heir = desk.agent(slot=1, replace=True, force_live=True, reason="it hangs")
    assert (heir.slot, desk.session_now(old).state) == (1, WorkSessionState.DISPLACED)


def test_who_is_silent_is_displaced_and_its_packet_goes_on() -> None:
    """
    The work of a dead agent is the next one's as soon as somebody takes its place.
    """
    desk = Desk(ONE, roles=TWO_SLOTS)
    old = desk.agent()
    desk.with_packet(claimed.ack, desk.claim(old, seconds=3_600))
    desk.now += 121
    heir = desk.agent(slot=1, replace=True)
    assert desk.job("one").state is JobState.QUEUED
    assert desk.claim(heir).job.attempt == 2


def test_the_slots_of_the_dead_are_free_after_a_day() -> None:
    """
    Agents whose machine went down fill no role for ever; one that called anything in that time is not dead.
    """
    desk = Desk(ONE, roles=TWO_SLOTS)
    first, second = desk.agent(), desk.agent()
    desk.now += SESSION_TOKEN_SECONDS
    assert refusal_of(desk.agent).code == RefusalCode.CONFLICT
    reported(desk, second, ReportKind.HEARTBEAT)
    desk.now += 1
    third = desk.agent()
    assert third.slot == first.slot
    assert desk.session_now(first).state is WorkSessionState.DISPLACED
    assert desk.session_now(second).state is WorkSessionState.ACTIVE
    assert refusal_of(desk.agent).code == RefusalCode.CONFLICT


def test_a_closed_session_gives_its_packet_back_once() -> None:
    """
    An agent that leaves takes no work along, and may leave twice.
    """
    desk = Desk(ONE)
    agent = desk.agent()
    desk.claim(agent, seconds=3_600)
    assert desk.do(close, OPERATOR, agent.session_id, reason="done")[1] is False
    assert desk.job("one").state is JobState.QUEUED
    assert desk.do(close, OPERATOR, agent.session_id, reason="done")[1] is True
    assert refusal_of(reported, desk, agent, ReportKind.READY).code == RefusalCode.SESSION_INACTIVE


def test_the_token_of_a_session_that_ended_looks_at_nothing_more() -> None:
    """
    A closed agent reads no work and drives no page; for ten minutes it is still told why it shall end.
    """
    desk = Desk(ONE, roles=TWO_SLOTS)
    agent, other = desk.agent(), desk.agent()
    desk.do(close, OPERATOR, agent.session_id, reason="done")

    def ends(session: WorkSession) -> dict[str, float | None]:
        asked = "SELECT capability, expires_at FROM token_grant WHERE token_id = ?"
        return dict(desk.work.rows(asked, session.token_id))

    assert {word for word, at in ends(agent).items() if at == desk.now} == {"read", "observe", "drive"}
    assert set(ends(other).values()) == {None}
    (told,) = desk.work.rows("SELECT expires_at FROM token WHERE token_id = ?", agent.token_id)
    assert told == (desk.now + 600,)


def test_a_report_is_no_acknowledgement() -> None:
    """
    An agent that reports instead of acknowledging is told that its packet waits.
    """
    desk = Desk(ONE)
    agent = desk.agent()
    assert "unacked_packet" not in reported(desk, agent, ReportKind.READY)
    got = desk.claim(agent)
    told = reported(desk, agent, ReportKind.HEARTBEAT)
    assert (told["unacked_packet"], told["next_action"]) == (True, "work.ack")
    assert desk.job("one").state is JobState.CLAIMED
    desk.with_packet(claimed.ack, got)
    told = reported(desk, agent, ReportKind.HEARTBEAT)
    assert "unacked_packet" not in told
    assert str(told["next_action"]).startswith("do the work")


@pytest.mark.parametrize(
    ("kind", "severity"),
    [(ReportKind.QUESTION, Severity.BLOCKED), (ReportKind.ESCALATE, Severity.HUMAN_CHECKPOINT)],
)
def test_a_question_reaches_a_person_once(kind: ReportKind, severity: Severity) -> None:
    """
    What an agent asks stands where people look, and asking again does not make two of it.
    """
    desk = Desk(ONE)
    agent = desk.agent()
    first = reported(desk, agent, kind, ReportObstacle.AUTH_PROMPT)
    assert str(first["blocker_id"]) in str(first["next_action"])
    again = reported(desk, agent, kind, ReportObstacle.AUTH_PROMPT)
    assert again["blocker_id"] == first["blocker_id"]
    (blocker,) = desk.open_blockers()
    assert (blocker.session_id, blocker.severity) == (agent.session_id, severity)
    assert blocker.description == "auth_prompt: hello"


def test_a_second_question_is_not_lost_in_the_first() -> None:
    """
    A person reads all that an agent asked since they last answered, the newest in any case.
    """
    desk = Desk(ONE)
    agent = desk.agent()
    reported(desk, agent, ReportKind.QUESTION, message="which price?")
    reported(desk, agent, ReportKind.QUESTION, message="which page?")
    (blocker,) = desk.open_blockers()
    assert blocker.description == "which price?\nwhich page?"
    for number in range(20):
        reported(desk, agent, ReportKind.QUESTION, message=f"{number}" * 140)
    (blocker,) = desk.open_blockers()
    assert len(blocker.description) == REASON_CHARS
    assert blocker.description.endswith("19" * 140)


def test_only_reviewers_get_tokens_that_may_review() -> None:
    """
    An agent's token can do what its role does and nothing else; all of them can see the page.
    """
    maker, judge = capabilities_of(RolePlan()), capabilities_of(RolePlan(reviewer=True))
    assert set(judge) - set(maker) == {Capability.REVIEW}
    assert set(maker) == {
        Capability.CLAIM, Capability.WRITE, Capability.READ, Capability.OBSERVE, Capability.DRIVE,
    }  # fmt: skip
