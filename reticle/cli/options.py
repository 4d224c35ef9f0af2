"""
Command line options made from the settings, so that a flag cannot differ from its variable or key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from reticle.settings import OPTIONS, Settings, read_settings, working_directory

F = TypeVar("F", bound=Callable[..., Any])


def setting_options(*names: str, **meanings: str) -> Callable[[F], F]:
    """
    Decorate a command with the flags of the named settings, or of all that have a flag.

    Values are passed on as text; ``read_settings`` judges them.

    Args:
        names: Which settings.
        meanings: The whole help of a flag that means something else to this command than to a start.
    """

    def decorate(function: F) -> F:
        for option in reversed(OPTIONS):
            if option.flag is not None and (not names or option.name in names):
                usual = f"{option.meaning} [{option.variable}; default: {option.default}]"
                text = meanings.get(option.name, usual)
                shape: dict[str, Any] = {"metavar": option.name.rpartition("_")[2].upper()}
                if option.is_switch:
                    shape = {"metavar": "[on|off]", "is_flag": False, "flag_value": "on"}
                function = click.option(option.flag, option.name, help=text, **shape)(function)
        return function

    return decorate


def settings_for_client(flags: Mapping[str, object]) -> Settings:
    """
    The settings of a command that only asks a running daemon.

    Where the daemon listens is in its runtime file, so a host that it may not serve from here is no
    reason to refuse a question. Its ``token`` is what to present, of either kind.
    """
    return read_settings({**flags, "host": "127.0.0.1"}, os.environ, working_directory(), as_client=True)
