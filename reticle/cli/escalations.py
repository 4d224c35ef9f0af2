"""
``reticle escalations``: what waits for a person's decision, and the decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from reticle.cli.work_calls import WorkCalls, watch_option, work_options
from reticle.cli.work_lines import escalation_line
from reticle.model.work_words import EscalationAction


@click.group(name="escalations", invoke_without_command=True)
@click.option("--resolved", is_flag=True, help="Those that were decided.")
@click.option("--run", "run_id", metavar="ID", help="Those of one run.")
@watch_option
@work_options
def command(
    *,
    resolved: bool,
    run_id: str | None,
    watch: float | None,
    as_json: bool,
    **flags: str | None,
) -> None:
    """
    Show what waits for a person's decision; resolve decides it.
    """
    if click.get_current_context().invoked_subcommand is not None:
        return
    calls = WorkCalls(flags, as_json, watch)

    def lines(found: Mapping[str, Any]) -> Iterator[str]:
        yield from map(escalation_line, found["escalations"])
        if not found["escalations"]:
            yield "nothing waits for a person" if not resolved else "nothing was decided"

    state = "resolved" if resolved else None
    calls.show(lambda: calls.whole("escalation.list", "escalations", run_id=run_id, state=state), lines)


@command.command()
@click.argument("escalation_id")
@click.option(
    "--action", type=click.Choice([each.value for each in EscalationAction]),
    default=EscalationAction.RETRY.value, show_default=True,
    help="Try the job again, give it up with what waits for it, or give the run up. An agent's question is "
    "answered by the note alone.",
)  # fmt: skip
@click.option("--note", metavar="TEXT", help="What was decided; the next agent reads it.")
@work_options
def resolve(*, escalation_id: str, action: str, note: str | None, as_json: bool, **flags: str | None) -> None:
    """
    Decide ESCALATION_ID.
    """
    calls = WorkCalls(flags, as_json)

    def lines(done: Mapping[str, Any]) -> Iterator[str]:
        job = f"; the job is {done['job_state']}" if done.get("job_state") else ""
        yield f"{done['escalation_id']} is {done['state']}{job}"

    calls.show(
        lambda: calls.call("escalation.resolve", escalation_id=escalation_id, action=action, resolution=note),
        lines,
    )
