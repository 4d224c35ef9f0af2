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

from reticle.logs.observers import RecentWarnings, make_observer, make_redaction
from reticle.logs.stdlib import forward_stdlib_logging
from reticle.settings import Settings, read_settings, working_directory


def start_logging(
    settings: Settings,
    environ: Mapping[str, str],
    stream: TextIO,
    beginner: LogBeginner = globalLogBeginner,
) -> RecentWarnings:
    """
    Begin to log as the settings say, and hand out the memory of recent warnings.

    Only an entry point that owns the process calls this, once.

    Raises:
        ConfigurationFault: The log file cannot be opened.
    """
    recent = RecentWarnings(make_redaction(settings))
    beginner.beginLoggingTo([make_observer(settings, environ, stream), recent], redirectStandardIO=False)
    forward_stdlib_logging(logging.getLogger())
    return recent


def twistd_observer() -> ILogObserver:
    """
    For ``twistd --logger reticle.logs.twistd_observer``: our lines, as the environment and file say.
    """
    return make_observer(read_settings({}, os.environ, working_directory()), os.environ, sys.stderr)
