"""
``reticle repo``: which repositories a daemon knows, over its Unix socket.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from reticle.cli.options import settings_for_client
from reticle.cli.rpc import ask, chosen_port, daemon_options, whole_list
from reticle.model.limits import TOKENS_LISTED

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_FOLDER = click.argument("path", type=click.Path(path_type=Path), default=".")


@click.group(name="repo")
def command() -> None:
    """
    Register repositories, for which tokens can be made.
    """


@command.command()
@_FOLDER
@click.option("--name", metavar="TEXT", help="What people call it.")
@click.option("--origin", "origins", multiple=True, metavar="URL", help="Where its app is served.")
@click.option("--id", "repository_id", metavar="ID", help="Its id, such as the project id of its pages.")
@_AS_JSON
@daemon_options
def add(
    *,
    path: Path,
    name: str | None,
    origins: tuple[str, ...],
    repository_id: str | None,
    as_json: bool,
    **flags: str | None,
) -> None:
    """
    Register the repository at PATH.
    """
    asked = {
        "path": str(path.absolute()), "display_name": name, "origins": list(origins) or None,
        "repository_id": repository_id,
    }  # fmt: skip
    done = _call(flags, "repo.add", asked)
    was = " already" if done["already_registered"] else ""
    _show(done, f"{done['repository_id']} is{was} registered: {done['repo_root']}", as_json=as_json)


@command.command()
@click.argument("repository_id")
@click.option("--add-origin", "added", multiple=True, metavar="URL", help="Where its app is served too.")
@click.option("--remove-origin", "removed", multiple=True, metavar="URL", help="Where it is no more.")
@click.option("--name", metavar="TEXT", help="What people call it.")
@_AS_JSON
@daemon_options
def update(
    *,
    repository_id: str,
    added: tuple[str, ...],
    removed: tuple[str, ...],
    name: str | None,
    as_json: bool,
    **flags: str | None,
) -> None:
    """
    Change the origins or the name of REPOSITORY_ID.

    Pages that are open there follow at once.
    """
    asked = {
        "repository_id": repository_id, "add_origins": list(added) or None,
        "remove_origins": list(removed) or None, "display_name": name,
    }  # fmt: skip
    done = _call(flags, "repo.update", asked)
    _show(done, as_line(done), as_json=as_json)


@command.command(name="list")
@click.option("--limit", type=click.IntRange(1, TOKENS_LISTED), default=TOKENS_LISTED, help="How many. [200]")
@click.option("--after", metavar="ID", help="Only those behind this one.")
@click.option("--all", "everything", is_flag=True, help="Show them all, however many there are.")
@_AS_JSON
@daemon_options
def show(*, limit: int, after: str | None, everything: bool, as_json: bool, **flags: str | None) -> None:
    """
    Show the repositories.
    """

    def call(asked: Mapping[str, object]) -> Mapping[str, Any]:
        return _call(flags, "repo.list", asked)

    asked = {"after": after, "limit": limit}
    found = whole_list(call, asked, "repositories") if everything else call(asked)
    lines = [as_line(each) for each in found["repositories"]] or ["no repository is registered"]
    _show(found, "\n".join(lines), as_json=as_json)
    if found.get("truncated") and not as_json:
        shown = len(found["repositories"])
        click.echo(f"these are {shown} of {found['total']}; --all shows the others too", err=True)


@command.command()
@_FOLDER
@_AS_JSON
@daemon_options
def resolve(*, path: Path, as_json: bool, **flags: str | None) -> None:
    """
    Say which repository PATH is in.
    """
    found = _call(flags, "repo.resolve", {"path": str(path.absolute())})
    _show(found, as_line(found), as_json=as_json)


@command.command()
@click.argument("repository_id")
@_AS_JSON
@daemon_options
def remove(*, repository_id: str, as_json: bool, **flags: str | None) -> None:
    """
    Take REPOSITORY_ID out and revoke every grant for it.

    Its folder is left alone.
    """
    done = _call(flags, "repo.remove", {"repository_id": repository_id})
    text = f"{repository_id} is taken out; {done['revoked_capabilities']} grants were revoked"
    _show(done, text, as_json=as_json)


def as_line(repository: Mapping[str, Any]) -> str:
    """
    One repository for people.
    """
    served = f" ({', '.join(repository['origins'])})" if repository["origins"] else ""
    return f"{repository['repository_id']}  {repository['repo_root']}{served}"


def _call(flags: Mapping[str, str | None], method: str, asked: Mapping[str, object]) -> Mapping[str, Any]:
    settings = settings_for_client(flags)
    said = {name: value for name, value in asked.items() if value is not None}
    return ask(settings, chosen_port(settings, flags), method, said)


def _show(found: Mapping[str, Any], text: str, *, as_json: bool) -> None:
    click.echo(json.dumps(found) if as_json else text)
