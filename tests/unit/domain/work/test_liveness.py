"""
Whether an agent gets on, told by its calls.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from reticle.domain.work.liveness import Seen, Stall, stalled
from reticle.model.ids import JobId, MessageId, RunId, WorkLeaseId, WorkSessionId
from reticle.model.work import WorkLease, WorkSession
from reticle.model.work_words import LeaseState, WorkSessionState

START = 1_000_000_000
SESSION = WorkSession(
    session_id=WorkSessionId("sess_1"),
    run_id=RunId("run_1"),
    role="maker",
    slot=1,
    label="",
    state=WorkSessionState.ACTIVE,
    token_id=None,
    registered_by="local",
    reason="",
    registered_at_us=START,
    called_at_us=START,
)
LEASE = WorkLease(
    lease_id=WorkLeaseId("lease_1"),
    run_id=RunId("run_1"),
    job_id=JobId("job_1"),
    message_id=MessageId("msg_1"),
    session_id=WorkSessionId("sess_1"),
    attempt=1,
    fencing=1,
    seconds=900,
    state=LeaseState.ACTIVE,
    claimed_at_us=START,
    until_us=START + 900_000_000,
)
CALLED = replace(SESSION, called_at_us=START + 1)
ACKED = replace(LEASE, acked_at_us=START)


@pytest.mark.parametrize(
    ("session", "lease", "seconds", "stall"),
    [
        (SESSION, None, 60, None),
        (SESSION, None, 61, Stall.DISCOVERY),
        (CALLED, None, 90, None),
        (CALLED, None, 91, Stall.AWAIT),
        (CALLED, LEASE, 60, None),
        (CALLED, LEASE, 61, Stall.ACK),
        (CALLED, ACKED, 330, None),
        (CALLED, ACKED, 331, Stall.HEARTBEAT),
        (replace(SESSION, report_kind="question", reported_at_us=START), None, 1, Stall.QUESTION),
        (replace(SESSION, report_kind="escalate", reported_at_us=START), None, 1, Stall.ESCALATION),
        (replace(CALLED, report_kind="question", reported_at_us=START), None, 1, None),
        (replace(SESSION, state=WorkSessionState.CLOSED), None, 9_999, None),
    ],
)
def test_what_an_agent_is_late_with_is_named(
    session: WorkSession, lease: WorkLease | None, seconds: int, stall: Stall | None
) -> None:
    """
    Whoever supervises sees which step an agent does not get over, and nothing while it gets on.
    """
    assert stalled(session, lease, START + seconds * 1_000_000) is stall


BEATING = replace(CALLED, called_at_us=START + 700_000_000, heartbeat_at_us=START + 700_000_000)
LONG = replace(ACKED, seconds=86_400)


@pytest.mark.parametrize(
    ("session", "lease", "seconds", "seen", "stall"),
    [
        (CALLED, None, 330, Seen(used_us=START), Stall.AWAIT),
        (CALLED, None, 331, Seen(used_us=START), Stall.IDLE),
        (CALLED, None, 331, Seen(used_us=START + 300_000_000), Stall.AWAIT),
        (CALLED, LONG, 331, Seen(used_us=START), Stall.IDLE),
        (CALLED, LONG, 331, Seen(used_us=START + 2_000_000), None),
        (CALLED, ACKED, 331, Seen(used_us=START), Stall.HEARTBEAT),
        (BEATING, ACKED, 701, Seen(acted_us=START), Stall.WEDGED),
        (BEATING, ACKED, 701, Seen(acted_us=START + 200_000_000), None),
        (BEATING, ACKED, 701, Seen(), None),
        (BEATING, replace(ACKED, acked_at_us=START + 200_000_000), 701, Seen(acted_us=START), None),
    ],
)
def test_an_agent_that_only_beats_or_says_nothing_at_all_is_told_apart(
    session: WorkSession, lease: WorkLease | None, seconds: int, seen: Seen, stall: Stall | None
) -> None:
    """
    Whoever calls other tools is not idle, and whoever calls nothing but heartbeats for ten minutes is wedged;
    where this daemon has seen nothing of an agent it accuses nobody.
    """
    assert stalled(session, lease, START + seconds * 1_000_000, seen) is stall
