"""
The ``reticle`` command: finds sub-commands when they are asked for, and turns failures into exit codes.

Nothing else in the package decides an exit code or prints an error. ``status`` and ``--version`` load
neither Twisted nor the database library.
"""

from __future__ import annotations

import importlib
import os
import secrets
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from reticle._version import __version__
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.printable import printable_lines
from reticle.errors import ConfigurationFault, Refusal, ReticleError

COMMANDS: Final = {
    "serve": "reticle.cli.serve",
    "status": "reticle.cli.status",
    "stop": "reticle.cli.stop",
    "run": "reticle.cli.run",
    "work": "reticle.cli.work",
    "why": "reticle.cli.why",
    "escalations": "reticle.cli.escalations",
    "agent-loop": "reticle.cli.agent_loop",
    "doctor": "reticle.cli.doctor",
    "drive": "reticle.cli.drive",
    "open": "reticle.cli.open_page",
    "call": "reticle.cli.call",
    "explain": "reticle.cli.explain",
    "contract": "reticle.cli.contract",
    "token": "reticle.cli.token",
    "repo": "reticle.cli.repo",
    "audit": "reticle.cli.audit",
    "journal": "reticle.cli.journal",
    "storage": "reticle.cli.storage",
    "mcp": "reticle.cli.stdio",
}
"""Sub-commands and where they are; each module has a click command named ``command``."""


class LazyGroup(click.Group):
    """
    A group whose commands are imported when they are needed.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """
        In the order in which one meets them.
        """
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """
        Import one.
        """
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name]).command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="reticle", message="%(prog)s %(version)s")
def reticle() -> None:
    """
    Tells a coding agent whether its change to a web app really works.
    """


def main() -> None:
    """
    Run the command line of this process and end it.
    """
    _open_standard_streams()
    sys.exit(run(sys.argv[1:]))


def _open_standard_streams() -> None:
    """
    Replace closed ones (``2>&-``): Python has None for them, and a socket would get their number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for good


def run(arguments: Sequence[str]) -> int:
    """
    Run one command; its exit code. Errors are one line and a next step on standard error.
    """
    try:
        code = reticle.main(list(arguments), prog_name="reticle", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as half:
        click.echo(half.format_message(), err=True)
        return ExitCode.USAGE
    except (click.ClickException, ReticleError) as fault:
        end = explain(fault)
        return _say(end.exit_code, end.message, end.next_step)
    except (click.Abort, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has gone; what Python still wants to flush must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILED
    except Exception as bug:  # noqa: BLE001 - the last road out: a bug becomes an incident, not a traceback
        return _incident(bug)
    return code if isinstance(code, int) else ExitCode.OK


def explain(fault: Exception) -> CommandFailure:
    """
    What an expected failure means to a script and to a person.
    """
    match fault:
        case CommandFailure():
            return fault
        case ConfigurationFault():
            return CommandFailure(ExitCode.CONFIGURATION, fault.message, fault.recovery)
        case Refusal():
            code = ExitCode.REFUSED if fault.code.startswith("token_") else ExitCode.FAILED
            return CommandFailure(code, fault.message, fault.recovery)
        case click.UsageError():
            path = fault.ctx.command_path if fault.ctx is not None else "reticle"
            return CommandFailure(ExitCode.USAGE, fault.format_message(), f"{path} --help")
        case click.ClickException():
            return CommandFailure(ExitCode.FAILED, fault.format_message(), "reticle --help")
    raise fault


def _say(code: ExitCode, message: str, next_step: str) -> ExitCode:
    click.echo(f"reticle: {printable_lines(message)}", err=True)
    if next_step:
        click.echo(f"next: {printable_lines(next_step)}", err=True)
    return code


def _incident(bug: Exception) -> ExitCode:
    if os.environ.get("RETICLE_DEBUG"):
        traceback.print_exception(bug)
    frame = traceback.extract_tb(bug.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    what = f"{type(bug).__name__}: {str(bug).splitlines()[0] if str(bug) else ''}"
    return _say(
        ExitCode.FAILED,
        f"this is a bug of reticle, incident {secrets.token_hex(4)}: {what} ({place})",
        "run it again with RETICLE_DEBUG=1 and report what it prints",
    )
