"""
How the value of each setting is read: text or a typed value in, a value of ``Settings`` or a fault out.
"""

from __future__ import annotations

import difflib
import hmac
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reticle.errors import ConfigurationFault
from reticle.model.journal_limits import JOURNAL_MOST_HOURS, JOURNAL_MOST_MIB

DURABILITIES: Final = ("normal", "full")
LOG_FORMATS: Final = ("text", "json")
LOG_LEVELS: Final = ("debug", "info", "warn", "error", "critical")
SWITCH: Final = ("on", "off")
TOOLSETS: Final = ("verify", "work")


class SecretText:
    """
    A secret as it was configured: its repr and str are not the value.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """
        The value, to hand to the one checker.
        """
        return self._value

    def __repr__(self) -> str:
        return "<SecretText>"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SecretText):
            return NotImplemented
        return hmac.compare_digest(self._value.encode(), other._value.encode())

    def __hash__(self) -> int:
        return hash(type(self))


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """
    Where a listener is: an address without brackets, and a port, 0 for a free one.
    """

    host: str
    port: int


def is_loopback(host: str) -> bool:
    """
    Whether only this machine can reach a listener on ``host``. A name other than ``localhost`` is not.
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _word(value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ConfigurationFault(
            f"{what} must be a word, not {value!r}", f"give {what} a value or leave it out"
        )
    return value.strip()


def parse_port(value: object, _base: Path) -> int:
    """
    A port number; digits count as one.
    """
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str) and text.isascii() and text.isdigit():
        text = int(text)
    if isinstance(text, bool) or not isinstance(text, int) or not 0 <= text <= 65_535:
        raise ConfigurationFault(
            f"port {value!r} is not a number from 0 to 65535", "use --port 4400, or --port 0 for a free one"
        )
    return text


def parse_host(value: object, _base: Path) -> str:
    """
    A name or address in lower case, without the brackets of a URL.

    Never empty: Twisted would listen on every interface.
    """
    host = _word(value, "host").removeprefix("[").removesuffix("]")
    if not host or any(mark in host for mark in "/ []@"):
        raise ConfigurationFault(f"host {value!r} is not a host name or address", "use --host 127.0.0.1")
    return host.lower()


def _parse_choice(value: object, what: str, choices: Sequence[str]) -> str:
    word = _word(value, what).lower()
    if word not in choices:
        raise ConfigurationFault(
            f"{what} {value!r} is not one of {', '.join(choices)}{nearest(word, choices)}",
            f"use one of {', '.join(choices)}",
        )
    return word


def parse_log_format(value: object, _base: Path) -> str:
    """
    One of ``LOG_FORMATS``.
    """
    return _parse_choice(value, "log_format", LOG_FORMATS)


def parse_log_level(value: object, _base: Path) -> str:
    """
    One of ``LOG_LEVELS``; ``warning`` is understood.
    """
    return _parse_choice("warn" if value == "warning" else value, "log_level", LOG_LEVELS)


def parse_audit_durability(value: object, _base: Path) -> str:
    """
    One of ``DURABILITIES``.
    """
    return _parse_choice(value, "audit_durability", DURABILITIES)


def parse_fast_lane(value: object, _base: Path) -> bool:
    """
    ``on`` or ``off``; a file's true and false mean the same.
    """
    return _parse_switch(value, "fast_lane")


def parse_toolsets(value: object, _base: Path) -> frozenset[str]:
    """
    One or several of ``TOOLSETS``, separated by commas; a file may also have a list.
    """
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, list | tuple | frozenset) or not words:
        raise ConfigurationFault("toolsets names no toolset", f"use one or more of {', '.join(TOOLSETS)}")
    return frozenset(_parse_choice(word, "toolsets", TOOLSETS) for word in words)


def parse_journal(value: object, _base: Path) -> bool:
    """
    ``on`` or ``off``, as ``parse_fast_lane``.
    """
    return _parse_switch(value, "journal")


def parse_journal_mib(value: object, _base: Path) -> int:
    """
    Mebibytes, whole ones.
    """
    return _parse_whole(value, "journal_mib", JOURNAL_MOST_MIB)


def parse_journal_hours(value: object, _base: Path) -> int:
    """
    Hours, whole ones.
    """
    return _parse_whole(value, "journal_hours", JOURNAL_MOST_HOURS)


def _parse_whole(value: object, what: str, most: int) -> int:
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str) and text.isascii() and text.isdigit():
        text = int(text)
    if isinstance(text, bool) or not isinstance(text, int) or not 1 <= text <= most:
        raise ConfigurationFault(
            f"{what} {value!r} is not a whole number from 1 to {most}",
            f"use a number from 1 to {most}, or --journal off",
        )
    return text


def parse_detectors(value: object, _base: Path) -> tuple[str, ...]:
    """
    Objects in Python modules, each ``package.module:name``, separated by commas; a file may also have a list.
    """
    words = _parse_words(value, "detectors", "name objects as package.module:name, with commas")
    for word in words:
        module, colon, name = word.partition(":")
        if not colon or not all(part.isidentifier() for part in (*module.split("."), name)):
            raise ConfigurationFault(
                f"detectors names {word!r}, which is no object in a module",
                "write package.module:name, for example shop.checks:totals",
            )
    return words


def parse_disabled_detectors(value: object, _base: Path) -> frozenset[str]:
    """
    Kinds of findings, separated by commas; a file may also have a list. Which there are is known later.
    """
    return frozenset(_parse_words(value, "disabled_detectors", "name kinds of findings, with commas"))


