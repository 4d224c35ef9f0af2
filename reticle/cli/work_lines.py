"""
Runs, jobs, sessions and what waits for a person, as lines for people.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from reticle.cli.next_steps import in_commands

_SHORT = 12
_MORE = "  … and more: reticle work jobs, reticle work sessions and reticle escalations show them"


def run_lines(run: Mapping[str, Any]) -> Iterator[str]:
    """
    A run, with as much of it as the answer has.
    """
    why = f": {run['reason']}" if run.get("reason") else ""
    title = f" {run['title']}" if run.get("title") else ""
    counts = counted(run.get("jobs_by_state") or {})
    yield f"{run['run_id']}  {run['state']}{title}{'  ' if counts else ''}{counts}{why}"
    for job in run.get("jobs") or ():
        yield f"  {job_line(job)}"
    for session in run.get("sessions") or ():
        yield f"  {session_line(session)}"
    for one in run.get("working") or ():
        acked = "" if one["acked"] else ", not acknowledged"
        yield f"  {one['session_id']} works on {one['job_id']} ({one['seconds_left']} s left{acked})"
    for one in run.get("claimable_jobs") or ():
        yield f"  {one['job_id']} {one['id']} waits for: {one['role']}, {one['waiting_seconds']} s"
    for one in run.get("late") or ():
        yield f"  {one['session_id']} ({one['role']}) is late: {one['stalled']}"
    for job in run.get("waiting_for_people") or ():
        yield f"  {job['job_id']} {job['id']} waits for a person: {job.get('reason', '')}"
    if run.get("truncated"):
        yield _MORE


def status_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """
    The answer of ``status`` for people.
    """
    for run in found["runs"]:
        yield from run_lines(run)
    for one in found.get("escalations") or ():
        yield f"{one['escalation_id']} waits for a person: {_in_one(one['description'])}"
    if found.get("truncated"):
        yield "… and more: reticle run list and reticle escalations show them"
    for step in found.get("next_actions") or ():
        yield f"next: {in_commands(step)}"


def job_line(job: Mapping[str, Any]) -> str:
    """
    A job.
    """
    why = f": {job['reason']}" if job.get("reason") else ""
    attempt = f", attempt {job['attempt']} of {job['max_attempts']}" if job["attempt"] > 1 else ""
    return f"{job['job_id']}  {job['id']}  {job['state']} ({job['role']}{attempt}){why}"


def session_line(session: Mapping[str, Any]) -> str:
    """
    A session.
    """
    label = f" {session['label']}" if session.get("label") else ""
    held = f", works on {session['job_id']}" if session.get("job_id") else ""
    late = f", late: {session['stalled']}" if session.get("stalled") else ""
    who = f"{session['session_id']}  {session['role']} {session['slot']}{label}"
    return f"{who}  {session['state']}, called {session['last_call_seconds_ago']} s ago{held}{late}"


def escalation_line(one: Mapping[str, Any]) -> str:
    """
    Something that somebody must decide, or has decided.
    """
    decided = f" -> {one['resolution']}" if one.get("resolution") else ""
    about = f" {one['job_id']}" if one.get("job_id") else ""
    what = f"{one['escalation_id']}  {one['kind']}{about}"
    return f"{what}  {one['open_seconds']} s: {_in_one(one['description'])}{decided}"


def _in_one(text: str) -> str:
    """
    Several questions in one line.
    """
    return " / ".join(text.splitlines())


def event_line(event: Mapping[str, Any]) -> str:
    """
    Something that happened.
    """
    about = [str(event[name]) for name in ("job_id", "session_id", "subject") if event.get(name)]
    detail = event.get("detail")
    if isinstance(detail, Mapping):
        detail = ", ".join(f"{name} {_said(value)}" for name, value in detail.items())
    return "  ".join(filter(None, [event["at"], event["kind"], " ".join(about), detail]))


def _said(value: object) -> str:
    """
    A value of an event: words as they are, what has parts in JSON.
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def packet_line(packet: Mapping[str, Any]) -> str:
    """
    A packet.
    """
    return f"{packet['packet_id']}  {packet['job_id']}  {packet['session_id']}  {packet['created_at']}"


def artifact_line(artifact: Mapping[str, Any]) -> str:
    """
    A published file.
    """
    sha = str(artifact["sha256"])[:_SHORT]
    return (
        f"{artifact['artifact_id']}  {artifact['kind']} {artifact['logical_name']}  {artifact['path']} {sha}"
    )


def counted(states: Mapping[str, int]) -> str:
    """
    How many are in which state.
    """
    return ", ".join(f"{number} {state}" for state, number in states.items())
