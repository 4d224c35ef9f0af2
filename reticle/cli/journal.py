"""
``reticle journal``: what a page reported and was asked, also before a restart; over the daemon's Unix socket.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import click

from reticle.cli.options import settings_for_client
from reticle.cli.printable import printable
from reticle.cli.rpc import ask, chosen_port, daemon_options

DATA_CHARS: Final = 160
"""Of an event's data in a line for people; --json has all that the daemon gives."""


@click.command(name="journal")
@click.argument("page")
@click.option("--since", type=click.IntRange(0), default=0, metavar="CURSOR", help="Only what came after it.")
@click.option("--json", "as_json", is_flag=True, help="Print each entry as a line of JSON.")
@daemon_options
def command(*, page: str, since: int, as_json: bool, **flags: str | None) -> None:
    """
    Print what is kept of PAGE, oldest first.

    That is its events, commands and replies, and what is missing between them. PAGE is the name that
    reticle_sessions shows. Exit codes: 5 the journal is off or has nothing of it; 4 no daemon.
    """
    settings = settings_for_client(flags)
    asked: Mapping[str, object] | None = {"page": page, "since": since}
    while asked is not None:
        said = {name: value for name, value in asked.items() if value is not None}
        part = ask(settings, chosen_port(settings, flags), "journal.read", said)
        for entry in part["entries"]:
            click.echo(json.dumps(entry) if as_json else as_line(entry))
        asked = part["next"]


def as_line(entry: Mapping[str, Any]) -> str:
    """
    One entry for people.
    """
    kind = entry["kind"]
    if kind == "lost":
        return f"{'':>8}  lost: {entry['first']} to {entry['last']} are not in the journal"
    place = f"{entry['cursor']:>8}  {entry['t_ms'] / 1000:>10.3f}"
    if kind == "event":
        data = json.dumps(entry.get("data"), ensure_ascii=False)
        return printable(f"{place}  {entry['type']}  {data[:DATA_CHARS]}")
    if kind == "command":
        return printable(f"{place}  → {entry['name']}  {json.dumps(entry['args'], ensure_ascii=False)}")
    outcome = "ok" if entry.get("ok") else entry.get("code")
    return printable(f"{place}  ← {entry.get('name')}  {outcome}  {entry.get('ms')} ms")
