"""
Owning the process: the reactor runs, signals stop it, and the outcome is an exit code.

Used by ``reticle serve``; under ``twistd`` and ``twist`` those own the process, and ``tap`` uses the same
pieces.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import stat
import sys
from functools import partial
from types import FrameType
from typing import Any

from twisted.internet.error import ReactorNotRunning
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.errors import ConfigurationFault
from reticle.logs import start_logging
from reticle.model.limits import LOG_HELD_SECONDS
from reticle.service.daemon import Daemon
from reticle.service.listeners import Listeners, inherited_listeners, open_listeners, with_second
from reticle.settings import Settings
from reticle.storage.directories import locate_directories
from reticle.transport.fast_lane_twisted import read_at_once
from reticle.transport.systemd import inherited_sockets, keep_from_children, notify

_log = Logger()
_STDOUT, _STDERR = 1, 2
EXIT_OK = 0
EXIT_ABRUPT = 1
EXIT_CONFIGURATION = 78
"""As sysexits(3) ``EX_CONFIG``; the systemd unit does not restart after it."""


def take_listeners(settings: Settings) -> Listeners:
    """
    The sockets to serve on: those a supervisor handed us, else the port the settings name; and the second
    listener.

    Raises:
        ConfigurationFault: The port is taken or cannot be bound.
    """
    found = locate_directories(settings.state_dir, settings.runtime_dir, os.environ)
    inherited = inherited_sockets(os.environ, os.getpid())
    if inherited:
        keep_from_children(inherited)
        first = inherited_listeners(
            [one.descriptor for one in inherited], with_token=settings.token is not None
        )
    else:
        first = open_listeners(settings.host, settings.port, found.runtime)
    return with_second(first, settings.mcp_http_addr, found.runtime)


def exit_at_once(_signal: int, _frame: FrameType | None) -> None:
    """
    What a second SIGTERM or SIGINT means: no more farewells.
    """
    os._exit(EXIT_ABRUPT)


def prepare_stop(reactor: Any) -> None:
    """
    Once a stop has begun, make the next signal an abrupt one, and tell systemd.
    """

    def stopping() -> None:
        notify("STOPPING=1", os.environ)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, exit_at_once)
        # The stop goes on when the terminal is closed meanwhile.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    reactor.addSystemEventTrigger("before", "shutdown", stopping)


def stop_on_hangup(reactor: Any) -> None:
    """
    Make a closed terminal a planned stop, unless we were told to outlive it (nohup(1)).
    """

    def install() -> None:
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            signal.signal(signal.SIGHUP, partial(_ask_to_stop, reactor))

    reactor.callWhenRunning(install)


def end_without_signal(reactor: Any) -> None:
    """
    Make SIGTERM and SIGINT end the process with exit code 0 where Twisted owns it.

    Twisted's runners hand the signal that stopped them on to themselves after the shutdown, so a planned
    stop would look like a kill (code -15). A handler that only stops the reactor leaves them nothing.
    """

    def install() -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, partial(_ask_to_stop, reactor))

    # Once it runs: the reactor has installed its own handlers by then.
    reactor.callWhenRunning(install)


def _ask_to_stop(reactor: Any, _signal: int, _frame: FrameType | None) -> None:
    def stop() -> None:
        # Two signals may come before the loop sees the first.
        with contextlib.suppress(ReactorNotRunning):
            reactor.stop()

    reactor.callFromThread(stop)


def hasten(reactor: Any, settings: Settings) -> None:
    """
    Let the process's own reactor read at once, unless the fast lane is off or Twisted is another one.
    """
    if settings.fast_lane:
        reason = read_at_once(reactor)
        if reason is not None:
            _log.debug("requests are read as by any program, some 3 us slower: {reason}", reason=reason)


def serve(settings: Settings) -> int:
    """
    Run the daemon until a signal ends it; returns the exit code.

    Prints one line, ``listening on URL``, to standard output once it answers, unless the log has told the
    same reader already.

    Raises:
        ConfigurationFault: It cannot be started as told; nothing was left behind.
    """
    from twisted.internet import reactor as installed  # noqa: PLC0415, TID251 - an entry point

    reactor: Any = installed
    listeners = take_listeners(settings)
    try:
        log = start_logging(settings, os.environ, sys.stderr)
        daemon = Daemon(settings, reactor=reactor, listeners=listeners)
        faults: list[ConfigurationFault] = []
        spoken = _is_shown(settings) and _is_one_screen(_STDOUT, _STDERR)
        reactor.callWhenRunning(_start, daemon, reactor, faults, announce=not spoken)
        prepare_stop(reactor)
        stop_on_hangup(reactor)
        hasten(reactor, settings)
        reactor.addSystemEventTrigger("before", "shutdown", _stop, daemon)
    except ConfigurationFault:
        listeners.close()
        raise
    log.hold(partial(reactor.callLater, LOG_HELD_SECONDS))
    try:
        reactor.run()
    finally:
        log.hold_no_more()
    if faults:
        raise faults[0]
    return EXIT_OK


def _is_shown(settings: Settings) -> bool:
    """
    Whether the log's own line comes on standard error.
    """
    return settings.log_file is None and settings.log_level in ("debug", "info")


def _is_one_screen(output: int, log: int) -> bool:
    """
    Whether two descriptors end at the same reader, a person or a journal; a pipe is read by a program.
    """
    try:
        ours, its = os.fstat(output), os.fstat(log)
    except OSError:
        return False
    return os.path.samestat(ours, its) and not stat.S_ISFIFO(ours.st_mode)


def _start(daemon: Daemon, reactor: Any, faults: list[ConfigurationFault], *, announce: bool) -> None:
    def refused(failure: Failure) -> None:
        if not daemon.running:
            # A signal came during the start; that is a planned stop.
            return
        fault = failure.value
        if not isinstance(fault, ConfigurationFault):
            fault = ConfigurationFault("the daemon could not start", "read the log above")
        faults.append(fault)
        reactor.stop()

    def serving(url: str) -> None:
        _keep_what_is_there()
        daemon.parts.loading.when_done().addCallback(lambda _: _keep_what_is_there())
        notify(f"READY=1\nSTATUS=listening on {url}", os.environ)
        if not announce:
            return
        # Whoever started us may have closed the pipe already; the daemon serves others too.
        with contextlib.suppress(OSError):
            print(f"listening on {url}", flush=True)  # noqa: T201 - scripts that start us wait for this line

    try:
        daemon.startService()
    except ConfigurationFault as fault:
        faults.append(fault)
        reactor.stop()
        return
    daemon.when_serving().addCallbacks(serving, refused)


def _keep_what_is_there() -> None:
    """
    What is loaded stays: a look for garbage in it would stop the loop for as long as all of it takes.
    """
    gc.freeze()
    gc.enable()


def _stop(daemon: Daemon) -> Any:
    return daemon.stopService() if daemon.running else None
