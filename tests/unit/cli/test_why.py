"""
``reticle why``.
"""

from __future__ import annotations

from reticle.cli.why import why_lines


def test_what_is_and_what_was() -> None:
    """
    How a job is, who holds it, what it waits for, and what happened, the oldest first.
    """
    found = {
        "run": {"run_id": "run_1", "state": "running"},
        "job": {
            "job_id": "job_1", "id": "fix", "role": "coder", "state": "claimed", "attempt": 1,
            "max_attempts": 3,
        },
        "held_by": {"session_id": "sess_1", "expires_at": "2030", "lapsed": True},
        "waits_for_jobs": [{"job_id": "job_2", "id": "plan", "state": "queued"}],
        "lease": {"state": "active", "fencing": 4},
        "events": [{"at": "2029", "kind": "queue.claimed", "job_id": "job_1"}],
    }  # fmt: skip
    assert list(why_lines(found)) == [
        "run_1  running",
        "job_1  fix  claimed (coder)",
        "held by sess_1 until 2030, which has lapsed",
        "waits for job_2 plan, which is queued",
        "the lease is active, fencing 4",
        "2029  queue.claimed  job_1",
    ]
