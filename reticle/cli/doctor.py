"""
``reticle doctor``: what is wrong here, each fault with the one command that mends it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

import attrs
import click

from reticle.cli.checks import (
    Level,
    Row,
    check_chromium,
    check_daemon,
    check_directories,
    check_interpreter,
    check_pages,
    check_plugin,
    check_port,
    check_settings,
    check_storage,
    check_versions,
    installed_version,
    own_requirements,
)
from reticle.cli.database_check import check_database
from reticle.cli.discovery import find_daemons
from reticle.cli.exits import ExitCode
from reticle.cli.options import setting_options, settings_for_client
from reticle.storage.directories import locate_directories
from reticle.transport.port_holder import find_port_holder


@click.command(name="doctor")
@setting_options("port", "state_dir", "runtime_dir", "token_file", "config")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool, **flags: str | None) -> int:  # noqa: FBT001 - click passes it by name
    """
    Look for faults; exit 1 when there is one.
    """
    rows = examine(flags)
    if as_json:
        click.echo(json.dumps({"rows": [attrs.asdict(row) for row in rows]}))
    else:
        for row in rows:
            click.echo(as_line(row))
    return ExitCode.FAILED if any(row.level is Level.FAULT for row in rows) else ExitCode.OK


def examine(flags: dict[str, str | None]) -> Sequence[Row]:
    """
    Every check, in the order in which things are needed.

    Raises:
        ConfigurationFault: The settings themselves are refused.
    """
    import twisted.plugins  # noqa: PLC0415 - only its __path__ is needed, and only here

    settings = settings_for_client(flags)
    directories = locate_directories(settings.state_dir, settings.runtime_dir, os.environ)
    found = find_daemons(settings, None)
    holder = None if settings.port == 0 else find_port_holder("localhost", settings.port)
    return [
        *check_interpreter(sys.version_info[:3], sys.executable),
        *check_versions(own_requirements(), installed_version),
        *check_plugin(list(twisted.plugins.__path__)),
        *check_settings(settings),
        *check_directories(directories),
        *check_database(settings),
        *check_port(settings.port, holder, found),
        *check_daemon(found),
        *check_storage(found),
        *check_pages(found),
        *check_chromium(settings, os.environ.get("PATH", "")),
    ]


def as_line(row: Row) -> str:
    """
    One row for people; its command on the same line, so that one can be copied for the other.
    """
    return f"{row.level:<6} {row.name:<18} {row.text}" + (f"  ->  {row.command}" if row.command else "")