def _parse_words(value: object, what: str, next_step: str) -> tuple[str, ...]:
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, list | tuple | frozenset) or not all(isinstance(word, str) for word in words):
        raise ConfigurationFault(f"{what} must be words, not {value!r}", next_step)
    return tuple(dict.fromkeys(word.strip() for word in words if word.strip()))


def parse_require_token(value: object, _base: Path) -> bool:
    """
    ``on`` or ``off``, as ``parse_fast_lane``.
    """
    return _parse_switch(value, "require_token")


def _parse_switch(value: object, what: str) -> bool:
    return value if isinstance(value, bool) else _parse_choice(value, what, SWITCH) == "on"


def parse_mcp_http_addr(value: object, base: Path) -> HttpAddress | None:
    """
    ``HOST:PORT`` on loopback, or ``off``, which is None; a file's false means ``off``.

    A host beyond loopback is refused whatever token is set: this listener is for this machine.
    """
    if value is None or value is False or isinstance(value, HttpAddress):
        address = value or None
    elif _word(value, "mcp_http_addr").lower() == "off":
        address = None
    else:
        host, colon, port = _word(value, "mcp_http_addr").rpartition(":")
        if not colon:
            raise ConfigurationFault(f"mcp_http_addr {value!r} is not HOST:PORT", _MCP_ADDRESSES)
        address = HttpAddress(parse_host(host, base), int(parse_port(port, base)))
    if address is not None and not is_loopback(address.host):
        raise ConfigurationFault(
            f"mcp_http_addr {address.host} is reachable from other machines", _MCP_ADDRESSES
        )
    return address


_MCP_ADDRESSES: Final = "use --mcp-http-addr 127.0.0.1:8765, or off"


def parse_cdp_url(value: object, _base: Path) -> str:
    """
    Where a browser listens for debuggers: ``http://`` and its port, or the ``ws://`` address itself. Loopback
    only: whoever speaks there can read every page that the browser has open.
    """
    from urllib.parse import urlsplit  # noqa: PLC0415 - the stdio front reads settings within milliseconds

    text = _word(value, "cdp_url")
    try:
        parts = urlsplit(text)
        scheme, named, port = parts.scheme, parts.hostname or "", parts.port
    except ValueError:
        scheme, named, port = "", "", None
    if scheme not in ("http", "ws") or not named or port is None:
        raise ConfigurationFault(f"cdp_url {text!r} is no debugging address", _CDP_ADDRESSES)
    if not is_loopback(named):
        raise ConfigurationFault(f"cdp_url names {named}, which is not this machine", _CDP_ADDRESSES)
    return text


_CDP_ADDRESSES: Final = "use --cdp-url http://127.0.0.1:9222"


def parse_database_url(value: object, _base: Path) -> SecretText:
    """
    ``postgresql://…`` as libpq reads it. No fault repeats it: there may be a password in it.
    """
    if isinstance(value, SecretText):
        return value
    text = value.strip() if isinstance(value, str) else ""
    scheme, colon, _rest = text.partition("://")
    if not colon or scheme.lower() not in ("postgresql", "postgres"):
        raise ConfigurationFault("database_url is no PostgreSQL URL", _DATABASE_URLS)
    return SecretText(text)


def has_password(url: SecretText) -> bool:
    """
    Whether a password stands in a URL of a database, or may.
    """
    from urllib.parse import urlsplit  # noqa: PLC0415 - the stdio front reads settings within milliseconds

    try:
        parts = urlsplit(url.reveal())
    except ValueError:
        return True
    return parts.password is not None or "password" in parts.query.lower()


_DATABASE_URLS: Final = "use RETICLE_DATABASE_URL=postgresql://USER@HOST:PORT/DATABASE"


def parse_path(value: object, base: Path) -> Path:
    """
    A path, relative ones under ``base``, ``~`` resolved.
    """
    text = os.fspath(value) if isinstance(value, Path) else _word(value, "a path")
    if "\0" in text:
        raise ConfigurationFault("a path may not contain a NUL character", "give a plain path")
    try:
        return base / Path(text).expanduser()
    except RuntimeError:
        raise ConfigurationFault(
            f"the home directory in {text} is not known", "give the path without ~"
        ) from None


def parse_token(value: object, base: Path) -> SecretText | None:
    """
    The pairing token, or None when it is empty: an empty token is no token (never a token that is "").
    """
    token = parse_client_token(value, base)
    if token is not None and token.reveal().startswith("dtok_"):
        raise ConfigurationFault(_TOKEN_FORM + ", and not a capability token (dtok_…)", _MAKE_TOKEN)
    return token


def parse_client_token(value: object, _base: Path) -> SecretText | None:
    """
    A token of either kind, as a client presents it; None when it is empty.
    """
    text = value.reveal() if isinstance(value, SecretText) else value
    if not isinstance(text, str):
        raise ConfigurationFault("the pairing token must be text", "set RETICLE_TOKEN")
    text = text.strip("\r\n")
    if not text.strip():
        return None
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ConfigurationFault(_TOKEN_FORM, _MAKE_TOKEN)
    return SecretText(text)


_TOKEN_FORM: Final = "the pairing token must be printable ASCII without spaces"  # noqa: S105 - no token
_MAKE_TOKEN: Final = "make one: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"  # noqa: S105 - as above


def nearest(word: str, known: Sequence[str]) -> str:
    """
    ``; did you mean …?`` with the closest known word, or nothing.
    """
    match = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {match[0]}?" if match else ""
