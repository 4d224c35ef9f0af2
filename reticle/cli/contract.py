"""
``reticle contract``: an app's contract from the shell, for a step of continuous integration.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from reticle.cli.exits import ExitCode
from reticle.cli.options import settings_for_client
from reticle.cli.rpc import ask, chosen_port, daemon_options

_PAGE = click.option("--session", metavar="PAGE", help="The page, where several are connected.")
_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group(name="contract")
def command() -> None:
    """
    Write down what an app declares, and see what went missing.
    """


@command.command()
@_PAGE
@click.option("--merge", is_flag=True, help="Add to what the file says, as for another route.")
@_AS_JSON
@daemon_options
def save(*, session: str | None, merge: bool, as_json: bool, **flags: str | None) -> int:
    """
    Write the contract of the project whose app the page shows.

    The file is .reticle/contract.json of the project, to be committed.

    Exit codes: 0 written; 5 refused, as for a page of no project; 4 no daemon.
    """
    found = _call(flags, "reticle_contract_save", session, {"merge": True} if merge else {})
    counts = ", ".join(f"{found[f'{kind}Count']} {kind}s" for kind in ("testid", "signal", "store", "flow"))
    was = " as it was" if found.get("unchanged") else ""
    click.echo(json.dumps(found) if as_json else _with_note(found, [f"{found['path']}{was}: {counts}"]))
    return ExitCode.OK


@command.command()
@_PAGE
@_AS_JSON
@daemon_options
def check(*, session: str | None, as_json: bool, **flags: str | None) -> int:
    """
    Compare the page with its project's contract.

    Exit codes: 0 the same, or only new names; 1 something is missing or changed, or not all was told;
    5 refused, as without a contract; 4 no daemon.
    """
    found = _call(flags, "reticle_contract_check", session, {})
    click.echo(json.dumps(found) if as_json else _with_note(found, differences(found)))
    return ExitCode.OK if is_kept(found) else ExitCode.FAILED


def is_kept(found: Mapping[str, Any]) -> bool:
    """
    Whether the app still has all that its contract names; what is new breaks nobody. A page that told a part
    only may lack the rest.
    """
    broken = found["missing"] or found.get("changedFlows") or found.get("governanceChanged")
    return bool(found["same"] or (found["added"] and not broken and not found.get("note")))


def differences(found: Mapping[str, Any]) -> Sequence[str]:
    """
    A line for each name that is missing, new or changed.
    """
    lines = [
        f"{word} {kind[:-1]}: {name}"
        for word, kinds in (("missing", found["missing"]), ("new", found["added"]))
        for kind, names in kinds.items()
        for name in names
    ]
    lines += [f"changed flow: {name}" for name in found.get("changedFlows", [])]
    lines += ["changed governance"] if found.get("governanceChanged") else []
    return lines or ["the app has what its contract names" if found["same"] else "no difference was told"]


def _with_note(found: Mapping[str, Any], lines: Sequence[str]) -> str:
    return "\n".join([*lines, *([f"note: {found['note']}"] if found.get("note") else [])])


def _call(
    flags: Mapping[str, str | None], method: str, session: str | None, arguments: Mapping[str, object]
) -> Mapping[str, Any]:
    settings = settings_for_client(flags)
    asked = {**arguments, **({"sessionId": session} if session is not None else {})}
    return ask(settings, chosen_port(settings, flags), method, asked)
