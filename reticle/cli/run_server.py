"""
``reticle run -- COMMAND``: starts a web app's server with the probe in it, without a change of the project.

The command takes this process's place, so signals, the terminal and the exit code are its own.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import click

import reticle.probe.startup as startup_folder
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.probe.guards import SWITCH, refusal
from reticle.probe.runtime_file import find_daemon


@click.command(
    name="server",
    hidden=True,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("command_line", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(command_line: tuple[str, ...]) -> int:
    """
    Start a web app's server with the probe in it: reticle run -- python manage.py runserver.
    """
    environ = watched(os.environ)
    why = refusal(environ, asked=None, debug=None)
    if why is not None:
        raise CommandFailure(
            ExitCode.CONFIGURATION, f"the probe stays off: {why}", "start the server without reticle run"
        )
    program = shutil.which(command_line[0], path=environ.get("PATH"))
    if program is None:
        raise CommandFailure(
            ExitCode.FAILED,
            f"no such command: {command_line[0]}",
            "name one that a shell would find, or a word of runs (reticle run --help)",
        )
    if find_daemon(environ) is None:
        click.echo(
            "reticle: no daemon runs yet; the app tells it as soon as one does (reticle serve)", err=True
        )
    os.execve(program, list(command_line), environ)  # noqa: S606 - that is what the command is for


def watched(environ: Mapping[str, str]) -> dict[str, str]:
    """
    The environment with the probe asked for, and its ``sitecustomize`` first on the path.
    """
    folder = str(Path(startup_folder.__path__[0]))
    paths = [each for each in environ.get("PYTHONPATH", "").split(os.pathsep) if each and each != folder]
    return {**environ, SWITCH: environ.get(SWITCH) or "1", "PYTHONPATH": os.pathsep.join([folder, *paths])}
