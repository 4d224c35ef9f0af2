"""
What the operator's commands about work share: which repository is meant, and how an answer is printed.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
import click

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import settings_for_client
from reticle.cli.printable import printable
from reticle.cli.rpc import ask, chosen_port, daemon_options
from reticle.model.work_limits import LISTED

F = TypeVar("F", bound=Callable[..., Any])

WATCH_SECONDS: Final = 2.0
_CLEAR: Final = "\x1b[H\x1b[2J"

Lines = Callable[[Mapping[str, Any]], Iterator[str]]
"""An answer for people."""


@attrs.frozen
class WorkCalls:
    """
    Calls of one command, about one repository.

    Args:
        flags: As the command line gave them, ``repository`` among them.
        as_json: Print answers as they are.
        watch: Ask again every so many seconds; None asks once.
        sleep: Waits between two looks.
    """

    flags: Mapping[str, str | None]
    as_json: bool
    watch: float | None = None
    sleep: Callable[[float], object] = time.sleep

    def call(self, method: str, **asked: object) -> Mapping[str, Any]:
        """
        What the daemon answers. Raises ``CommandFailure``.
        """
        said = {name: value for name, value in asked.items() if value is not None}
        return self._ask(method, {"repository_id": self._repository_id(), **said})

    def whole(self, method: str, entries: str, **asked: object) -> Mapping[str, Any]:
        """
        All of a list that is answered in parts. Raises ``CommandFailure``.
        """
        part = found = dict(self.call(method, limit=LISTED, **asked))
        while (cursor := part.get("next_cursor")) is not None:
            part = dict(self.call(method, limit=LISTED, **{**asked, "after": cursor}))
            found[entries] = [*found[entries], *part[entries]]
        for name in ("next_cursor", "next", "truncated"):
            found.pop(name, None)
        return found

    def path_in_repository(self, path: Path) -> str:
        """
        A file as the daemon names it: from the root of the repository that it is in.
        """
        whole = path.absolute()
        root = Path(str(self._ask("repo.resolve", {"path": str(whole.parent)})["repo_root"]))
        for folder in (whole, whole.resolve()):
            if folder.is_relative_to(root):
                return str(folder.relative_to(root))
        return str(path)

    def show(self, look: Callable[[], Mapping[str, Any]], lines: Lines) -> None:
        """
        Print what a look finds; with ``watch`` until it is interrupted, only what has changed, and through
        a restart of the daemon. What agents wrote shows no control characters.
        """
        before, was_there = None, True
        while True:
            try:
                found = look()
            except CommandFailure as lost:
                if before is None or lost.exit_code is not ExitCode.UNREACHABLE:
                    raise
                if was_there:
                    click.echo(f"reticle: {lost.message}; it is asked again", err=True)
                was_there = False
                self.sleep(self.watch or WATCH_SECONDS)
                continue
            was_there = True
            text = json.dumps(found) if self.as_json else "\n".join(map(printable, lines(found)))
            if text != before:
                redraws = self.watch is not None and not self.as_json and sys.stdout.isatty()
                click.echo(f"{_CLEAR if redraws else ''}{text}")
            before = text
            if self.watch is None:
                return
            _refuse_closed_output()
            self.sleep(self.watch)

    def _repository_id(self) -> str:
        """
        The repository that was named, by its id or a folder of it; else the one that we are in.
        """
        named = self.flags.get("repository") or os.environ.get("RETICLE_REPOSITORY_ID") or os.curdir
        if os.sep not in named and named not in (os.curdir, os.pardir):
            return named
        return str(self._ask("repo.resolve", {"path": str(Path(named).absolute())})["repository_id"])

    def _ask(self, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
        told = {name: value for name, value in self.flags.items() if name != "repository"}
        settings = settings_for_client(told)
        return ask(settings, chosen_port(settings, told), method, params)


def _refuse_closed_output() -> None:
    """
    Raises ``BrokenPipeError`` when nobody reads any more, which a watch with nothing new to say would not
    notice.
    """
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        ends = poll.poll(0)
    except (OSError, ValueError, AttributeError):  # no descriptor, or a system without poll
        return
    if any(event & (select.POLLERR | select.POLLNVAL) for _, event in ends):
        raise BrokenPipeError


def work_options(function: F) -> F:
    """
    Decorate a command with the flags that say which repository and daemon are meant, and how to print.
    """
    function = daemon_options(function)
    function = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(function)
    return click.option(
        "--repository", metavar="ID|FOLDER",
        help="Which repository, by its id or a folder in it [RETICLE_REPOSITORY_ID, else this folder's].",
    )(function)  # fmt: skip


watch_option = click.option(
    "--watch", is_flag=False, flag_value=WATCH_SECONDS, type=click.FloatRange(0.1, 3600), metavar="SECONDS",
    help="Show it again whenever it has changed, looking every so often [2].",
)  # fmt: skip
