"""
What of the supervisor's environment an agent gets: a list of names, never everything but a list.

Connection strings, cloud keys and the operator's own tokens stand in environments; no agent needs them
(field report S#87). What else it needs, such as its provider's key, is named one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

import attrs

ALLOWED: Final = frozenset(
    {
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "COLORTERM", "TERM_PROGRAM", "NO_COLOR",
        "LANG", "LANGUAGE", "TZ", "TMPDIR", "EDITOR", "VISUAL", "PAGER", "DISPLAY", "WAYLAND_DISPLAY",
        "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
        "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "NVM_DIR", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE",
        "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOROOT", "JAVA_HOME",
        "NO_PROXY", "no_proxy",
    }
)  # fmt: skip
"""Where programs, settings, certificates and tools are; nothing of it lets anybody in anywhere."""

PROXIES: Final = frozenset(
    {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"}
)
"""Passed on unless they hold a user's name or password."""

_LOCALE: Final = "LC_"
_OURS: Final = ("RETICLE_", "STRIATUM_")
_PLAIN_LOCALES: Final = frozenset({"", "C", "POSIX"})
_UTF8_LOCALE: Final = "C.UTF-8"
_NO_TERMINALS: Final = frozenset({"", "dumb", "unknown"})
_TERM: Final = "xterm-256color"


@attrs.frozen
class Whereabouts:
    """
    What an agent is told of itself and of its daemon.

    ``token`` is set only where the operator asked for the token itself to stand in the environment; there
    whoever may look at the process can read it. Empty ids are not told.
    """

    url: str
    repository_id: str
    run_id: str
    session_id: str
    token_file: str
    token: str | None = attrs.field(default=None, repr=False)


def is_settable(name: str) -> bool:
    """
    Whether a name may be asked for beyond the list: what the supervisor itself sets may not.
    """
    return not name.startswith(_OURS)


def child_environment(
    environ: Mapping[str, str], asked: Iterable[str], told: Whereabouts, home: str
) -> dict[str, str]:
    """
    The whole environment of an agent.

    Args:
        environ: The supervisor's.
        asked: Names to pass on beyond ``ALLOWED``; those that are not set are left out.
        told: What is exported, under both spellings of each name (DESIGN §2).
        home: The user's folder, where the environment does not say it, as under systemd.
    """
    names = ALLOWED | {name for name in asked if is_settable(name)}
    kept = {name: value for name, value in environ.items() if name in names or name.startswith(_LOCALE)}
    kept |= {name: environ[name] for name in PROXIES if name in environ and not _holds_user(environ[name])}
    kept.setdefault("HOME", home)
    if kept.get("TERM", "") in _NO_TERMINALS:
        kept["TERM"] = _TERM
    in_force = next((kept[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if kept.get(name)), "")
    if in_force in _PLAIN_LOCALES:
        kept.pop("LC_ALL", None)
        kept["LC_CTYPE"] = _UTF8_LOCALE
    return kept | _exported(told)


def _exported(told: Whereabouts) -> dict[str, str]:
    values = {
        "REPOSITORY_ID": told.repository_id,
        "RUN_ID": told.run_id,
        "SESSION_ID": told.session_id,
        "MCP_URL": told.url,
        "MCP_TOKEN_FILE": told.token_file if told.token is None else "",
        "MCP_TOKEN": told.token or "",
    }
    return {prefix + name: value for prefix in _OURS for name, value in values.items() if value}


def _holds_user(url: str) -> bool:
    """
    Whether a proxy's address has a user in it; one that cannot be read is taken to.
    """
    try:
        return urlsplit(url if "//" in url else f"//{url}").username is not None
    except ValueError:
        return True
