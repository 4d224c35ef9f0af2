"""
The frozen value that the whole daemon is built from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from reticle.errors import ConfigurationFault
from reticle.model.journal_limits import JOURNAL_HOURS, JOURNAL_MIB
from reticle.model.limits import DEFAULT_PORT
from reticle.settings.parsers import (
    HttpAddress,
    SecretText,
    has_password,
    is_loopback,
    parse_audit_durability,
    parse_cdp_url,
    parse_database_url,
    parse_detectors,
    parse_disabled_detectors,
    parse_host,
    parse_journal_hours,
    parse_journal_mib,
    parse_log_format,
    parse_log_level,
    parse_mcp_http_addr,
    parse_port,
    parse_toolsets,
)

DEFAULT_MCP_HTTP_ADDR: Final = HttpAddress("127.0.0.1", 0)
"""A free port: the endpoint file says which."""


@dataclass(frozen=True)
class Settings:
    """
    Everything the daemon was told.

    ``port`` 0 takes a free port. ``mcp_http_addr`` is the second listener, None for none. ``state_dir`` and
    ``runtime_dir`` None mean the platform's places, ``database_url`` None a file in ``state_dir``,
    ``log_file`` None means standard error. ``chromium`` None looks for a browser, ``cdp_url`` None starts
    one. ``notes`` are doubts worth a warning in the log.

    Raises:
        ConfigurationFault: The values cannot be served together; no retry without a change.
    """

    port: int = DEFAULT_PORT
    host: str = "127.0.0.1"
    token: SecretText | None = field(default=None, repr=False)
    state_dir: Path | None = None
    runtime_dir: Path | None = None
    database_url: SecretText | None = field(default=None, repr=False)
    require_token: bool = False
    mcp_http_addr: HttpAddress | None = DEFAULT_MCP_HTTP_ADDR
    audit_durability: str = "normal"
    journal: bool = True
    journal_mib: int = JOURNAL_MIB
    journal_hours: int = JOURNAL_HOURS
    toolsets: frozenset[str] = frozenset({"verify"})
    detectors: tuple[str, ...] = ()
    disabled_detectors: frozenset[str] = frozenset()
    chromium: Path | None = None
    cdp_url: str | None = None
    log_format: str = "text"
    log_level: str = "info"
    log_file: Path | None = None
    fast_lane: bool = True
    config_file: Path | None = field(default=None, compare=False)
    notes: Sequence[str] = field(default=(), compare=False)
    origins: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        """
        Refuse what may not be served; here, so that no way of making settings gets round it.
        """
        here = Path()
        parse_port(self.port, here)
        parse_host(self.host, here)
        parse_mcp_http_addr(self.mcp_http_addr, here)
        parse_audit_durability(self.audit_durability, here)
        parse_journal_mib(self.journal_mib, here)
        parse_journal_hours(self.journal_hours, here)
        parse_toolsets(self.toolsets, here)
        parse_detectors(self.detectors, here)
        parse_disabled_detectors(self.disabled_detectors, here)
        if self.cdp_url is not None:
            parse_cdp_url(self.cdp_url, here)
        if self.database_url is not None:
            parse_database_url(self.database_url, here)
            if has_password(self.database_url) and self.origin("database_url").startswith(("flag", "file")):
                raise ConfigurationFault(
                    f"a password stands in {self.origin('database_url')}, where others may read it",
                    "set RETICLE_DATABASE_URL, or keep the password in ~/.pgpass",
                )
        parse_log_format(self.log_format, here)
        parse_log_level(self.log_level, here)
        if not is_loopback(self.host) and self.token is None:
            raise ConfigurationFault(
                f"host {self.host} is reachable from other machines and no pairing token is set",
                "set RETICLE_TOKEN_FILE to a file that only you can read, or use --host 127.0.0.1",
            )

    def origin(self, name: str) -> str:
        """
        Where a value came from: ``flag --port``, ``environment RETICLE_PORT``, a file, or ``default``.
        """
        return self.origins.get(name, "default")
