"""
``twistd reticle`` and ``twist reticle``: the same daemon, with Twisted owning the process.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from twisted.application.service import IService
from twisted.python import usage

from reticle.errors import ConfigurationFault
from reticle.service import make_service
from reticle.service.run import (
    end_without_signal,
    hasten,
    prepare_stop,
    stop_on_hangup,
    take_listeners,
)
from reticle.settings import OPTIONS, read_settings, working_directory


class Options(usage.Options):
    """
    The same flags as ``reticle serve``; which they are is said once, in ``reticle.settings``. Those of the
    log are missing, because here the log is Twisted's: it would not heed them (docs/operations/logs.md).
    """

    longdesc = "The daemon that tells a coding agent whether its change really works."
    optParameters = [  # noqa: RUF012 - usage.Options reads it as a class attribute
        [option.name.replace("_", "-"), None, None, option.meaning]
        for option in OPTIONS
        if option.has_flag and not option.is_switch and not option.name.startswith("log_")
    ]
    optFlags = [  # noqa: RUF012 - as above
        [option.name.replace("_", "-"), None, option.meaning] for option in OPTIONS if option.is_switch
    ]


def makeService(options: Options) -> IService:
    """
    What twistd calls: settings read, port taken, service built.

    Raises:
        SystemExit: The daemon cannot be started as told. twistd would show any other exception, a
            ``usage.UsageError`` too, with its traceback; this one is the two lines of ``reticle serve``.
    """
    from twisted.internet import reactor as installed  # noqa: PLC0415, TID251 - an entry point

    reactor: Any = installed
    given = {name.replace("-", "_"): value for name, value in options.items() if value is not None}
    # A switch is 0 or 1 here, and one that was not given must not hide what a variable says.
    flags = {name: True if value == 1 else value for name, value in given.items() if value != 0}
    try:
        settings = read_settings(flags, os.environ, working_directory())
        listeners = take_listeners(settings)
        daemon = make_service(settings, reactor=reactor, listeners=listeners)
    except ConfigurationFault as fault:
        raise SystemExit(f"reticle: {fault.message}\nnext: {fault.recovery}") from None
    prepare_stop(reactor)
    end_without_signal(reactor)
    stop_on_hangup(reactor)
    hasten(reactor, settings)
    return daemon


_: Callable[[Options], IService] = makeService
