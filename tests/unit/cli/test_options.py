"""
The flags of commands are the settings' own.
"""

from __future__ import annotations

import click
import pytest

from reticle.cli.options import setting_options, settings_for_client
from reticle.settings import OPTIONS


def flags_of(command: click.Command) -> list[str]:
    """
    The flags that a command takes, in the order of its help.
    """
    return [option.opts[0] for option in command.params]


@click.command()
@setting_options()
def every_flag(**_values: str) -> None:
    """
    A command that takes them all.
    """


@click.command()
@setting_options("port", "state_dir", port="The daemon's port.")
def two_flags(**_values: str) -> None:
    """
    A command that takes some.
    """


def test_flags_stand_in_the_order_of_the_settings() -> None:
    """
    The help lists what the documentation lists, in the same order; a command may take a few only.
    """
    assert flags_of(every_flag) == [option.flag for option in OPTIONS if option.flag is not None]
    assert sorted(flags_of(two_flags)) == ["--port", "--state-dir"]


def test_the_help_names_variable_and_default() -> None:
    """
    One line says what a flag means, which variable it shadows and what holds without it.
    """
    shown = " ".join(
        every_flag.get_help(click.Context(every_flag, terminal_width=400, max_content_width=400)).split()
    )
    for option in OPTIONS:
        if option.flag is not None:
            assert f"{option.meaning} [{option.variable}; default: {option.default}]" in shown


def test_a_flag_may_mean_something_else_to_a_command() -> None:
    """
    ``reticle stop --help`` does not offer a port to listen on.
    """
    shown = two_flags.get_help(click.Context(two_flags))
    assert "The daemon's port." in shown
    assert "Port to listen on" not in shown


def test_a_question_may_be_asked_where_the_daemon_could_not_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    ``reticle status`` works in a shell whose RETICLE_HOST is open to the network and has no token.
    """
    monkeypatch.setenv("RETICLE_HOST", "0.0.0.0")
    monkeypatch.delenv("RETICLE_TOKEN", raising=False)
    settings = settings_for_client({"port": "4999"})
    assert (settings.host, settings.port) == ("127.0.0.1", 4999)


def test_a_switch_stands_alone_or_with_its_value() -> None:
    """
    ``--require-token`` means on; off can be said over a file that says on.
    """
    told: list[object] = []

    @click.command()
    @setting_options("require_token", "port")
    def one_switch(**values: str | None) -> None:
        told.append(values["require_token"])

    for arguments in (["--require-token"], ["--require-token", "--port", "1"], ["--require-token=off"], []):
        one_switch.main(arguments, standalone_mode=False)
    assert told == ["on", "on", "off", None]
