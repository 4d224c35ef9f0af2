"""
Which collectors there are; they are put in when the probe is switched on, and only then.
"""

from __future__ import annotations

import importlib
from typing import Final

from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import safely

COLLECTORS: Final = (
    "reticle.probe.exceptions",
    "reticle.probe.logs",
    "reticle.probe.python_warnings",
    "reticle.probe.twisted_log",
    "reticle.probe.loguru_log",
    "reticle.probe.structlog_log",
    "reticle.probe.sql_django",
    "reticle.probe.sql_sqlalchemy",
    "reticle.probe.sql_sqlite",
    "reticle.probe.sql_aiosqlite",
    "reticle.probe.sql_psycopg",
    "reticle.probe.sql_psycopg2",
    "reticle.probe.sql_adbapi",
    "reticle.probe.sql_unseen",
    "reticle.probe.templates",
    "reticle.probe.template_sources",
    "reticle.probe.mail",
    "reticle.probe.http_out",
    "reticle.probe.tasks",
)
"""Modules with ``install(watch, patches)``: each puts in what it needs, once the app has imported it."""

_watch: Final = ImportWatch()
_patches: Final = Patches()
_is_in = False


def install() -> None:
    """
    Put every collector in; again is no harm.
    """
    global _is_in  # noqa: PLW0603 - one per process
    if _is_in:
        return
    _is_in = True
    for name in COLLECTORS:
        safely(_install, name)


def remove() -> None:
    """
    Take every collector out.
    """
    global _is_in  # noqa: PLW0603 - one per process
    _is_in = False
    _watch.remove()
    _patches.remove()


def _install(name: str) -> None:
    importlib.import_module(name).install(_watch, _patches)
