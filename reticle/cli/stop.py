"""
``reticle stop``: ends a daemon, surely and nobody else.

The process is known by its number and its start, so a stranger that got the number is never hit.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import click

from reticle.cli.discovery import runtime_directory
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import setting_options, settings_for_client
from reticle.settings import Settings
from reticle.storage.daemon_file import DaemonRecord, living_daemons, withdraw
from reticle.storage.endpoint_file import EndpointFile
from reticle.storage.probe_file import remove_probe_file_of
from reticle.storage.process_identity import signal_process
from reticle.transport.port_holder import find_port_holder

TERM_SECONDS: Final = 5.0
"""How long a daemon may take to end by itself (issue #2: exit within 5 s)."""

KILL_SECONDS: Final = 2.0
"""How long the kernel may take to end a killed process."""

_POLL_SECONDS: Final = 0.05

Signal = Callable[[int, str, signal.Signals], bool]


@click.command(name="stop")
@setting_options("port", "runtime_dir", "config", port="The daemon on this port; else the one that runs.")
def command(**flags: str | None) -> int:
    """
    Stop the daemon; with several, --port says which.
    """
    settings = settings_for_client(flags)
    runtime = runtime_directory(settings)
    record = choose(living_daemons(runtime), settings, explicit=flags["port"] is not None)
    how = end(record, signal_process, time.monotonic, time.sleep)
    clear(runtime, record)
    click.echo(f"reticle on port {record.port} (pid {record.pid}) {how}")
    return ExitCode.OK


def choose(living: Sequence[DaemonRecord], settings: Settings, *, explicit: bool) -> DaemonRecord:
    """
    The daemon that is meant.

    Raises:
        CommandFailure: None runs, or several do and none was named.
    """
    wanted = [record for record in living if not explicit or record.port == settings.port]
    if len(wanted) == 1:
        return wanted[0]
    if wanted:
        ports = ", ".join(str(record.port) for record in wanted)
        raise CommandFailure(
            ExitCode.USAGE,
            f"{len(wanted)} daemons run, on ports {ports}",
            f"reticle stop --port {wanted[0].port}",
        )
    holder = find_port_holder("localhost", settings.port)
    if holder is not None:
        who = holder.program + (f", pid {holder.pid}" if holder.pid is not None else "")
        raise CommandFailure(
            ExitCode.UNREACHABLE,
            f"no daemon of yours is known on port {settings.port}; what listens there ({who}) is left alone",
            f"reticle doctor --port {settings.port}",
        )
    raise CommandFailure(
        ExitCode.UNREACHABLE, "no reticle daemon runs here, nothing to stop", "reticle serve"
    )


def end(
    record: DaemonRecord,
    send: Signal,
    monotonic: Callable[[], float],
    sleep: Callable[[float], object],
) -> str:
    """
    Ask it to stop, wait, then kill; says how it ended.

    Raises:
        CommandFailure: It belongs to another user, or does not even end when killed.
    """
    for number, patience, how in (
        (signal.SIGTERM, TERM_SECONDS, "has stopped"),
        (signal.SIGKILL, KILL_SECONDS, f"did not stop within {TERM_SECONDS:g} s and was killed"),
    ):
        try:
            send(record.pid, record.identity, number)
        except PermissionError:
            raise CommandFailure(
                ExitCode.FAILED,
                f"the daemon (pid {record.pid}) belongs to another user",
                f"sudo kill {record.pid}",
            ) from None
        deadline = monotonic() + patience
        while record.is_alive and monotonic() < deadline:
            sleep(_POLL_SECONDS)
        if not record.is_alive:
            return how
    raise CommandFailure(
        ExitCode.FAILED,
        f"the daemon (pid {record.pid}) does not end even when killed; it waits for a disk or a driver",
        f"ps -o stat,wchan -p {record.pid}",
    )


def clear(runtime: Path, record: DaemonRecord) -> None:
    """
    Remove what a killed daemon could not remove itself, unless a successor has written its own.
    """
    withdraw(runtime, record)
    if record.socket and not any(one.socket == record.socket for one in living_daemons(runtime)):
        (runtime / record.socket).unlink(missing_ok=True)
    remove_probe_file_of(runtime, record.pid)
    with contextlib.suppress(OSError):
        EndpointFile(runtime, record.mcp_url or f"{record.url}/mcp").hand_over()
