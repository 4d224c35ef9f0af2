"""
Tokens, read from what was told: the one that a daemon checks, and the one that a client presents.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from reticle.errors import ConfigurationFault
from reticle.model.limits import TOKEN_FILE_BYTES
from reticle.settings.options import BY_NAME
from reticle.settings.parsers import SecretText, parse_client_token, parse_path, parse_token
from reticle.settings.sources import Source

Parse = Callable[[object, Path], SecretText | None]

HANDED_ON: Final = {
    "token": ("RETICLE_MCP_TOKEN", "STRIATUM_MCP_TOKEN"),
    "token_file": ("RETICLE_MCP_TOKEN_FILE", "STRIATUM_MCP_TOKEN_FILE"),
}
"""How an agent's supervisor hands a token on, and the second seed's spellings ("Agent Loop")."""


def pairing_token_of(sources: Sequence[Source]) -> tuple[str, SecretText] | None:
    """
    The token that a daemon checks, of the first source that has one, with its origin.
    """
    return _first(sources, parse_token)


def credential_of(
    sources: Sequence[Source], environ: Mapping[str, str], base: Path
) -> tuple[str, SecretText] | None:
    """
    The token that a client presents, of either kind: what the command line names, then what a supervisor
    handed on, then the token that a daemon here would be told.
    """
    flags, *others = sources
    return _first([flags, _handed_on(environ, base), *others], parse_client_token)


def read_token_file(path: Path) -> str:
    """
    The text of a token file.

    Raises:
        ConfigurationFault: It cannot be read, is no such file, or others can read it.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            status = os.fstat(file.fileno())
            content = file.read(TOKEN_FILE_BYTES + 1) if stat.S_ISREG(status.st_mode) else b""
    except OSError as fault:
        raise ConfigurationFault(
            f"token file {path} cannot be read: {fault.strerror}", f"check it: ls -l {path}"
        ) from None
    if not stat.S_ISREG(status.st_mode):
        raise ConfigurationFault(f"token file {path} is no plain file", "put the token into a file")
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise ConfigurationFault(f"token file {path} can be read by others", f"chmod 600 {path}")
    if len(content) > TOKEN_FILE_BYTES:
        raise ConfigurationFault(
            f"token file {path} is too long for a token", "put nothing but the token in it"
        )
    try:
        return content.decode("ascii")
    except UnicodeDecodeError:
        raise ConfigurationFault(
            f"token file {path} is not plain ASCII text", "put nothing but the token in it"
        ) from None


def _without_waiting(path: str, flags: int) -> int:
    """
    Opens a pipe without a writer too, which would keep us for ever else.
    """
    return os.open(path, flags | os.O_NONBLOCK)


def _handed_on(environ: Mapping[str, str], base: Path) -> Source:
    named = {
        name: next((one for one in variables if environ.get(one, "").strip()), None)
        for name, variables in HANDED_ON.items()
    }
    given = {name: environ[variable] for name, variable in named.items() if variable is not None}
    return Source(lambda option: f"environment {named[option.name]}", given, base)


def _first(sources: Sequence[Source], parse: Parse) -> tuple[str, SecretText] | None:
    """
    The token of the first source that has one, directly or through a file.
    """
    for source in sources:
        labels = source.label(BY_NAME["token"]), source.label(BY_NAME["token_file"])
        direct = parse(source.values["token"], source.base) if "token" in source.values else None
        path = parse_path(source.values["token_file"], source.base) if "token_file" in source.values else None
        if direct is not None and path is not None:
            raise ConfigurationFault(f"two tokens: {labels[0]} and {labels[1]}", "leave one of the two out")
        if direct is not None:
            return labels[0], direct
        if path is not None:
            from_file = parse(read_token_file(path), source.base)
            return None if from_file is None else (labels[1], from_file)
    return None
