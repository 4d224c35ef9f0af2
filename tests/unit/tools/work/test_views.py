"""
How the work is, and why a thing is as it is.
"""

from __future__ import annotations

import msgspec
import pytest

from reticle.model.limits import ANSWER_CHARS
from tests.unit.tools.work.office import Office

ONE = {"id": "one"}
TWO = {"id": "two", "depends_on": ["one"]}


def test_a_job_is_found_by_its_name_in_the_plan() -> None:
    """
    Who wrote the plan asks by the id that stands there; the run that goes on is meant before one that ended.
    """
    office = Office(ONE, TWO)
    ended = office.run_id
    office.operator.call("run.cancel", run_id=ended)
    (old,) = office.operator.call("list.jobs", run_id=ended, state="canceled")["jobs"][:1]
    assert office.operator.call("why", target_id="one")["job"]["job_id"] == old["job_id"]
    office.prepare([{"id": "two"}, {"id": "one"}])
    assert office.operator.call("why", target_id="one")["run"]["run_id"] == office.run_id
    assert office.operator.call("why", target_id=f"{ended}/one")["job"]["job_id"] == old["job_id"]
    assert office.operator.call("why", target_id="three")["error"] == "not_found"


def test_an_agent_that_only_beats_is_told_from_one_that_works() -> None:
    """
    Ten minutes of heartbeats alone are a wedged agent, unless it says that it works without tools.
    """
    office = Office(ONE)
    agent = office.agent()
    lease = agent.call("work.claim_next")["lease_id"]
    agent.call("work.ack", lease_id=lease)

    def after_beats(**more: bool) -> object:
        for _ in range(3):
            office.clock.advance(250)
            assert agent.call("work.heartbeat", lease_id=lease, **more)["ok"]
        return office.operator.call("supervise.status", session_id=agent.session_id).get("stalled")

    assert after_beats(local_work=True) is None
    assert after_beats() == "wedged_no_tool_progress"
    assert office.operator.call("status")["runs"][0]["late"][0]["stalled"] == "wedged_no_tool_progress"
    agent.call("session.report", report_kind="ready")
    assert office.operator.call("supervise.status", session_id=agent.session_id).get("stalled") is None


def test_an_empty_repository_says_what_to_do() -> None:
    """
    Who asks before there is a run is told how to make one.
    """
    told = Office().operator.call("status")
    assert (told["runs"], told["next_actions"]) == ([], ["run.prepare: there is no run"])


def test_the_state_of_a_run_is_told_in_a_few_lines() -> None:
    """
    An operator sees who works on what, what could be claimed, and who hangs.
    """
    office = Office(ONE, TWO, {"id": "three"})
    agent = office.agent()
    got = agent.call("work.claim_next", lease_seconds=600)
    office.clock.advance(61)
    (run,) = office.operator.call("status", run_id=office.run_id)["runs"]
    assert run["jobs_by_state"] == {"blocked": 1, "claimed": 1, "queued": 1}
    assert run["working"] == [
        {"session_id": agent.session_id, "job_id": got["job_id"], "acked": False, "seconds_left": 539}
    ]
    assert run["late"] == [{"session_id": agent.session_id, "role": "maker", "stalled": "agent_ack_stall"}]
    (claimable,) = run["claimable_jobs"]
    assert (claimable["id"], claimable["waiting_seconds"]) == ("three", 61)


@pytest.mark.parametrize("kind", ["job_id", "lease_id", "packet_id", "message_id", "session_id", "run_id"])
def test_every_thing_has_its_story(kind: str) -> None:
    """
    Whatever id somebody has, they learn what happened to it, in order.
    """
    office = Office(ONE)
    agent = office.agent()
    got = agent.call("work.claim_next")
    ids = {**got, "session_id": agent.session_id, "run_id": office.run_id}
    told = office.operator.call("why", target_id=ids[kind])
    assert told["run"]["run_id"] == office.run_id
    happened = [event["kind"] for event in told["events"]]
    assert "job.claimed" in happened
    assert [event["seq"] for event in told["events"]] == sorted(event["seq"] for event in told["events"])


