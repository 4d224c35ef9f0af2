"""
The places that settings come from, in one form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from reticle.settings.options import OPTIONS, Option


@dataclass(frozen=True)
class Source:
    """
    One place values come from. ``label`` makes an origin from an option's name.
    """

    label: Callable[[Option], str]
    values: Mapping[str, object]
    base: Path


def environment_source(environ: Mapping[str, str], base: Path) -> Source:
    """
    What the environment says, by our variables or else by the second seed's. An empty one says nothing.
    """
    named = {option.name: _variable_of(option, environ) for option in OPTIONS}
    given = {name: environ[variable] for name, variable in named.items() if variable is not None}
    return Source(lambda option: f"environment {named[option.name] or option.variable}", given, base)


def _variable_of(option: Option, environ: Mapping[str, str]) -> str | None:
    spellings = (option.variable, option.fallback or option.variable)
    return next((variable for variable in spellings if environ.get(variable, "").strip()), None)
