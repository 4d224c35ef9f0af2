"""
Reads flags, environment and ``reticle.toml`` into ``Settings``; the one road for every entry point.

Precedence: flags, then the environment, then the file, then the defaults (DESIGN §11).
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from reticle.errors import ConfigurationFault
from reticle.settings.credentials import HANDED_ON, credential_of, pairing_token_of
from reticle.settings.options import BY_NAME, OPTIONS, VARIABLE_PREFIX
from reticle.settings.parsers import nearest, parse_path
from reticle.settings.sources import Source, environment_source
from reticle.settings.values import Settings

CONFIG_FILE: Final = "reticle.toml"
"""Looked for from the working directory upward to the root of the project's version control."""

OF_PROJECTS: Final = ("invariant",)
"""Keys that say something about the project's app, and are read where a page of it is judged."""

_OF_CLIENTS: Final = ("RETICLE_URL", "RETICLE_MCP_URL")
"""Where a client finds the daemon; no settings of a daemon, and near to one in spelling."""

_VCS_MARKS: Final = (".git", ".hg", ".jj", ".svn")


def read_settings(
    flags: Mapping[str, object],
    environ: Mapping[str, str],
    start: Path | None = None,
    *,
    as_client: bool = False,
) -> Settings:
    """
    Read everything the daemon was told, once.

    Args:
        flags: Option names with underscores to values, text or already typed; None means not given.
        environ: The process environment; empty variables count as not set.
        start: Where the search for ``reticle.toml`` begins and what relative paths are relative to.
            None searches nothing, for embedding.
        as_client: For a program that dials a daemon: ``token`` is then the one to present, which may be a
            capability token, and the variables of an agent's supervisor tell it too.

    Raises:
        ConfigurationFault: A value, a key or the combination is refused; it names the next step.
    """
    base = start or working_directory() or Path()
    sources = [_flag_source(flags, base), environment_source(environ, base)]
    config = _config_path(sources, start)
    if config is not None:
        sources.append(_file_source(config))
    found = {
        option.name: (source.label(option), option.parse(source.values[option.name], source.base))
        for option in OPTIONS
        if option.name not in ("config", "token", "token_file")
        for source in [next((s for s in sources if option.name in s.values), None)]
        if source is not None
    }
    token = credential_of(sources, environ, base) if as_client else pairing_token_of(sources)
    if token is not None:
        found["token"] = token
    values = {name: value for name, (_origin, value) in found.items()}
    origins = {name: origin for name, (origin, _value) in found.items()}
    return Settings(
        **values,  # type: ignore[arg-type]  # each value was parsed by its option, whose type is the field's
        config_file=config,
        notes=_suspicious_variables(environ),
        origins=origins,
    )


def working_directory() -> Path | None:
    """
    Where an entry point begins to look, or None when that folder was removed under it: a daemon that is
    told everything else starts all the same.
    """
    try:
        return Path.cwd()
    except OSError:
        return None


def _flag_source(flags: Mapping[str, object], base: Path) -> Source:
    for name in flags:
        if name not in BY_NAME:
            raise ConfigurationFault(
                f"unknown setting {name}{nearest(name, list(BY_NAME))}", "see `reticle serve --help`"
            )
    given = {name: value for name, value in flags.items() if value is not None}
    return Source(lambda option: f"flag {option.flag or option.name}", given, base)


def _config_path(sources: Sequence[Source], start: Path | None) -> Path | None:
    for source in sources:
        if "config" in source.values:
            return parse_path(source.values["config"], source.base)
    return None if start is None else find_config(start)


def find_config(start: Path) -> Path | None:
    """
    The nearest ``reticle.toml`` from ``start`` up to the project's root, or None.

    Without a version-controlled project only ``start`` itself is looked at: a file that somebody left
    in a shared parent such as ``/tmp`` must not steer us.
    """
    folders = [start, *start.parents]
    root = next(
        (number for number, folder in enumerate(folders) if any(_is_seen(folder / m) for m in _VCS_MARKS)), 0
    )
    named = [folder / CONFIG_FILE for folder in folders[: root + 1]]
    return next((path for path in named if _is_seen(path, Path.is_file)), None)


def _is_seen(path: Path, kind: Callable[[Path], bool] = Path.exists) -> bool:
    """
    False also in a folder that we may not look into.
    """
    try:
        return kind(path)
    except OSError:
        return False


def _file_source(path: Path) -> Source:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigurationFault(f"{path} does not exist", "give --config an existing file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise ConfigurationFault(f"{path} cannot be read: {fault}", f"mend {path}") from None
    keys = [option.name for option in OPTIONS if option.in_file]
    values = {key: value for key, value in values.items() if key not in OF_PROJECTS}
    for key in values:
        if key in BY_NAME and key not in keys:
            raise ConfigurationFault(
                f"{path}: {key} may not stand in this file", f"use {BY_NAME[key].variable} instead"
            )
        if key not in keys:
            raise ConfigurationFault(
                f"{path}: unknown key {key}{nearest(key, keys)}", f"known keys: {', '.join(keys)}"
            )
    return Source(lambda _option: f"file {path}", values, path.parent)


def _suspicious_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """
    Variables that look like a misspelt setting; others with our prefix belong to clients and browsers.
    """
    known = [option.variable for option in OPTIONS]
    of_clients = {*_OF_CLIENTS, *(variable for variables in HANDED_ON.values() for variable in variables)}
    near = {
        name: difflib.get_close_matches(name, known, n=1, cutoff=0.85)
        for name in environ
        if name.startswith(VARIABLE_PREFIX) and name not in {*known, *of_clients}
    }
    return tuple(
        f"{name} is not a setting; did you mean {match[0]}?" for name, match in sorted(near.items()) if match
    )
