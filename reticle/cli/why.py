"""
``reticle why``: how a run, job, session, lease, packet, artifact or escalation is, and what happened to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from reticle.cli.work_calls import WorkCalls, watch_option, work_options
from reticle.cli.work_lines import (
    artifact_line,
    escalation_line,
    event_line,
    job_line,
    run_lines,
    session_line,
)


@click.command(name="why")
@click.argument("target_id")
@watch_option
@work_options
def command(*, target_id: str, watch: float | None, as_json: bool, **flags: str | None) -> None:
    """
    Say how TARGET_ID is and what happened to it.

    A run, job, session, lease, packet, artifact or escalation, by its id; a job by its id in the plan too
    (RUN_ID/ID in one run).
    """
    calls = WorkCalls(flags, as_json, watch)
    calls.show(lambda: calls.call("why", target_id=target_id), why_lines)


def why_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """
    The answer for people.
    """
    yield from run_lines(found["run"])
    if found.get("job"):
        yield job_line(found["job"])
    if held := found.get("held_by"):
        lapsed = ", which has lapsed" if held["lapsed"] else ""
        yield f"held by {held['session_id']} until {held['expires_at']}{lapsed}"
    for one in found.get("waits_for_jobs") or ():
        yield f"waits for {one['job_id']} {one['id']}, which is {one['state']}"
    if found.get("session"):
        yield session_line(found["session"])
    if found.get("artifact"):
        yield artifact_line(found["artifact"])
    if found.get("lease"):
        yield f"the lease is {found['lease']['state']}, fencing {found['lease']['fencing']}"
    for one in [*(found.get("escalations") or ()), *filter(None, [found.get("escalation")])]:
        yield escalation_line(one)
    for event in found["events"]:
        yield event_line(event)
