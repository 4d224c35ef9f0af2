"""
Exit codes, one-line errors and a quick start.
"""

from __future__ import annotations

from collections.abc import Callable

import click
import pytest

from reticle._version import __version__
from reticle.cli import main
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.errors import ConfigurationFault, Refusal


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """
    ``reticle --version`` prints the version and nothing else.
    """
    assert main.run(["--version"]) == 0
    assert capsys.readouterr().out == f"reticle {__version__}\n"


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """
    ``reticle --help`` shows what there is.
    """
    assert main.run(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [name for name in main.COMMANDS if f"\n  {name} " in shown] == list(main.COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "code", "first", "step"),
    [
        (["serve", "--port", "70000"], 78, "reticle: port '70000' is not a number from 0 to 65535", None),
        (["serve", "--host", "0.0.0.0"], 78, "reticle: host 0.0.0.0 is reachable from other machines", None),
        (["serve", "--prot", "1"], 2, "reticle: No such option '--prot'", "next: reticle serve --help"),
        (["sreve"], 2, "reticle: No such command 'sreve'", "next: reticle --help"),
        (["status", "--config", "none.toml"], 78, "reticle: ", "next: give --config an existing file"),
    ],
)
def test_an_error_is_one_line_and_a_next_step(
    arguments: list[str], code: int, first: str, step: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    What is wrong and what to do, on two lines of standard error, with an exit code for scripts.
    """
    assert main.run(arguments) == code
    shown = capsys.readouterr()
    lines = shown.err.splitlines()
    assert shown.out == ""
    assert len(lines) == 2
    assert lines[0].startswith(first)
    assert lines[1].startswith(step or "next: ")


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (ConfigurationFault("x", "y"), ExitCode.CONFIGURATION),
        (CommandFailure(ExitCode.UNREACHABLE, "x", "y"), ExitCode.UNREACHABLE),
        (Refusal("token_invalid", "x", "y"), ExitCode.REFUSED),
        (Refusal("storage_failed", "x", "y"), ExitCode.FAILED),
        (click.UsageError("x"), ExitCode.USAGE),
        (click.FileError("x"), ExitCode.FAILED),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED),
        (BrokenPipeError(), ExitCode.FAILED),
    ],
)
def test_each_kind_of_failure_has_its_exit_code(
    fault: BaseException,
    code: ExitCode,
    failing: Callable[[BaseException], int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    Scripts can tell configuration, authorization, absence and misuse apart.
    """
    monkeypatch.setattr("os.dup2", lambda *_: 1)
    monkeypatch.setattr("sys.stdout.fileno", lambda: 1, raising=False)
    assert failing(fault) == code


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], int]:
    """
    Runs a command that fails in a given way.
    """

    def run(fault: BaseException) -> int:
        @click.command(name="boom")
        def command() -> None:
            raise fault

        monkeypatch.setattr(main.reticle, "get_command", lambda _ctx, _name: command)
        return main.run(["boom"])

    return run


def test_a_bug_is_an_incident_without_a_traceback(
    failing: Callable[[BaseException], int],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    The user sees one line with a number and a place; the traceback comes on request.
    """
    assert failing(ZeroDivisionError("oh\nno")) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("reticle: this is a bug of reticle, incident ")
    assert "ZeroDivisionError: oh (test_main.py:" in lines[0]
    monkeypatch.setenv("RETICLE_DEBUG", "1")
    failing(ZeroDivisionError("oh"))
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_each_command_says_whole_what_it_is_for() -> None:
    """
    A list of commands, in a window of 80 columns, cuts nobody's sentence off.
    """
    cut = []
    groups: list[tuple[str, click.Group]] = [("reticle", main.reticle)]
    for path, group in groups:
        context = click.Context(group)
        found = {name: group.get_command(context, name) for name in group.list_commands(context)}
        room = 80 - len("  ") - len("  ") - len("    ") - max(map(len, found))
        for name, command in found.items():
            assert command is not None
            if command.hidden:
                continue
            cut += [f"{path} {name}"] * command.get_short_help_str(room).endswith("...")
            groups += [(f"{path} {name}", command)] if isinstance(command, click.Group) else []
    assert cut == []


@pytest.mark.parametrize("group", ["run", "work", "repo"])
def test_a_group_alone_shows_its_commands(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    """
    Who types half a command reads what there is, as help and not as an error's text; a script sees exit 2.
    """
    assert main.run([group]) == ExitCode.USAGE
    shown = capsys.readouterr()
    assert shown.err.startswith(f"Usage: reticle {group} ")
    assert "\nCommands:\n" in shown.err
    assert shown.out == ""
