"""
Runs, jobs, sessions and escalations as people read them.
"""

from __future__ import annotations

from typing import Any

from reticle.cli.work_lines import (
    artifact_line,
    escalation_line,
    event_line,
    job_line,
    packet_line,
    run_lines,
    session_line,
    status_lines,
)

JOB: dict[str, Any] = {
    "job_id": "job_1", "id": "fix", "type": "work", "role": "coder", "state": "queued", "attempt": 2,
    "max_attempts": 3, "fencing": 2, "reason": "the lease lapsed",
}  # fmt: skip
SESSION: dict[str, Any] = {
    "session_id": "sess_1", "role": "coder", "slot": 1, "state": "active", "last_call_seconds_ago": 4,
    "job_id": "job_1", "stalled": "agent_ack_stall",
}  # fmt: skip


def test_a_run_is_shown_with_what_it_has() -> None:
    """
    One line for the run, one for each job and agent, what is late beside it.
    """
    run = {
        "run_id": "run_1", "state": "running", "title": "fixes", "jobs_by_state": {"queued": 1},
        "jobs": [JOB], "sessions": [SESSION],
    }  # fmt: skip
    assert list(run_lines(run)) == [
        "run_1  running fixes  1 queued",
        "  job_1  fix  queued (coder, attempt 2 of 3): the lease lapsed",
        "  sess_1  coder 1  active, called 4 s ago, works on job_1, late: agent_ack_stall",
    ]


def test_what_is_left_out_is_said() -> None:
    """
    A list that was cut does not look whole.
    """
    run = {"run_id": "run_1", "state": "running", "truncated": True}
    lines = list(status_lines({"runs": [run], "truncated": True, "escalations": [], "next_actions": []}))
    assert [line.strip()[:10] for line in lines] == ["run_1  run", "… and more", "… and more"]


def test_several_questions_are_one_line() -> None:
    """
    What an agent asked one after the other stands in the line of its escalation.
    """
    asked = {"escalation_id": "blk_1", "kind": "session.question", "open_seconds": 3}
    assert escalation_line({**asked, "description": "which price?\nwhich page?"}).endswith(
        "which price? / which page?"
    )


def test_how_the_work_is_says_what_to_do() -> None:
    """
    Who works on what, what waits for an agent or for a person, and the next step.
    """
    run = {
        "run_id": "run_1", "state": "running",
        "working": [{"session_id": "sess_1", "job_id": "job_1", "acked": False, "seconds_left": 9}],
        "claimable_jobs": [{"job_id": "job_2", "id": "draw", "role": "artist", "waiting_seconds": 7}],
        "late": [{"session_id": "sess_2", "role": "artist", "stalled": "agent_await_packet_stall"}],
        "waiting_for_people": [{"job_id": "job_3", "id": "decide", "reason": "two prices"}],
    }  # fmt: skip
    escalation = {"escalation_id": "blk_1", "description": "two prices"}
    found = {"runs": [run], "escalations": [escalation], "next_actions": ["escalation.resolve: decide"]}
    assert list(status_lines(found)) == [
        "run_1  running",
        "  sess_1 works on job_1 (9 s left, not acknowledged)",
        "  job_2 draw waits for: artist, 7 s",
        "  sess_2 (artist) is late: agent_await_packet_stall",
        "  job_3 decide waits for a person: two prices",
        "blk_1 waits for a person: two prices",
        "next: reticle escalations resolve: decide",
    ]


def test_each_thing_has_a_line() -> None:
    """
    Ids come first, so that a line can be cut and given to the next command.
    """
    escalation = {
        "escalation_id": "blk_1", "kind": "max_attempts", "job_id": "job_1", "open_seconds": 3,
        "description": "three attempts", "resolution": "once more",
    }  # fmt: skip
    event = {
        "seq": 1,
        "at": "2030-01-01T00:00:00Z",
        "kind": "queue.claimed",
        "job_id": "job_1",
        "detail": "x",
    }
    packet = {"packet_id": "wp_1", "job_id": "job_1", "session_id": "sess_1", "created_at": "2030"}
    artifact = {
        "artifact_id": "art_1", "kind": "source", "logical_name": "change", "path": "a.py",
        "sha256": "0123456789abcdef",
    }  # fmt: skip
    assert escalation_line(escalation) == "blk_1  max_attempts job_1  3 s: three attempts -> once more"
    assert event_line(event) == "2030-01-01T00:00:00Z  queue.claimed  job_1  x"
    assert event_line({**event, "job_id": None, "detail": {"attempt": 2, "role": "coder"}}) == (
        "2030-01-01T00:00:00Z  queue.claimed  attempt 2, role coder"
    )
    assert packet_line(packet) == "wp_1  job_1  sess_1  2030"
    assert artifact_line(artifact) == "art_1  source change  a.py 0123456789ab"
    assert job_line({**JOB, "attempt": 1, "reason": ""}) == "job_1  fix  queued (coder)"
    assert session_line({**SESSION, "job_id": None, "stalled": None}) == (
        "sess_1  coder 1  active, called 4 s ago"
    )
