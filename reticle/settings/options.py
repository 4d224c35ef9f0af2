"""
Every setting there is: its spellings, its meaning, how its value is read.

Flags, the documentation and the checks of ``Settings`` are made from or compared with ``OPTIONS``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reticle.model.journal_limits import (
    JOURNAL_HOURS,
    JOURNAL_MIB,
    JOURNAL_MOST_HOURS,
    JOURNAL_MOST_MIB,
)
from reticle.model.limits import DEFAULT_PORT
from reticle.settings.parsers import (
    LOG_LEVELS,
    TOOLSETS,
    parse_audit_durability,
    parse_cdp_url,
    parse_database_url,
    parse_detectors,
    parse_disabled_detectors,
    parse_fast_lane,
    parse_host,
    parse_journal,
    parse_journal_hours,
    parse_journal_mib,
    parse_log_format,
    parse_log_level,
    parse_mcp_http_addr,
    parse_path,
    parse_port,
    parse_require_token,
    parse_token,
    parse_toolsets,
)

VARIABLE_PREFIX: Final = "RETICLE_"
"""How every environment variable of ours begins."""


@dataclass(frozen=True, slots=True)
class Option:
    """
    One setting and the ways to give it.

    ``name`` is the key of the file and the field of ``Settings``. ``flag`` is None where the value must
    not stand on a command line, ``in_file`` False where it must not stand in a project's file.
    ``default`` is text for people. A switch's flag may stand without a value. ``fallback`` is the variable's
    spelling in the second seed, read where ours is not set (DESIGN §2).
    """

    name: str
    meaning: str
    parse: Callable[[object, Path], object]
    default: str
    has_flag: bool = True
    in_file: bool = True
    is_switch: bool = False
    fallback: str | None = None

    @property
    def flag(self) -> str | None:
        """
        The command line's spelling, such as ``--log-format``.
        """
        return "--" + self.name.replace("_", "-") if self.has_flag else None

    @property
    def variable(self) -> str:
        """
        The environment's spelling, such as ``RETICLE_LOG_FORMAT``.
        """
        return VARIABLE_PREFIX + self.name.upper()


OPTIONS: Final[tuple[Option, ...]] = (
    Option("port", "Port to listen on; 0 takes a free one and says which.", parse_port, str(DEFAULT_PORT)),
    Option("host", "Address to listen on; beyond loopback only with a token.", parse_host, "127.0.0.1"),
    Option("token", "Pairing token.", parse_token, "none", has_flag=False, in_file=False),
    Option(
        "token_file", "File that holds the pairing token, readable by its owner only.", parse_path, "none"
    ),
    Option("state_dir", "Where the database lies.", parse_path, "the platform's state directory"),
    Option(
        "database_url",
        "PostgreSQL that several daemons share; a URL with a password stands in the variable alone.",
        parse_database_url,
        "SQLite in state_dir",
    ),
    Option(
        "runtime_dir",
        "Where a running daemon is announced.",
        parse_path,
        "the platform's runtime directory",
        fallback="STRIATUM_DAEMON_RUNTIME_DIR",
    ),
    Option(
        "require_token",
        "Let no agent in without a capability token: on or off.",
        parse_require_token,
        "off",
        is_switch=True,
    ),
    Option(
        "mcp_http_addr",
        "Second listener, for MCP with capability tokens: HOST:PORT on loopback, or off.",
        parse_mcp_http_addr,
        "127.0.0.1:0",
        fallback="STRIATUM_DAEMON_MCP_HTTP_ADDR",
    ),
    Option(
        "audit_durability",
        "What a power cut may take of the last moments: normal, or full for nothing.",
        parse_audit_durability,
        "normal",
    ),
    Option(
        "journal",
        "Keep what pages report over a restart: on or off.",
        parse_journal,
        "on",
        is_switch=True,
    ),
    Option(
        "journal_mib",
        f"Mebibytes that the journal takes at most, 1 to {JOURNAL_MOST_MIB}.",
        parse_journal_mib,
        str(JOURNAL_MIB),
    ),
    Option(
        "journal_hours",
        f"Hours that the journal goes back at most, 1 to {JOURNAL_MOST_HOURS}.",
        parse_journal_hours,
        str(JOURNAL_HOURS),
    ),
    Option(
        "toolsets",
        "Tools shown to agents without a capability token: " + ", ".join(TOOLSETS) + "; with commas.",
        parse_toolsets,
        "verify",
    ),
    Option(
        "detectors",
        "Detectors of the project's own, as package.module:name; with commas.",
        parse_detectors,
        "none",
    ),
    Option(
        "disabled_detectors",
        "Kinds of findings that no verdict looks for; with commas.",
        parse_disabled_detectors,
        "none",
    ),
    Option("chromium", "Browser to drive; without it the first one found.", parse_path, "found"),
    Option(
        "cdp_url",
        "Drive a browser that runs already, by its debugging address on loopback: http:// or ws://.",
        parse_cdp_url,
        "none",
    ),
    Option("log_format", "Lines for people or for programs: text or json.", parse_log_format, "text"),
    Option(
        "log_level", "Least level that is logged: " + ", ".join(LOG_LEVELS) + ".", parse_log_level, "info"
    ),
    Option("log_file", "File to log to, rotated; without it standard error.", parse_path, "standard error"),
    Option("fast_lane", "Answer plain POSTs without Twisted's parser: on or off.", parse_fast_lane, "on"),
    Option("config", "File to read instead of looking for reticle.toml.", parse_path, "found", in_file=False),
)
"""Every setting; flags, variables, keys and the documentation are made from or compared with this list."""


BY_NAME: Final = {option.name: option for option in OPTIONS}
"""``OPTIONS`` by name."""
