"""
Flags of ``serve`` are the settings.
"""

from __future__ import annotations

from click.testing import CliRunner

from reticle.cli.serve import command
from reticle.settings import OPTIONS


def test_serve_has_a_flag_for_every_setting_and_no_other() -> None:
    """
    Whatever can be set by variable or file can be set by flag, except a token.
    """
    assert {option for parameter in command.params for option in parameter.opts} == {
        option.flag for option in OPTIONS if option.flag is not None
    }


def test_help_names_variable_and_default() -> None:
    """
    Each flag shows its variable and what happens without it.
    """
    shown = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    for option in OPTIONS:
        if option.flag is not None:
            assert f"[{option.variable}; default: {option.default}]" in shown
