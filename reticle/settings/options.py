"""
Every setting there is: its spellings, its meaning, how its value is read.

Flags, the documentation and the checks of ``Settings`` are made from or compared with ``OPTIONS``.
"""

from __future__ import annotations

import difflib
import hmac
import ipaddress
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reticle.errors import ConfigurationFault
from reticle.model.limits import DEFAULT_PORT

LOG_FORMATS: Final = ("text", "json")
LOG_LEVELS: Final = ("debug", "info", "warn", "error", "critical")
SWITCH: Final = ("on", "off")

VARIABLE_PREFIX: Final = "RETICLE_"
"""How every environment variable of ours begins."""


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
class Option:
    """
    One setting and the ways to give it.

    ``name`` is the key of the file and the field of ``Settings``. ``flag`` is None where the value must
    not stand on a command line, ``in_file`` False where it must not stand in a project's file.
    ``default`` is text for people.
    """

    name: str
    meaning: str
    parse: Callable[[object, Path], object]
    default: str
    has_flag: bool = True
    in_file: bool = True

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


def parse_fast_lane(value: object, _base: Path) -> bool:
    """
    ``on`` or ``off``; a file's true and false mean the same.
    """
    if isinstance(value, bool):
        return value
    return _parse_choice(value, "fast_lane", SWITCH) == "on"


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


def parse_token(value: object, _base: Path) -> SecretText | None:
    """
    The pairing token, or None when it is empty: an empty token is no token (never a token that is "").
    """
    text = value.reveal() if isinstance(value, SecretText) else value
    if not isinstance(text, str):
        raise ConfigurationFault("the pairing token must be text", "set RETICLE_TOKEN")
    text = text.strip("\r\n")
    if not text.strip():
        return None
    if not text.isascii() or not text.isprintable() or " " in text or text.startswith("dtok_"):
        raise ConfigurationFault(
            "the pairing token must be printable ASCII without spaces, and not a capability token (dtok_…)",
            "make one: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'",
        )
    return SecretText(text)


OPTIONS: Final[tuple[Option, ...]] = (
    Option("port", "Port to listen on; 0 takes a free one and says which.", parse_port, str(DEFAULT_PORT)),
    Option("host", "Address to listen on; beyond loopback only with a token.", parse_host, "127.0.0.1"),
    Option("token", "Pairing token.", parse_token, "none", has_flag=False, in_file=False),
    Option(
        "token_file", "File that holds the pairing token, readable by its owner only.", parse_path, "none"
    ),
    Option("state_dir", "Where the database lies.", parse_path, "the platform's state directory"),
    Option(
        "runtime_dir", "Where a running daemon is announced.", parse_path, "the platform's runtime directory"
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


def nearest(word: str, known: Sequence[str]) -> str:
    """
    ``; did you mean …?`` with the closest known word, or nothing.
    """
    match = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {match[0]}?" if match else ""
