"""
An agent waits for its next packet: woken by the event, told why there is none, and never claimed for in vain.
"""

from __future__ import annotations

import pytest

from reticle.model.work_limits import AWAIT_SECONDS
from tests.unit.tools.work.office import Office

ONE = {"id": "one"}
TWO = {"id": "two", "depends_on": ["one"]}


def finish(office: Office, worker: object, **of: object) -> None:
    """
    Acknowledge and complete a packet.
    """
    from tests.unit.tools.work.office import Employee

    assert isinstance(worker, Employee)
    assert worker.call("work.ack", **of)["ok"]
    assert worker.call("work.complete", **of)["ok"]
    assert office.failures == []


def test_a_packet_that_is_there_is_given_at_once() -> None:
    """
    An agent that asks while work is there gets it with all it needs, and what to call next.
    """
    office = Office(ONE)
    told = office.agent().call("work.await_packet", lease_seconds=90)
    assert (told["type"], told["status"]) == ("work_packet", "claimed")
    assert told["packet"]["lease"]["seconds"] == 90
    assert told["packet"]["lease"]["lease_id"] == told["lease_id"]
    assert told["next_action"].startswith("work.ack")


def test_a_wait_is_woken_by_the_job_before() -> None:
    """
    An agent that waits gets the next packet in the moment in which it is queued, without a poll.
    """
    office = Office(ONE, {**TWO, "role": "tester"})
    maker, tester = office.agent(), office.agent("tester")
    waiting = tester.ask("work.await_packet")
    assert waiting.answer is None
    got = maker.call("work.await_packet")
    finish(office, maker, lease_id=got["lease_id"])
    assert waiting.answer is not None
    assert waiting.answer["packet"]["job"]["id"] == "two"


def test_each_packet_wakes_one_of_those_who_wait() -> None:
    """
    A hundred waiting agents cost one look for a packet, and nobody gets another's.
    """
    office = Office(ONE, *({"id": f"j{place}", "depends_on": ["one"]} for place in range(3)))
    first, others = office.agent(), [office.agent() for _ in range(4)]
    got = first.call("work.await_packet")
    waits = [each.ask("work.await_packet") for each in others]
    finish(office, first, lease_id=got["lease_id"])
    jobs = [each.answer["packet"]["job"]["id"] for each in waits if each.answer is not None]
    assert sorted(jobs) == ["j0", "j1", "j2"]
    assert [each.answer is None for each in waits].count(True) == 1


def test_a_review_that_is_not_for_the_first_wakes_the_next() -> None:
    """
    A review that came back wakes the author of the work, who may not have it, and then the next one who may.
    """
    review = {"id": "look", "type": "review", "depends_on": ["one"]}
    office = Office(ONE, review, roles={"maker": {"reviewer": True}})
    author, fellow, gone, other = (office.agent() for _ in range(4))
    finish(office, author, lease_id=author.call("work.await_packet")["lease_id"])
    lease = gone.call("work.claim_next")["lease_id"]
    waits = [each.ask("work.await_packet") for each in (author, fellow, other)]
    gone.call("work.release", lease_id=lease)
    jobs = [None if each.answer is None else each.answer["job_id"] for each in waits]
    assert jobs[0] is None
    assert [bool(each) for each in jobs[1:]] == [True, False]
    assert office.failures == []


def test_a_wait_ends_with_its_reason_before_the_client_gives_up() -> None:
    """
    After 50 s an agent is told why there is nothing and that it is to ask again, and heard of it meanwhile.
    """
    office = Office(ONE)
    holder, other = office.agent(), office.agent()
    holder.call("work.await_packet", lease_seconds=3_600)
    waiting = other.ask("work.await_packet")
    office.clock.advance(AWAIT_SECONDS - 1)
    assert waiting.answer is None
    for _ in range(3):
        office.clock.advance(1)
    assert waiting.answer is not None
    told = waiting.answer
    assert (told["status"], told["reason"], told["idle_behavior"]) == (
        "no_work",
        "all_claimed",
        "keep_waiting",
    )
    assert "work.await_packet" in told["next_action"]
    assert waiting.progress.told
    assert office.clock.pending() == 0


def test_a_lease_that_lapses_wakes_whoever_waits() -> None:
    """
    The packet of an agent that died is the waiting one's when its time is over, before any sweep.
    """
    office = Office(ONE)
    dead, other = office.agent(), office.agent()
    dead.call("work.await_packet", lease_seconds=20)
    waiting = other.ask("work.await_packet")
    for _ in range(22):
        office.clock.advance(1)
    assert waiting.answer is not None
    assert waiting.answer["packet"]["job"]["attempt"] == 1
    assert waiting.answer["packet"]["previous_attempt"] == "the time of its lease was over"


def test_a_wait_ends_with_its_connection() -> None:
    """
    An agent that is gone is not waited for any more, and what comes then is another's.
    """
    office = Office(ONE, {**TWO, "role": "tester"})
    maker, gone, other = office.agent(), office.agent("tester"), office.agent("tester")
    left = gone.ask("work.await_packet")
    waits = other.ask("work.await_packet")
    left.hang_up()
    assert left.answer is not None
    assert left.answer["error"] == "cancelled"
    got = maker.call("work.await_packet")
    finish(office, maker, lease_id=got["lease_id"])
    assert waits.answer is not None
    assert waits.answer["packet"]["job"]["id"] == "two"
    assert office.clock.pending() == 0


