"""
Which daemon a front dials: the one it was told, else the one announced here, else whoever has the port.

Loads the settings when first asked, after the client has got its first answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from reticle.client.address import STREAM_PATH, Address, parse_address
from reticle.errors import ConfigurationFault
from reticle.relay.files import read_own
from reticle.relay.supervisor import Where
from reticle.relay.trouble import Cause, Trouble
from reticle.settings import Settings, read_settings, working_directory
from reticle.storage.directories import locate_directories
from reticle.storage.process_identity import process_identity

_RECORD_BYTES = 16_384
URL_VARIABLES = ("RETICLE_URL", "RETICLE_MCP_URL", "STRIATUM_MCP_URL")
"""A whole URL instead of a port. An agent's supervisor exports the second; the third is its older name."""


class Announced(NamedTuple):
    """
    A living daemon of this user, as it announced itself.
    """

    url: str
    port: int
    pid: int


class Whereabouts:
    """
    Args:
        flags: What the command line said, by the settings' names; ``url`` beside them.
        environ: The process's environment.
    """

    def __init__(self, flags: Mapping[str, str], environ: Mapping[str, str]) -> None:
        self._flags = {name: value for name, value in flags.items() if name != "url"}
        self._url = flags.get("url") or next((environ[v] for v in URL_VARIABLES if environ.get(v)), None)
        self._environ = environ
        self._settings: Settings | None = None
        if self._url is not None and "port" in flags and "url" not in flags:
            self._url = None  # a flag is nearer than the environment

    @property
    def elsewhere(self) -> bool:
        """
        Whether a URL was named: then no daemon is started here in its place.
        """
        return self._url is not None

    def flag(self, name: str) -> str | None:
        """
        What the command line itself said for a setting.
        """
        return self._flags.get(name)

    def settings(self) -> Settings:
        """
        What a daemon here would be told, but for the token, which is the one to present. Raises
        ``ConfigurationFault``.
        """
        if self._settings is None:
            flags = {**self._flags, "host": "127.0.0.1"}
            self._settings = read_settings(flags, self._environ, working_directory(), as_client=True)
        return self._settings

    def directories(self) -> tuple[Path, Path]:
        """
        State and runtime directory. Raises ``ConfigurationFault``.
        """
        told = self.settings()
        found = locate_directories(told.state_dir, told.runtime_dir, self._environ)
        return found.state, found.runtime

    def find(self) -> Where | Trouble:
        """
        Where to dial now.
        """
        try:
            token = self.settings().token
            address = self._address()
        except ConfigurationFault as fault:
            return Trouble(Cause.REFUSED, fault.message, fault.recovery)
        except ValueError as fault:
            return Trouble(Cause.REFUSED, str(fault), "give --url as http://HOST:PORT")
        if address is None:
            return Trouble(Cause.NOBODY, "no reticle daemon runs", "reticle serve")
        return Where(address, None if token is None else token.reveal())

    def announced(self) -> Sequence[Announced]:
        """
        Every living daemon that announced itself in the runtime directory.
        """
        try:
            paths = sorted(self.directories()[1].glob("daemon-*.json"))
        except OSError:
            return []
        return [one for path in paths for one in [_living(str(path))] if one is not None]

    def choose(self) -> Announced | None:
        """
        The announced daemon that is meant: that of the port, or the only one when no port was named.
        """
        port = self.settings().port
        living = self.announced()
        ours = [one for one in living if one.port == port]
        if not ours and len(living) == 1 and (port == 0 or self.settings().origin("port") == "default"):
            ours = list(living)
        if not ours and port == 0 and living:
            ours = [living[-1]]
        return ours[0] if ours else None

    def _address(self) -> Address | None:
        if self._url is not None:
            return parse_address(self._url)
        daemon = self.choose()
        if daemon is not None:
            return parse_address(daemon.url + STREAM_PATH)
        port = self.settings().port
        return None if port == 0 else parse_address(f"http://127.0.0.1:{port}{STREAM_PATH}")


def _living(path: str) -> Announced | None:
    """
    A record whose very process still runs: its port may be a stranger's else, who must not get our token.
    """
    content = read_own(path, _RECORD_BYTES)
    try:
        record = json.loads(content or b"null")
        found = Announced(record["url"], int(record["port"]), int(record["pid"]))
        alive = process_identity(found.pid) == record["identity"]
    except (ValueError, KeyError, TypeError):
        return None
    return found if alive else None
