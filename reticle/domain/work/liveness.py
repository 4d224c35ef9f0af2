"""
Whether an agent gets on, told by its calls and never by what its terminal shows: a spinner lives when its
agent is long dead (striatum §15).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from reticle.model.work import WorkLease, WorkSession
from reticle.model.work_words import ReportKind, WorkSessionState

DISCOVERY_SECONDS: Final = 60
"""From its registration to its first call."""

AWAIT_SECONDS: Final = 90
"""Between two waits without a packet; one takes 50 s at most."""

ACK_SECONDS: Final = 60
"""From a claim to its acknowledgement."""

HEARTBEAT_SLACK_SECONDS: Final = 30
"""Behind the time that its packet asks for."""


class Stall(StrEnum):
    """What an agent is late with."""

    DISCOVERY = "agent_mcp_discovery_stall"
    AWAIT = "agent_await_packet_stall"
    ACK = "agent_ack_stall"
    HEARTBEAT = "agent_lease_heartbeat_stall"
    QUESTION = "agent_question_pending"
    ESCALATION = "agent_escalation_pending"


_ASKING: Final = {ReportKind.QUESTION.value: Stall.QUESTION, ReportKind.ESCALATE.value: Stall.ESCALATION}


def stalled(session: WorkSession, lease: WorkLease | None, now_us: int) -> Stall | None:
    """
    What a session is late with; None for one that gets on or has ended.

    Args:
        session: The session.
        lease: Its live lease.
        now_us: Microseconds since the epoch.
    """
    if session.state is not WorkSessionState.ACTIVE:
        return None
    if session.report_kind in _ASKING and (session.reported_at_us or 0) >= session.called_at_us:
        return _ASKING[session.report_kind]
    if lease is not None:
        return _with_a_packet(session, lease, now_us)
    silent = (now_us - session.called_at_us) / 1e6
    if session.called_at_us <= session.registered_at_us:
        return Stall.DISCOVERY if silent > DISCOVERY_SECONDS else None
    return Stall.AWAIT if silent > AWAIT_SECONDS else None


def _with_a_packet(session: WorkSession, lease: WorkLease, now_us: int) -> Stall | None:
    if lease.acked_at_us is None:
        return Stall.ACK if now_us - lease.claimed_at_us > ACK_SECONDS * 1_000_000 else None
    quiet = now_us - max(session.called_at_us, lease.acked_at_us)
    return Stall.HEARTBEAT if quiet > (lease.seconds / 3 + HEARTBEAT_SLACK_SECONDS) * 1_000_000 else None
