"""
Which daemons run here: those that announced themselves, else whoever answers on the configured port.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from reticle.cli.probe import Answering, Reply, Silent, Unauthorised, ask_status
from reticle.settings import ConfigurationFault, SecretText, Settings
from reticle.settings.credentials import read_token_file
from reticle.storage.daemon_file import DaemonRecord, living_daemons
from reticle.storage.directories import locate_directories

Ask = Callable[[str, SecretText | None], Reply]


@attrs.frozen
class FoundDaemon:
    """
    A daemon, or what stands in its place. ``record`` is None when nobody announced it in our directory.
    """

    url: str
    port: int
    reply: Reply
    record: DaemonRecord | None = None

    @property
    def is_ours(self) -> bool:
        """
        Whether it is a reticle daemon: it said so itself or its process is recorded and lives.
        """
        return self.record is not None or isinstance(self.reply, Answering)


def runtime_directory(settings: Settings) -> Path:
    """
    Where daemons of this user announce themselves.
    """
    return locate_directories(settings.state_dir, settings.runtime_dir, os.environ).runtime


def operators_token(runtime: Path, record: DaemonRecord) -> SecretText:
    """
    What the daemon that announced itself in ``runtime`` keeps for its operator.

    Raises:
        ConfigurationFault: There is no such file, or others can read it.
    """
    return SecretText(read_token_file(runtime / record.client_token).strip())


def _ask_as_operator(record: DaemonRecord, settings: Settings, ask: Ask) -> Reply:
    """
    Ask with the token that was told, or with none; and with the operator's where the daemon wants one.
    """
    reply = ask(record.url, settings.token)
    if settings.token is not None or not isinstance(reply, Unauthorised) or not record.client_token:
        return reply
    try:
        return ask(record.url, operators_token(runtime_directory(settings), record))
    except ConfigurationFault:
        return reply


def find_daemons(settings: Settings, port: int | None, ask: Ask = ask_status) -> Sequence[FoundDaemon]:
    """
    The daemons of this user, each asked how it is, by port.

    Args:
        settings: For the runtime directory, the token and the port to try when none is announced.
        port: Only this one.
        ask: How to ask.
    """
    records = [one for one in living_daemons(runtime_directory(settings)) if port in (None, one.port)]
    if records:
        return [FoundDaemon(one.url, one.port, _ask_as_operator(one, settings, ask), one) for one in records]
    tried = settings.port if port is None else port
    if tried == 0:
        return []
    url = f"http://127.0.0.1:{tried}"
    reply = ask(url, settings.token)
    if isinstance(reply, Silent) and not reply.listening:
        return []
    return [FoundDaemon(url, tried, reply)]
