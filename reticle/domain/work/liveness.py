"""
Whether an agent gets on, told by its calls and never by what its terminal shows: a spinner lives when its
agent is long dead (striatum §15).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import attrs

from reticle.model.work import WorkLease, WorkSession
from reticle.model.work_limits import HEARTBEAT_SHARE
from reticle.model.work_words import ReportKind, WorkSessionState

DISCOVERY_SECONDS: Final = 60
"""From its registration to its first call."""

AWAIT_SECONDS: Final = 90
"""Between two waits without a packet; one takes 50 s at most."""

ACK_SECONDS: Final = 60
"""From a claim to its acknowledgement."""

HEARTBEAT_SLACK_SECONDS: Final = 30
"""Behind the time that its packet asks for."""

IDLE_SECONDS: Final = 330
"""Without a call of any tool, where none is due sooner."""

PROGRESS_SECONDS: Final = 600
"""Of nothing but heartbeats."""


class Stall(StrEnum):
    """What an agent is late with."""

    DISCOVERY = "agent_mcp_discovery_stall"
    AWAIT = "agent_await_packet_stall"
    ACK = "agent_ack_stall"
    HEARTBEAT = "agent_lease_heartbeat_stall"
    QUESTION = "agent_question_pending"
    ESCALATION = "agent_escalation_pending"
    IDLE = "agent_protocol_idle_stall"
    WEDGED = "wedged_no_tool_progress"


@attrs.frozen
class Seen:
    """
    What the daemon saw of an agent beside the work: when its token was used last, for anything, and when for
    something else than a heartbeat; microseconds since the epoch, None where this daemon has seen nothing.
    """

    used_us: int | None = None
    acted_us: int | None = None


NOTHING_SEEN: Final = Seen()


_ASKING: Final = {ReportKind.QUESTION.value: Stall.QUESTION, ReportKind.ESCALATE.value: Stall.ESCALATION}


def stalled(
    session: WorkSession, lease: WorkLease | None, now_us: int, seen: Seen = NOTHING_SEEN
) -> Stall | None:
    """
    What a session is late with; None for one that gets on or has ended.

    Args:
        session: The session.
        lease: Its live lease.
        now_us: Microseconds since the epoch.
        seen: What it called of other tools.
    """
    if session.state is not WorkSessionState.ACTIVE:
        return None
    if session.report_kind in _ASKING and (session.reported_at_us or 0) >= session.called_at_us:
        return _ASKING[session.report_kind]
    if lease is not None:
        return _with_a_packet(session, lease, now_us, seen)
    silent = (now_us - session.called_at_us) / 1e6
    if session.called_at_us <= session.registered_at_us:
        return Stall.DISCOVERY if silent > DISCOVERY_SECONDS else None
    if _idle_seconds(session, now_us, seen) > IDLE_SECONDS:
        return Stall.IDLE
    return Stall.AWAIT if silent > AWAIT_SECONDS else None


def _idle_seconds(session: WorkSession, now_us: int, seen: Seen) -> float:
    used_us = now_us if seen.used_us is None else seen.used_us
    return (now_us - max(session.called_at_us, used_us)) / 1e6


def _with_a_packet(session: WorkSession, lease: WorkLease, now_us: int, seen: Seen) -> Stall | None:
    if lease.acked_at_us is None:
        return Stall.ACK if now_us - lease.claimed_at_us > ACK_SECONDS * 1_000_000 else None
    quiet = now_us - max(session.called_at_us, lease.acked_at_us)
    if quiet > (lease.seconds / HEARTBEAT_SHARE + HEARTBEAT_SLACK_SECONDS) * 1_000_000:
        return Stall.HEARTBEAT
    acted_us = max(seen.acted_us or now_us, lease.acked_at_us)
    if (session.heartbeat_at_us or 0) > acted_us and now_us - acted_us > PROGRESS_SECONDS * 1_000_000:
        return Stall.WEDGED
    return Stall.IDLE if _idle_seconds(session, now_us, seen) > IDLE_SECONDS else None
