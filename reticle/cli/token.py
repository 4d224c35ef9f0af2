"""
``reticle token``: make, show, end and renew capability tokens over the daemon's Unix socket.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import settings_for_client
from reticle.cli.rpc import ask, chosen_port, daemon_options, whole_list
from reticle.model.codes import Capability
from reticle.model.limits import TOKENS_LISTED
from reticle.storage.private_files import write_private

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_OUT = click.option(
    "--out", type=click.Path(path_type=Path), help="Write the token into this file (0600) and print the rest."
)
_LIFE: Final = (
    click.option("--expires-in", metavar="TIME", help="How long it counts: 1h, 30d, 1h30m, or seconds."),
    click.option("--expires-at", metavar="MOMENT", help="When it ends, such as 2030-01-31T12:00:00Z."),
    click.option("--name", metavar="TEXT", help="What people call it."),
)


def _life(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_LIFE):
        function = option(function)
    return function


@click.group(name="token")
def command() -> None:
    """
    Make, show, end and renew capability tokens.
    """


@command.command()
@click.option(
    "--capability", "capabilities", multiple=True, required=True,
    type=click.Choice([one.value for one in Capability]), help="What it may do; may be repeated.",
)  # fmt: skip
@click.option("--repository", metavar="ID", help="The repository that it is for; without it for all.")
@click.option("--kind", metavar="WORD", help="What it is made for; cli unless said.")
@_life
@_OUT
@_AS_JSON
@daemon_options
def create(
    *,
    capabilities: tuple[str, ...],
    repository: str | None,
    kind: str | None,
    expires_in: str | None,
    expires_at: str | None,
    name: str | None,
    out: Path | None,
    as_json: bool,
    **flags: str | None,
) -> None:
    """
    Make a token. It is shown this once.
    """
    asked = {
        "capabilities": list(capabilities), "repository_id": repository, "client_kind": kind,
        "expires_in": expires_in, "expires_at": expires_at, "display_name": name,
    }  # fmt: skip
    _check(out)
    _show_new(_call(flags, "daemon.token.create", asked), out, as_json=as_json)


@command.command(name="list")
@click.option("--ended", is_flag=True, help="Show revoked and expired ones too.")
@click.option("--limit", type=click.IntRange(1, TOKENS_LISTED), default=TOKENS_LISTED, help="How many. [200]")
@click.option("--after", metavar="TOKEN_ID", help="Only those behind this one.")
@click.option("--all", "everything", is_flag=True, help="Show them all, however many there are.")
@_AS_JSON
@daemon_options
def show(
    *, ended: bool, limit: int, after: str | None, everything: bool, as_json: bool, **flags: str | None
) -> None:
    """
    Show the tokens, the newest first; never their secrets.
    """

    def call(asked: Mapping[str, object]) -> Mapping[str, Any]:
        return _call(flags, "daemon.token.list", asked)

    asked = {"ended": ended or None, "after": after, "limit": limit}
    found = whole_list(call, asked, "tokens") if everything else call(asked)
    if as_json:
        click.echo(json.dumps(found))
        return
    for token in found["tokens"]:
        click.echo(as_line(token))
    if not found["tokens"]:
        click.echo("there are no tokens")
    if found.get("truncated"):
        shown = len(found["tokens"])
        click.echo(f"these are {shown} of {found['total']}; --all shows the older ones too", err=True)


@command.command()
@click.argument("token_id")
@click.option("--reason", metavar="TEXT", help="Why, for people.")
@_AS_JSON
@daemon_options
def revoke(*, token_id: str, reason: str | None, as_json: bool, **flags: str | None) -> None:
    """
    End the token TOKEN_ID at once, with all that it may do.
    """
    done = _call(flags, "daemon.token.revoke", {"token_id": token_id, "reason": reason})
    if as_json:
        click.echo(json.dumps(done))
    else:
        click.echo(f"{token_id} was revoked already" if done["already_revoked"] else f"{token_id} is revoked")


@command.command()
@click.argument("token_id")
@_life
@_OUT
@_AS_JSON
@daemon_options
def rotate(
    *,
    token_id: str,
    expires_in: str | None,
    expires_at: str | None,
    name: str | None,
    out: Path | None,
    as_json: bool,
    **flags: str | None,
) -> None:
    """
    Put a new token in the place of TOKEN_ID.

    It counts for no longer than that one, which ends at once.
    """
    asked = {"token_id": token_id, "expires_in": expires_in, "expires_at": expires_at, "display_name": name}
    _check(out)
    _show_new(_call(flags, "daemon.token.rotate", asked), out, as_json=as_json)


def as_line(token: Mapping[str, Any]) -> str:
    """
    One token for people.
    """
    grants = ", ".join(_grant(each) for each in token["capabilities"])
    end = token.get("ended") or f"until {token['expires_at'] or 'revoked'}"
    used = token.get("last_used_at")
    name = f" {token['display_name']!r}" if token["display_name"] else ""
    return f"{token['token_id']}{name}: {grants}; {end}; {'used ' + used if used else 'never used'}"


def _grant(grant: Mapping[str, Any]) -> str:
    where = f" in {grant['repository_id']}" if grant["repository_id"] else ""
    return f"{grant['capability']}{where}{' (ended)' if grant.get('ended') else ''}"


def _call(flags: Mapping[str, str | None], method: str, asked: Mapping[str, object]) -> Mapping[str, Any]:
    settings = settings_for_client(flags)
    said = {name: value for name, value in asked.items() if value is not None}
    return ask(settings, chosen_port(settings, flags), method, said)


def _check(out: Path | None) -> None:
    """
    Refuse a place where the token could not be kept, before there is one.
    """
    if out is None:
        return
    if out.is_dir():
        raise CommandFailure(ExitCode.USAGE, f"{out} is a directory", f"name a file: --out {out / 'token'}")
    if not os.access(out.absolute().parent, os.W_OK | os.X_OK):
        raise CommandFailure(ExitCode.USAGE, f"{out} cannot be written", f"ls -ld {out.absolute().parent}")


def _show_new(made: Mapping[str, Any], out: Path | None, *, as_json: bool) -> None:
    """
    Print what was made; the secret alone where people read, so that ``$(…)`` takes it.
    """
    token_id, secret = made["token_id"], made["token"]
    if out is not None:
        try:
            write_private(out, f"{secret}\n")
        except OSError as fault:
            raise CommandFailure(
                ExitCode.FAILED,
                f"{out} cannot be written ({fault.strerror}); {token_id} was made and nobody has it",
                f"reticle token revoke {token_id}",
            ) from None
        made = {**{name: value for name, value in made.items() if name not in ("token", "note")},
                "file": str(out)}  # fmt: skip
    if as_json:
        click.echo(json.dumps(made))
    elif out is not None:
        click.echo(f"{token_id} is in {out}")
    else:
        click.echo(secret)
        click.echo(f"this is {token_id}, shown this once; it counts until {made['expires_at']}", err=True)