def test_a_packet_whose_answer_reaches_nobody_goes_to_the_next_one() -> None:
    """
    When the peer vanished between claim and answer, the packet waits for no lease and costs no attempt.
    """
    office = Office(ONE)
    gone, other = office.agent(), office.agent()
    asked = gone.ask("work.await_packet", lease_seconds=3_600)
    assert asked.answer is not None
    waiting = other.ask("work.await_packet")
    assert waiting.answer is None
    asked.call.was_unheard()
    assert waiting.answer is not None
    assert waiting.answer["packet"]["job"]["attempt"] == 1
    assert gone.call("work.ack", lease_id=asked.answer["lease_id"])["error"] == "lease_error"


def test_a_peer_that_goes_while_its_claim_is_committed_gives_it_back() -> None:
    """
    A disconnect in the middle of the commit leaves no packet behind that nobody has.
    """
    office = Office(ONE)
    agent = office.agent()
    office.bench.audit.holding = True
    asked = agent.ask("work.claim_next")
    assert asked.answer is None
    asked.hang_up()
    office.bench.audit.holding = False
    office.bench.audit.commit()
    assert office.state("one") == "queued"


@pytest.mark.parametrize("end", ["session.close", "run.cancel"])
def test_a_wait_ends_when_there_will_be_no_more(end: str) -> None:
    """
    Agents are sent home in the moment in which the run is given up or their session closed.
    """
    office = Office(ONE)
    office.agent().call("work.await_packet")
    agent = office.agent()
    waiting = agent.ask("work.await_packet")
    if end == "run.cancel":
        assert office.operator.call(end, run_id=office.run_id)["ok"]
    else:
        assert office.operator.call(end, session_id=agent.session_id, reason="enough")["ok"]
    assert waiting.answer is not None
    assert (waiting.answer["type"], waiting.answer["idle_behavior"]) == ("session_terminal", "exit_session")


def test_a_look_that_found_nothing_leaves_one_row_and_no_change() -> None:
    """
    Waiting costs one audit row however often the agent was woken.
    """
    office = Office(ONE, {**TWO, "role": "tester"})
    tester = office.agent("tester")
    before = len(office.bench.audit.rows)
    waiting = tester.ask("work.await_packet", wait_seconds=2)
    for _ in range(3):
        office.clock.advance(1)
    assert waiting.answer is not None
    assert [(row.tool, row.decision) for row in office.bench.audit.rows[before:]] == [
        ("work.await_packet", "allowed")
    ]


def test_packets_can_be_looked_at_again() -> None:
    """
    What was handed over can be read later, word for word, by packet and by job, and by no other repository.
    """
    office = Office(ONE)
    got = office.agent().call("work.claim_next")
    shown = office.operator.call("work.packet_show", packet_id=got["packet_id"], raw=True)["packets"]
    assert [each["packet"] for each in shown] == [got["packet"]]
    by_job = office.operator.call("work.packet_show", job_id=got["job_id"])["packets"]
    assert [each["packet_sha256"] for each in by_job] == [got["packet_sha256"]]
    assert office.operator.call("work.packet_show", packet_id="wp_x")["error"] == "not_found"
    assert office.operator.call("work.packet_show")["error"] == "bad_arguments"


def test_packets_that_are_left_out_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Who reads packets word for word gets as many as they can read, and hears that there are more.
    """
    office = Office(*({"id": f"j{place}", "prompt": "x" * 900} for place in range(3)))
    for _ in range(3):
        office.agent().call("work.claim_next")
    asked = {"run_id": office.run_id, "raw": True}
    whole = office.operator.call("work.packet_show", **asked)
    assert (len(whole["packets"]), whole.get("truncated")) == (3, None)
    two = office.operator.call("work.packet_show", **asked, limit=2)
    assert (len(two["packets"]), two["truncated"]) == (2, True)
    monkeypatch.setattr("reticle.tools.work.packets_shown.RAW_CHARS", 1_000)
    one = office.operator.call("work.packet_show", **asked)
    assert (len(one["packets"]), one["truncated"]) == (1, True)


def test_a_wait_without_a_packet_says_where_it_left_off() -> None:
    """
    An agent whose wait ended brings the cursor back and hears what happened in the run meanwhile.
    """
    office = Office(ONE, {**TWO, "role": "tester"})
    maker, tester = office.agent(), office.agent("tester")
    first = tester.call("work.await_packet", wait_seconds=0)
    assert (first["status"], "since" in first) == ("no_work", False)
    got = maker.call("work.await_packet")
    again = tester.call("work.await_packet", wait_seconds=0, cursor=first["cursor"])
    assert [each["kind"] for each in again["since"]] == ["job.claimed"]
    assert again["since"][-1]["job_id"] == got["job_id"]
    assert again["cursor"] > first["cursor"]
    later = tester.call("work.await_packet", wait_seconds=0, cursor=again["cursor"])
    assert (later["since"], later["cursor"]) == ([], again["cursor"])
