"""
Where logging begins: once per process, by an entry point.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from typing import TextIO

from twisted.logger import ILogObserver, LogBeginner, globalLogBeginner

from reticle.logs.observers import LineObserver, make_observer
from reticle.logs.stdlib import forward_stdlib_logging
from reticle.settings import Settings, read_settings, working_directory


def start_logging(
    settings: Settings,
    environ: Mapping[str, str],
    stream: TextIO,
    beginner: LogBeginner = globalLogBeginner,
) -> LineObserver:
    """
    Begin to log as the settings say.

    Only an entry point that owns the process calls this, once. It may let the observer ``hold`` lines then.

    Raises:
        ConfigurationFault: The log file cannot be opened.
    """
    observer = make_observer(settings, environ, stream)
    beginner.beginLoggingTo([observer], redirectStandardIO=False)
    forward_stdlib_logging(logging.getLogger())
    return observer


def twistd_observer() -> ILogObserver:
    """
    For ``twistd --logger reticle.logs.twistd_observer``: our lines, as the environment and file say.
    """
    return make_observer(read_settings({}, os.environ, working_directory()), os.environ, sys.stderr)
