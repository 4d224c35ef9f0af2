"""
``reticle serve``: the daemon in the foreground.
"""

from __future__ import annotations

import gc
import os

import click

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import setting_options
from reticle.cli.tls_later import load_reactor
from reticle.settings import read_settings, working_directory

_YOUNG_OBJECTS = 20_000
"""Made since the last look for garbage before there is another."""


@click.command(name="serve")
@setting_options()
def command(**flags: str | None) -> int:
    """
    Start the daemon and stay until it is stopped.
    """
    settings = read_settings(flags, os.environ, working_directory())
    gc.disable()  # until it serves: what a start loads is no garbage
    gc.set_threshold(_YOUNG_OBJECTS)
    load_reactor()
    from reticle.service.listeners import PortInUse  # noqa: PLC0415 - loads Twisted, which no other command needs
    from reticle.service.run import serve  # noqa: PLC0415 - as above
    from reticle.storage.lock import DirectoryInUse  # noqa: PLC0415 - as above

    try:
        return serve(settings)
    except (PortInUse, DirectoryInUse) as fault:
        # Not 78: once the other program has ended, the same configuration works.
        raise CommandFailure(ExitCode.FAILED, fault.message, fault.recovery) from None
