"""
Agents come into a run with a token of their own, say how they are, and leave.
"""

from __future__ import annotations

from reticle.domain.tokens import FORM
from reticle.model.limits import TOKENS_LISTED
from tests.unit.tools.work.office import Employee, Office

ONE = {"id": "one"}


def test_a_session_gets_a_token_that_is_its_own() -> None:
    """
    The token that an agent gets may act as that session, in that repository, for a day, and is shown once.
    """
    office = Office(ONE)
    made = office.operator.call("session.register", run_id=office.run_id, role="maker", label="Ann")
    token = made["session_capability_token"]
    assert FORM.fullmatch(token["token"])
    assert token["capabilities"] == ["claim", "write", "read", "observe", "drive"]
    assert (made["role"], made["slot"], token["session_id"]) == ("maker", 1, made["session_id"])
    known = office.bench.tokens.find(token["token_id"])
    assert known is not None
    assert {grant.repository_id for grant in known.token.grants} == {"shop"}
    assert known.token.kind == "session"
    assert known.token.expires_at == office.clock.now() + 86_400
    assert TOKENS_LISTED


def test_an_agents_token_acts_as_nobody_else() -> None:
    """
    An agent can neither call as another session nor make itself a new one.
    """
    office = Office(ONE)
    one, other = office.agent(), office.agent()
    for name, more in (
        ("session.report", {"report_kind": "ready"}),
        ("session.close", {"reason": "x"}),
        ("work.await_packet", {}),
        ("work.claim_next", {}),
        ("work.ack", {"lease_id": "lease_x"}),
    ):
        told = one.call(name, session_id=other.session_id, **more)
        assert (told["ok"], told["error"]) == (False, "capability_denied"), name
    assert one.call("session.register", run_id=office.run_id, role="maker", session_id="x")["ok"] is False
    made = office.bench.gate
    assert made is not None
    one.session_id = ""
    assert one.call("session.register", run_id=office.run_id, role="maker")["error"] == "capability_denied"


def test_an_agent_need_not_say_which_session_it_is() -> None:
    """
    A session's own token says it; whoever calls with another token says it in the call.
    """
    office = Office(ONE)
    agent, other = office.agent(), office.agent()
    own, agent.session_id = agent.session_id, ""
    assert agent.call("session.report", report_kind="ready")["session_id"] == own
    assert agent.call("supervise.status")["session_id"] == own
    lease = agent.call("work.await_packet")["lease_id"]
    assert agent.call("work.ack", lease_id=lease)["status"] == "acked"
    assert agent.call("work.complete", lease_id=lease)["status"] == "completed"
    assert agent.call("work.complete", lease_id=lease)["status"] == "already_completed"
    assert agent.call("work.await_packet")["reason"] == "run_completed"
    assert other.call("session.report", report_kind="ready")["error"] == "session_inactive"
    told = office.operator.call("work.claim_next")
    assert (told["error"], told["recovery"]) == (
        "bad_arguments",
        "Name the session_id; list.sessions shows the sessions.",
    )


def test_a_session_is_shown_with_what_it_is_late_with() -> None:
    """
    Whoever supervises sees which agent hangs, and where.
    """
    office = Office(ONE)
    agent = office.agent()
    office.clock.advance(61)
    (shown,) = office.operator.call("list.sessions", run_id=office.run_id)["sessions"]
    assert (shown["session_id"], shown["stalled"]) == (agent.session_id, "agent_mcp_discovery_stall")
    assert agent.call("session.report", report_kind="ready", phase="await_packet", message="hi")["ok"]
    (shown,) = office.operator.call("list.sessions", run_id=office.run_id)["sessions"]
    assert "stalled" not in shown
    assert shown["report"]["message"] == "hi"
    alive = office.operator.call("supervise.status", session_id=agent.session_id)
    assert "last_report_at" in alive["protocol_liveness"]


def test_a_session_may_be_closed_twice() -> None:
    """
    An agent that leaves twice left once.
    """
    office = Office(ONE)
    agent = office.agent()
    assert agent.call("session.close", reason="done")["already_closed"] is False
    assert agent.call("session.close", reason="done")["already_closed"] is True
    told = agent.call("work.await_packet")
    assert (told["reason"], told["idle_behavior"]) == ("session_closed", "exit_session")


def test_what_is_in_the_way_goes_with_a_question() -> None:
    """
    A report that says both that all is well and what is in the way is refused.
    """
    office = Office(ONE)
    agent = office.agent()
    told = agent.call("session.report", report_kind="ready", blocker_kind="other")
    assert told["error"] == "bad_arguments"
    asked = agent.call("session.report", report_kind="question", blocker_kind="other", message="which?")
    (shown,) = office.operator.call("escalation.list")["escalations"]
    assert (shown["escalation_id"], shown["description"]) == (asked["blocker_id"], "other: which?")


def reader(agent: Employee) -> Employee:
    """
    The same agent, calling what takes no session.
    """
    return Employee(agent.office, agent.principal)


def test_every_step_says_what_comes_next() -> None:
    """
    Whoever changed something, agent or operator, is told what to do then.
    """
    office = Office(ONE, {"id": "two"}, {"id": "three"})
    agent = office.agent()
    held = agent.call("work.await_packet")
    mine = {"lease_id": held["lease_id"]}
    asked = agent.call("session.report", report_kind="question", message="which price?")
    office.operator.call("escalation.resolve", escalation_id=asked["blocker_id"], resolution="the lower one")
    answer = reader(agent).call("why", target_id=asked["blocker_id"])
    said = [
        held,
        asked,
        agent.call("session.report", report_kind="ready"),
        agent.call("work.ack", **mine),
        agent.call("work.heartbeat", **mine),
        agent.call("work.complete", **mine),
        agent.call("work.release", lease_id=agent.call("work.claim_next")["lease_id"]),
        agent.call(
            "work.block", lease_id=agent.call("work.claim_next")["lease_id"], kind="x", description="y"
        ),
        office.operator.call("recovery.requeue_stale", run_id=office.run_id),
        office.operator.call(
            "escalation.resolve",
            escalation_id=office.operator.call("escalation.list")["escalations"][0]["escalation_id"],
        ),
        agent.call("session.close", reason="done"),
        office.operator.call("run.cancel", run_id=office.run_id),
    ]
    assert [told["method"] for told in said if not told["ok"] or not told.get("next_action")] == []
    assert answer["escalation"]["resolution"] == "answered: the lower one"
