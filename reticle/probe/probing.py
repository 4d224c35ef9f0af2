"""
Switches the probe on and off in this process.
"""

from __future__ import annotations

import atexit
import os
import sys
from pathlib import Path
from typing import Any, Final

from reticle.probe import collection, emission
from reticle.probe.guards import is_reloader_parent, refusal
from reticle.probe.patching import Patches
from reticle.probe.quiet import safely
from reticle.probe.sender import Sender


class Probe:
    """
    The probe of a process: ``is_on``, or ``refused`` with the reason.
    """

    def __init__(self, sender: Sender | None, refused: str | None) -> None:
        self._sender = sender
        self.refused: Final = refused

    @property
    def is_on(self) -> bool:
        """
        Whether facts are told.
        """
        return self._sender is not None and emission.sink is self._sender

    def name_framework(self, framework: str, project: str | None = None) -> None:
        """
        Say what the adapter found; the next batch tells it.
        """
        if self._sender is not None:
            self._sender.framework = framework or self._sender.framework
            self._sender.project = project or self._sender.project


_running: Probe | None = None
_is_hooked = False
_patches: Final = Patches()


def start(
    framework: str | None = None,
    project: str | None = None,
    *,
    on: bool | None = None,
    debug: bool | None = None,
) -> Probe:
    """
    Switch the probe on, if it may be; again is no harm.

    Args:
        framework: Such as ``django 5.2``.
        project: The project's folder; the working directory by default.
        on: Asked for (True) or refused (False) by the app itself.
        debug: The framework's debug switch.

    Returns:
        The probe; where it stayed off, ``refused`` says why.
    """
    global _running  # noqa: PLW0603 - one per process
    if _running is not None and _running.is_on:
        _running.name_framework(framework or "", project)
        return _running
    refused = refusal(os.environ, asked=on, debug=debug)
    if refused is None and is_reloader_parent(os.environ, command_line()):
        refused = "this process only reloads another"
    if refused is not None:
        return Probe(None, refused)
    sender = Sender(framework or "", project or str(Path.cwd()))
    _running = Probe(sender, None)
    emission.sink = sender
    collection.install()
    _patches.replace(os, "_exit", _ending)
    _hook()
    return _running


def stop() -> None:
    """
    Switch it off and take every collector out; what waits is sent.
    """
    global _running
    sink, emission.sink, _running = emission.sink, None, None
    collection.remove()
    _patches.remove()
    if isinstance(sink, Sender):
        sink.flush()


def command_line() -> list[str]:
    """
    From the script, or from ``-m``, on; while Python starts, ``sys.argv`` does not name the module yet.
    """
    arguments = sys.orig_argv
    return arguments[arguments.index("-m") :] if "-m" in arguments[1:3] else sys.argv


def _hook() -> None:
    global _is_hooked  # noqa: PLW0603 - one per process
    if _is_hooked:
        return
    _is_hooked = True
    atexit.register(_at_exit)
    os.register_at_fork(after_in_child=_after_fork)


def _at_exit() -> None:
    if isinstance(emission.sink, Sender):
        emission.sink.flush()


def _ending(original: Any) -> Any:
    """
    A process that a fork made ends by this call, by multiprocessing's too, and runs nothing of ``atexit``.
    """

    def _exit(status: int) -> Any:
        safely(_at_exit)
        return original(status)

    return _exit


def _after_fork() -> None:
    if isinstance(emission.sink, Sender):
        emission.sink.after_fork()
