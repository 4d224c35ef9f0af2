"""
``reticle explain``: how a recorded verdict came about, and whether its window is judged the same today.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from reticle.cli.exits import ExitCode
from reticle.cli.options import settings_for_client
from reticle.cli.rpc import ask, chosen_port, daemon_options


@click.command(name="explain")
@click.argument("verdict_id")
@click.option("--again", is_flag=True, help="Judge the stored window again, and say what differs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@daemon_options
def command(*, verdict_id: str, again: bool, as_json: bool, **flags: str | None) -> int:
    """
    Show step by step how VERDICT_ID was decided.

    Exit codes: 0 shown (with --again: and judged the same); 3 it is judged otherwise now; 5 there is no such
    verdict, or its window is not kept; 4 no daemon.
    """
    settings = settings_for_client(flags)
    asked = {"verdict_id": verdict_id, "action": "reevaluate" if again else "explain"}
    found = ask(settings, chosen_port(settings, flags), "reticle_verdict", asked)
    click.echo(json.dumps(found) if as_json else (judged(found) if again else steps(found["steps"])))
    return ExitCode.OK if found.get("same", True) else ExitCode.VERDICT_NO


def steps(told: Sequence[Mapping[str, Any]]) -> str:
    """
    Each step with its lines below it.
    """
    return "\n\n".join("\n".join([one["step"], *(f"  {line}" for line in one["lines"])]) for one in told)


def judged(found: Mapping[str, Any]) -> str:
    """
    What the verdict was, what it is now, and where the two differ.
    """
    name, was = found["verdict_id"], found["verified"]
    if found["same"]:
        return f"{name}: {was}, and judged again nothing differs"
    lines = [f"{name}: recorded as {was}, judged {found['reevaluated']['verified']} by this version"]
    lines += [f"  {one['path']}: {one['then']!r} → {one['now']!r}" for one in found["differences"]]
    more = found.get("moreDifferences")
    return "\n".join([*lines, *([f"  and {more} more"] if more else [])])
