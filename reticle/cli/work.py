"""
``reticle work``: what the agents of a run do, as its operator sees and mends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.work_calls import WorkCalls, watch_option, work_options
from reticle.cli.work_lines import artifact_line, job_line, packet_line, session_line, status_lines
from reticle.storage.private_files import write_private


@click.group(name="work")
def command() -> None:
    """
    Show and mend what agents work on. Those are runs, jobs, sessions, packets and artifacts.
    """


@command.command()
@click.argument("run_id", required=False)
@watch_option
@work_options
def status(*, run_id: str | None, watch: float | None, as_json: bool, **flags: str | None) -> None:
    """
    Show how the runs that go on are, or RUN_ID. That is what moves, what is late, what waits for a person.
    """
    calls = WorkCalls(flags, as_json, watch)
    calls.show(lambda: calls.call("status", run_id=run_id), status_lines)


@command.command()
@click.argument("run_id")
@click.option("--state", metavar="WORD", help="Only those in this state.")
@watch_option
@work_options
def jobs(*, run_id: str, state: str | None, watch: float | None, as_json: bool, **flags: str | None) -> None:
    """
    Show the jobs of RUN_ID.
    """
    calls = WorkCalls(flags, as_json, watch)
    _show(calls, "list.jobs", "jobs", job_line, run_id=run_id, state=state)


@command.command()
@click.argument("run_id")
@watch_option
@work_options
def sessions(*, run_id: str, watch: float | None, as_json: bool, **flags: str | None) -> None:
    """
    Show the agents of RUN_ID. Beside each: what it holds, and what it is late with.
    """
    calls = WorkCalls(flags, as_json, watch)
    _show(calls, "list.sessions", "sessions", session_line, run_id=run_id)


@command.command()
@click.argument("run_id")
@work_options
def packets(*, run_id: str, as_json: bool, **flags: str | None) -> None:
    """
    Show the packets handed out in RUN_ID, the newest first.
    """
    calls = WorkCalls(flags, as_json)
    _show(calls, "work.packet_show", "packets", packet_line, run_id=run_id)


@command.command()
@click.argument("run_id")
@work_options
def artifacts(*, run_id: str, as_json: bool, **flags: str | None) -> None:
    """
    Show what was published in RUN_ID.
    """
    calls = WorkCalls(flags, as_json)
    _show(calls, "list.artifacts", "artifacts", artifact_line, run_id=run_id)


@command.command()
@click.argument("run_id")
@click.option("--role", metavar="ROLE", required=True, help="What it works as.")
@click.option("--label", metavar="TEXT", help="What people call it.")
@click.option("--slot", type=click.IntRange(1), help="Which place of the role.")
@click.option("--replace", is_flag=True, help="Displace whoever is there.")
@click.option("--force-live", is_flag=True, help="Also one that lives; needs --reason.")
@click.option("--reason", metavar="TEXT", help="Why, for people.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Write the agent's token here (0600)."
)
@work_options
def register(
    *,
    run_id: str,
    role: str,
    label: str | None,
    slot: int | None,
    replace: bool,
    force_live: bool,
    reason: str | None,
    out: Path,
    as_json: bool,
    **flags: str | None,
) -> None:
    """
    Register an agent of RUN_ID by hand. With reticle agent-loop --role that is done by itself.
    """
    if out.exists():
        raise CommandFailure(ExitCode.USAGE, f"{out} is there already", "name a file that is not")
    calls = WorkCalls(flags, as_json)

    def look() -> Mapping[str, Any]:
        done = dict(
            calls.call(
                "session.register", run_id=run_id, role=role, label=label, slot=slot,
                replace=replace or None, force_live=force_live or None, reason=reason,
            )
        )  # fmt: skip
        token = dict(done.pop("session_capability_token"))
        write_private(out, f"{token.pop('token')}\n")
        return {**done, "session_capability_token": token, "token_file": str(out)}

    def lines(done: Mapping[str, Any]) -> Iterator[str]:
        yield f"{done['session_id']}  {done['role']} {done['slot']}; its token is in {done['token_file']}"

    calls.show(look, lines)


@command.command()
@click.argument("session_id")
@click.option("--reason", metavar="TEXT", required=True, help="Why, for people.")
@work_options
def close(*, session_id: str, reason: str, as_json: bool, **flags: str | None) -> None:
    """
    End SESSION_ID; a packet that it holds goes to the next one.
    """
    calls = WorkCalls(flags, as_json)
    calls.show(
        lambda: calls.call("session.close", session_id=session_id, reason=reason),
        lambda done: iter([session_line(done)]),
    )


@command.command()
@click.argument("run_id")
@click.option("--job", "job_id", metavar="ID", help="This job's claim alone.")
@click.option("--force", is_flag=True, help="Also one that has time left; needs --reason.")
@click.option("--reason", metavar="TEXT", help="Why, for people.")
@work_options
def requeue(
    *, run_id: str, job_id: str | None, force: bool, reason: str | None, as_json: bool, **flags: str | None
) -> None:
    """
    Queue again what lapsed in RUN_ID.
    """
    calls = WorkCalls(flags, as_json)
    calls.show(
        lambda: calls.call(
            "recovery.requeue_stale", run_id=run_id, job_id=job_id, force=force or None, justification=reason
        ),
        lambda done: iter([job_line(job) for job in done["jobs"]] or ["nothing had lapsed"]),
    )


def _show(calls: WorkCalls, method: str, entries: str, line: Callable[[Any], str], **asked: object) -> None:
    """
    All of a list, a line for each entry.
    """

    def lines(found: Mapping[str, Any]) -> Iterator[str]:
        yield from map(line, found[entries])
        if not found[entries]:
            yield f"there are no {entries}"

    calls.show(lambda: calls.whole(method, entries, **asked), lines)
