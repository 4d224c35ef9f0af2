"""
``reticle serve``: the daemon in the foreground.
"""

from __future__ import annotations

import os
from pathlib import Path

import click

from reticle.cli.options import setting_options
from reticle.settings import read_settings


@click.command(name="serve")
@setting_options()
def command(**flags: str | None) -> int:
    """
    Start the daemon and stay until it is stopped.
    """
    settings = read_settings(flags, os.environ, Path.cwd())
    from reticle.service import serve  # noqa: PLC0415 - loads Twisted, which no other command needs

    return serve(settings)
