"""
``reticle audit``: what was called, whether the log is as it was written, and all of it to take away; over the
daemon's Unix socket.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any, Final

import click

from reticle.cli.exits import ExitCode
from reticle.cli.options import settings_for_client
from reticle.cli.printable import printable
from reticle.cli.rpc import ask, chosen_port, daemon_options, whole_list
from reticle.model.limits import AUDIT_LISTED_ROWS

VERIFY_SECONDS: Final = 600.0
"""A full log is checked in a few seconds; on a slow disk that others use it may take minutes."""

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group(name="audit")
def command() -> None:
    """
    Read the audit log and check that nobody has changed it.
    """


@command.command(name="list")
@click.option("--limit", type=click.IntRange(1, AUDIT_LISTED_ROWS), default=50, help="How many rows. [50]")
@click.option("--before", type=click.IntRange(1), metavar="SEQ", help="Only rows before this one.")
@click.option("--all", "everything", is_flag=True, help="Show them all, however many there are.")
@click.option("--facts", is_flag=True, help="Also each batch of facts that a server sent; --all has them.")
@_AS_JSON
@daemon_options
def show(
    *, limit: int, before: int | None, everything: bool, facts: bool, as_json: bool, **flags: str | None
) -> None:
    """
    Show the last rows, the newest first.
    """

    def call(asked: Mapping[str, object]) -> Mapping[str, Any]:
        return _call(flags, "audit.list", {"limit": AUDIT_LISTED_ROWS if everything else limit, **asked})

    asked = {"before": before, "facts": True if facts or everything else None}
    found = whole_list(call, asked, "rows") if everything else call(asked)
    lines = [as_line(row) for row in found["rows"]] or ["no call was made yet"]
    if left_out := found.get("factBatches"):
        lines.append(f"({left_out} batches of facts from servers are not shown; --facts shows them)")
    click.echo(json.dumps(found) if as_json else "\n".join(lines))


@command.command()
@click.option("--expect", metavar="HASH", help="A head that was noted earlier and must still be there.")
@_AS_JSON
@daemon_options
def verify(*, expect: str | None, as_json: bool, **flags: str | None) -> int:
    """
    Check the whole log, and print its head to note for the next time.

    Exit codes: 0 the log is as it was written; 3 it is not, or the expected head is not in it.
    """
    found = _call(flags, "audit.verify", {"expect": expect}, VERIFY_SECONDS)
    click.echo(
        json.dumps(found) if as_json else f"{found['why']}\nhead: {found['head']} (row {found['seq']})"
    )
    return ExitCode.OK if found["whole"] else ExitCode.VERDICT_NO


@command.command()
@click.option("--after", type=click.IntRange(0), default=0, metavar="SEQ", help="Only rows behind this one.")
@daemon_options
def export(*, after: int, **flags: str | None) -> None:
    """
    Print every row, oldest first, each as a line of JSON.

    Rows that are written meanwhile, the export's own among them, are left for the next time.
    """
    asked: Mapping[str, object] | None = {"after": after}
    while asked is not None:
        page = _call(flags, "audit.export", asked)
        click.echo(page["ndjson"], nl=False)
        asked = page["next"]


def as_line(row: Mapping[str, Any]) -> str:
    """
    One row for people: when, who, how, what, for which repository, and how it was decided.
    """
    at = dt.datetime.fromtimestamp(row["at_us"] / 1e6, dt.UTC)
    moment = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    decided = ":".join(filter(None, (row["decision"], row["reason"])))
    place = row["repository_id"] and f"in {row['repository_id']}"
    parts = (
        row["seq"],
        moment,
        row["principal"],
        row["carrier"],
        row["tool"],
        decided,
        place,
        row["verdict_id"],
    )
    return printable("  ".join(str(part) for part in parts if part is not None))


def _call(
    flags: Mapping[str, str | None], method: str, asked: Mapping[str, object], seconds: float = 60.0
) -> Mapping[str, Any]:
    settings = settings_for_client(flags)
    said = {name: value for name, value in asked.items() if value is not None}
    return ask(settings, chosen_port(settings, flags), method, said, timeout_seconds=seconds)
