"""
Packets are taken back, and people decide.
"""

from __future__ import annotations

from tests.unit.tools.work.office import Employee, Office

ONE = {"id": "one"}


def stuck(office: Office) -> Employee:
    """
    An agent that cannot go on.
    """
    agent = office.agent()
    got = agent.call("work.claim_next")
    agent.call("work.ack", lease_id=got["lease_id"])
    told = agent.call(
        "work.block", lease_id=got["lease_id"], kind="ambiguous_goal", description="which price?"
    )
    assert (told["status"], told["job_state"]) == ("blocked", "waiting_human")
    return agent


def test_what_lapsed_is_taken_back_on_demand() -> None:
    """
    An operator need not wait for the sweep.
    """
    office = Office(ONE)
    office.agent().call("work.claim_next", lease_seconds=5)
    assert office.operator.call("recovery.requeue_stale", run_id=office.run_id)["requeued"] == 0
    office.clock.advance(6)
    told = office.operator.call("recovery.requeue_stale", run_id=office.run_id)
    assert (told["requeued"], told["jobs"][0]["state"]) == (1, "queued")


def test_force_needs_its_reason() -> None:
    """
    Nobody takes a claim that has time left by accident.
    """
    office = Office(ONE)
    got = office.agent().call("work.claim_next")
    asked = {"run_id": office.run_id, "job_id": got["job_id"]}
    assert office.operator.call("recovery.requeue_stale", **asked)["error"] == "conflict"
    assert office.operator.call("recovery.requeue_stale", **asked, force=True)["error"] == "bad_arguments"
    told = office.operator.call("recovery.requeue_stale", **asked, force=True, justification="it hangs")
    assert told["requeued"] == 1


def test_nothing_waits_for_a_person_where_nothing_is_left_to_decide() -> None:
    """
    Who gives a run up, or a job with those behind it, finds no question about it in the inbox.
    """
    office = Office(ONE, {"id": "two"}, {"id": "three"})
    stuck(office)
    office.clock.advance(1)
    agent = stuck(office)
    office.clock.advance(1)
    agent.call("session.report", report_kind="escalate", blocker_kind="auth_prompt", message="log in")
    inbox = office.operator.call("escalation.list")["escalations"]
    assert [each["kind"] for each in inbox] == ["session.escalate", "ambiguous_goal", "ambiguous_goal"]
    asked = {"escalation_id": inbox[1]["escalation_id"], "action": "cancel_job"}
    assert office.operator.call("escalation.resolve", **asked)["job_state"] == "canceled"
    assert len(office.operator.call("escalation.list")["escalations"]) == 2
    office.operator.call("run.cancel", run_id=office.run_id)
    assert office.operator.call("escalation.list")["escalations"] == []
    (first,) = [
        each
        for each in office.operator.call("escalation.list", state="resolved")["escalations"]
        if each["escalation_id"] == inbox[2]["escalation_id"]
    ]
    assert first["resolution"] == "moot: the run is canceled"


def test_what_waits_for_a_person_is_seen_with_its_age_and_decided_once() -> None:
    """
    A run that stands still says so, since when and why; a decision moves it on, and counts once.
    """
    office = Office(ONE)
    agent = stuck(office)
    office.clock.advance(30)
    (run,) = office.operator.call("status")["runs"]
    assert run["state"] == "needs_operator"
    (shown,) = office.operator.call("escalation.list")["escalations"]
    assert (shown["description"], shown["open_seconds"]) == ("which price?", 30)
    waiting = agent.ask("work.await_packet")
    assert waiting.answer is None
    decided = {"escalation_id": shown["escalation_id"], "resolution": "the lower one"}
    told = office.operator.call("escalation.resolve", **decided)
    assert (told["state"], told["already_resolved"]) == ("resolved", False)
    assert waiting.answer is not None
    packet = waiting.answer["packet"]
    assert packet["previous_attempt"] == "a person wants it tried again: the lower one"
    assert office.operator.call("escalation.resolve", **decided)["already_resolved"] is True
    assert office.operator.call("escalation.list")["escalations"] == []
    assert len(office.operator.call("escalation.list", state="resolved")["escalations"]) == 1
    assert agent.call("escalation.resolve", **decided, session_id="x")["ok"] is False