def test_a_job_that_waits_says_for_what() -> None:
    """
    A job that does not move shows who holds it, or what it waits for.
    """
    office = Office(ONE, TWO)
    agent = office.agent()
    got = agent.call("work.claim_next")
    held = office.operator.call("why", target_id=got["job_id"])["held_by"]
    assert (held["session_id"], held["lapsed"]) == (agent.session_id, False)
    jobs = office.operator.call("list.jobs", run_id=office.run_id)["jobs"]
    waiting = office.operator.call("why", target_id=jobs[1]["job_id"])
    assert [each["id"] for each in waiting["waits_for_jobs"]] == ["one"]


@pytest.mark.parametrize(
    "target", ["job_x", "sess_x", "lease_x", "wp_x", "msg_x", "blk_x", "run_x", "nonsense"]
)
def test_what_is_not_there_has_no_story(target: str) -> None:
    """
    An id that leads nowhere is told so, whatever its kind.
    """
    assert Office(ONE).operator.call("why", target_id=target)["error"] == "not_found"


def test_an_agent_may_look_and_nobody_without_read() -> None:
    """
    An agent's own token shows it the run; what concerns people only is refused to it.
    """
    office = Office(ONE)
    agent = office.agent()
    agent.session_id = ""
    assert agent.call("status")["ok"]
    assert agent.call("run.cancel", run_id=office.run_id)["error"] == "capability_missing"
    assert agent.call("recovery.requeue_stale", run_id=office.run_id)["error"] == "capability_missing"


def test_what_is_left_out_is_told() -> None:
    """
    An operator of a great run sees how many there are of what is not shown, and that it is not.
    """
    office = Office(*({"id": f"j{place}"} for place in range(21)), roles={"maker": {"slots": 60}})
    (run,) = office.operator.call("status")["runs"]
    assert (len(run["claimable_jobs"]), run["truncated"]) == (20, True)
    for number in range(51):
        agent = office.agent()
        if number < 21:
            agent.call("session.report", report_kind="question", message=f"which {number}?")
    told = office.operator.call("status")
    assert (len(told["escalations"]), told["truncated"]) == (20, True)
    shown = office.operator.call("run.detail", run_id=office.run_id)
    assert (len(shown["sessions"]), shown["truncated"]) == (50, True)


def test_an_escalation_of_the_run_is_seen_beside_many_of_others() -> None:
    """
    What waits in the run that is asked about is shown, however much waits elsewhere.
    """
    office = Office(ONE)
    office.agent().call("session.report", report_kind="escalate", message="of the first")
    first = office.run_id
    office.clock.advance(1)
    office.prepare([{"id": "x"}], {"maker": {"slots": 30}})
    for number in range(25):
        office.agent().call("session.report", report_kind="question", message=f"which {number}?")
    told = office.operator.call("status", run_id=first)
    assert [each["description"] for each in told["escalations"]] == ["of the first"]


def test_no_state_of_the_work_swamps_who_reads_it() -> None:
    """
    However many runs, agents and long questions there are, an agent that asks for the state can read it all
    (second seed, fault 193).
    """
    office = Office()
    for number in range(11):
        office.prepare([{"id": f"j{place}"} for place in range(30)], {"maker": {"slots": 30}})
        for place in range(20 if number == 10 else 6):
            agent = office.agent()
            lease = agent.call("work.claim_next")["lease_id"]
            if place % 2:
                agent.call("work.block", lease_id=lease, kind="unclear", description="x" * 2_000)
        office.clock.advance(90)
    many = office.operator.call("status")
    one = office.operator.call("status", run_id=office.run_id)
    detail = office.operator.call("run.detail", run_id=office.run_id)
    assert (len(many["runs"]), many["truncated"]) == (10, True)
    sizes = [len(msgspec.json.encode(told)) for told in (many, one, detail)]
    assert max(sizes) < ANSWER_CHARS, sizes
    (waiting, *_) = one["runs"][0]["waiting_for_people"]
    assert waiting["reason"].endswith("chars)")
    whole = office.operator.call("why", target_id=waiting["job_id"])
    assert len(whole["job"]["reason"]) == 2_000
