"""
``reticle run``: runs of jobs, as their operator has them; and a server with the probe, behind ``--``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from reticle.cli.next_steps import in_commands
from reticle.cli.run_server import command as server
from reticle.cli.work_calls import WorkCalls, watch_option, work_options
from reticle.cli.work_lines import run_lines

_SERVER: Final = "server"
_OPTIONS: Final = {"help_option_names": ["-h", "--help"]}


class RunGroup(click.Group):
    """
    A word of its own is a method of runs; anything else, and all behind ``--``, is a server's command line.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """
        Tell the two apart by the first word.
        """
        if args and args[0] not in self.commands and args[0] not in _OPTIONS["help_option_names"]:
            args = [_SERVER, *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """
        Both uses.
        """
        formatter.write_usage(ctx.command_path, "-- COMMAND...")
        formatter.write_usage(ctx.command_path, "ACTION [ARGS]...")


@click.group(name="run", cls=RunGroup, context_settings=_OPTIONS)
def command() -> None:
    """
    Start a server with the probe, or a run of jobs for agents.

    reticle run -- python manage.py runserver starts a web app's server with the probe in it; the words below
    prepare, start and watch a run.
    """


command.add_command(server, _SERVER)


@command.command()
@click.argument("plan", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--title", metavar="TEXT", help="What people call it.")
@click.option("--start", "at_once", is_flag=True, help="Start it too.")
@work_options
def prepare(*, plan: Path, title: str | None, at_once: bool, as_json: bool, **flags: str | None) -> None:
    """
    Prepare the run that PLAN describes. That is a .toml or .json file of the repository.
    """
    calls = WorkCalls(flags, as_json)
    path = calls.path_in_repository(plan)

    def look() -> Mapping[str, Any]:
        done = calls.call("run.prepare", workflow=path, title=title)
        if at_once:
            done = {**done, **calls.call("run.start", run_id=done["run_id"])}
        return done

    def lines(done: Mapping[str, Any]) -> Iterator[str]:
        yield f"{done['run_id']}  {done['state']}"
        yield f"next: {in_commands(done['next_action'])}"

    calls.show(look, lines)


@command.command()
@click.argument("run_id")
@work_options
def start(*, run_id: str, as_json: bool, **flags: str | None) -> None:
    """
    Let agents claim the jobs of RUN_ID.
    """
    calls = WorkCalls(flags, as_json)

    def lines(done: Mapping[str, Any]) -> Iterator[str]:
        yield f"{done['run_id']}  {done['state']}{' already' if done['already_started'] else ''}"
        yield f"next: {in_commands(done['next_action'])}"

    calls.show(lambda: calls.call("run.start", run_id=run_id), lines)


@command.command()
@click.argument("run_id")
@click.option("--reason", metavar="TEXT", help="Why, for people.")
@work_options
def cancel(*, run_id: str, reason: str | None, as_json: bool, **flags: str | None) -> None:
    """
    Give RUN_ID up. Every claim in it ends, and its agents are sent home.
    """
    calls = WorkCalls(flags, as_json)
    calls.show(lambda: calls.call("run.cancel", run_id=run_id, reason=reason), run_lines)


@command.command()
@click.argument("run_id")
@watch_option
@work_options
def show(*, run_id: str, watch: float | None, as_json: bool, **flags: str | None) -> None:
    """
    Show RUN_ID with its jobs and agents.
    """
    calls = WorkCalls(flags, as_json, watch)
    calls.show(lambda: calls.call("run.detail", run_id=run_id), run_lines)


@command.command(name="list")
@click.option("--state", metavar="WORD", help="Only those in this state.")
@watch_option
@work_options
def show_all(*, state: str | None, watch: float | None, as_json: bool, **flags: str | None) -> None:
    """
    Show the runs of the repository, the newest first.
    """
    calls = WorkCalls(flags, as_json, watch)

    def lines(found: Mapping[str, Any]) -> Iterator[str]:
        for run in found["runs"]:
            yield from run_lines(run)
        if not found["runs"]:
            yield "there is no run"

    calls.show(lambda: calls.whole("list.runs", "runs", state=state), lines)
