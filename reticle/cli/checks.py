"""
The doctor's questions, each a function that gives rows; what they need comes as arguments.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import attrs

from reticle.browser.discovery import find_browser
from reticle.cli.discovery import FoundDaemon
from reticle.cli.probe import Answering, Unauthorised
from reticle.cli.status import count, problem, servers
from reticle.errors import ConfigurationFault, Refusal
from reticle.model.page import script_tag
from reticle.settings import Settings
from reticle.storage.directories import Directories
from reticle.storage.private_files import prepare_directory
from reticle.transport.port_holder import PortHolder, find_command

LEAST_PYTHON: Final = (3, 11)


class Level(StrEnum):
    """
    How a row stands: only a fault makes the doctor fail.
    """

    OK = "ok"
    WARN = "warn"
    FAULT = "fault"


@attrs.frozen
class Row:
    """
    One finding. ``command`` mends it, empty where nothing has to be mended.
    """

    level: Level
    name: str
    text: str
    command: str = ""


def check_interpreter(version: tuple[int, ...], executable: str) -> Sequence[Row]:
    """
    Whether this Python is one we are tested on.
    """
    text = f"Python {'.'.join(map(str, version[:3]))} at {executable}"
    if version[:2] < LEAST_PYTHON:
        return [Row(Level.FAULT, "interpreter", text, "python3.11 -m pip install txreticle")]
    return [Row(Level.OK, "interpreter", text)]


def check_versions(requirements: Sequence[str], installed: Callable[[str], str | None]) -> Sequence[Row]:
    """
    Whether what we need is installed, recent enough.

    Args:
        requirements: As in the distribution's metadata, such as ``twisted>=26.10``.
        installed: The version of a distribution, or None.
    """
    faults = []
    wanted = [
        found for one in requirements if "extra ==" not in one for found in [_REQUIREMENT.match(one)] if found
    ]
    for found in wanted:
        name, least = found["name"], found["least"] or "0"
        have = installed(name)
        if have is None or _numbers(have) < _numbers(least):
            what = f"{name} {have or 'is missing'}, needed: {least} or newer"
            faults.append(
                Row(Level.FAULT, "versions", what, f"{sys.executable} -m pip install '{name}>={least}'")
            )
    return faults or [Row(Level.OK, "versions", f"{len(wanted)} dependencies are new enough")]


_SKIPS: Final = 3
"""Reasons why a page got no script, newest first: of several pages each may have its own."""

_REQUIREMENT: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*(?:>=\s*(?P<least>[0-9.]+))?")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def installed_version(name: str) -> str | None:
    """
    The version of an installed distribution.
    """
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def own_requirements() -> Sequence[str]:
    """
    What our distribution says it needs; empty when we run from a bare checkout.
    """
    try:
        return importlib.metadata.requires("txreticle") or []
    except importlib.metadata.PackageNotFoundError:
        return []


def check_settings(settings: Settings) -> Sequence[Row]:
    """
    Misspelt variables; a configuration that is refused stops the doctor before this.
    """
    where = f"read {settings.config_file}" if settings.config_file else "no reticle.toml"
    notes = [Row(Level.WARN, "settings", note, f"unset {note.partition(' ')[0]}") for note in settings.notes]
    return notes or [Row(Level.OK, "settings", where)]


def check_directories(directories: Directories) -> Sequence[Row]:
    """
    Whether state and runtime directory can be used; a missing one is made at the first start.
    """
    return [
        _check_directory(directories.state, "state directory", "RETICLE_STATE_DIR"),
        _check_directory(directories.runtime, "runtime directory", "RETICLE_RUNTIME_DIR"),
    ]


def _is_missing(path: Path) -> bool:
    try:
        return not path.exists()
    except OSError:
        # It lies where we may not look; ``prepare_directory`` says so.
        return False


def _check_directory(path: Path, name: str, variable: str) -> Row:
    if _is_missing(path):
        above = next(folder for folder in path.parents if folder.exists())
        if not os.access(above, os.W_OK | os.X_OK):
            return Row(
                Level.FAULT,
                name,
                f"{path} cannot be made in {above}",
                f"set {variable} to a directory that you own and can write",
            )
        return Row(Level.OK, name, f"{path} will be made at the first start")
    try:
        prepare_directory(path, name, variable)
    except ConfigurationFault as fault:
        return Row(Level.FAULT, name, fault.message, fault.recovery)
    return Row(Level.OK, name, str(path))


def check_port(port: int, holder: PortHolder | None, found: Sequence[FoundDaemon]) -> Sequence[Row]:
    """
    Who has the port that a start would take.
    """
    if any(daemon.is_ours and daemon.port == port for daemon in found):
        return [Row(Level.OK, "port", f"{port} is ours")]
    if holder is None:
        return [Row(Level.OK, "port", f"{port} is free")]
    level = Level.WARN if any(daemon.is_ours for daemon in found) else Level.FAULT
    if holder.pid is None:
        return [Row(level, "port", f"{port} is held by {holder.program}", find_command(port).strip("`"))]
    return [
        Row(level, "port", f"{port} is held by {holder.program} (pid {holder.pid})", "reticle serve --port 0")
    ]


def check_daemon(found: Sequence[FoundDaemon]) -> Sequence[Row]:
    """
    Whether a daemon runs and answers.
    """
    ours = [daemon for daemon in found if daemon.is_ours]
    if not ours:
        return [Row(Level.WARN, "daemon", "no daemon runs", "reticle serve")]
    return [_daemon_row(daemon) for daemon in ours]


def _daemon_row(daemon: FoundDaemon) -> Row:
    match daemon.reply:
        case Answering():
            return Row(Level.OK, "daemon", f"answers at {daemon.url}")
        case Unauthorised():  # asked from this machine none is wanted, but a wrong one is refused
            mend = "unset RETICLE_TOKEN RETICLE_TOKEN_FILE"
        case _:
            mend = f"reticle stop --port {daemon.port}"
    return Row(Level.FAULT, "daemon", f"{daemon.url} {problem(daemon)}", mend)


def check_storage(found: Sequence[FoundDaemon]) -> Sequence[Row]:
    """
    Whether running daemons can keep what they must; no row while they can.
    """
    rows = []
    for daemon in found:
        storage = daemon.reply.status.get("storage") if isinstance(daemon.reply, Answering) else None
        if isinstance(storage, Mapping) and storage.get("ok") is False:
            rows.append(Row(Level.FAULT, "storage", str(storage["message"]), str(storage["recovery"])))
    return rows


def check_pages(found: Sequence[FoundDaemon]) -> Sequence[Row]:
    """
    Which pages are connected, and which were turned away lately and why.
    """
    rows: list[Row] = []
    for daemon in found:
        if isinstance(daemon.reply, Answering):
            rows += _page_rows(daemon, daemon.reply.status)
    return rows


def _page_rows(daemon: FoundDaemon, status: Mapping[str, Any]) -> Sequence[Row]:
    pages = status.get("pages") or []
    throttled = [page for page in pages if page.get("throttled")]
    rows = []
    if not pages:
        line = script_tag(daemon.url)
        fix = f"load the page again with this in its head: {line} (or, unchanged: reticle drive URL)"
        rows.append(Row(Level.WARN, "pages", "no page is connected", fix))
    elif throttled:
        text = f"{count(len(throttled), 'page')} of {len(pages)} slowed by the browser"
        rows.append(Row(Level.WARN, "pages", text, "bring the tab to the front"))
    else:
        rows.append(Row(Level.OK, "pages", f"{count(len(pages), 'page')} connected"))
    told = (
        ", ".join(servers(status))
        or "none: verdicts see the page alone (reticle run -- CMD shows the server)"
    )
    rows.append(Row(Level.OK, "app server", told))
    for dial in (status.get("refused_dials") or [])[:1]:
        text = f"last refused: {dial.get('origin')} at {dial.get('at')}: {dial.get('reason')}"
        rows.append(Row(Level.WARN, "refusals", text, str(dial.get("next_step"))))
    skipped = (status.get("skipped_insertions") or [])[:_SKIPS]
    rows += [Row(Level.WARN, "insertion", str(one.get("why")), str(one.get("next_step"))) for one in skipped]
    return rows


def check_chromium(
    settings: Settings, search_path: str, which: Callable[[str], str | None] = shutil.which
) -> Sequence[Row]:
    """
    Whether the daemon would find a browser to drive; needed only for pages that nobody has open.
    """
    if settings.cdp_url is not None:
        return [Row(Level.OK, "chromium", f"the one that runs at {settings.cdp_url} (setting cdp_url)")]
    try:
        return [Row(Level.OK, "chromium", str(find_browser(settings.chromium, search_path)))]
    except Refusal as refusal:
        install = "sudo apt-get install chromium" if which("apt-get") else "install Chromium or Chrome"
        if settings.chromium is not None:
            return [Row(Level.FAULT, "chromium", refusal.message, "unset RETICLE_CHROMIUM, or name one")]
        return [Row(Level.WARN, "chromium", refusal.message, install)]


def check_plugin(folders: Sequence[str]) -> Sequence[Row]:
    """
    Whether ``twistd reticle`` would be found, without letting Twisted write its plugin cache.

    Args:
        folders: ``twisted.plugins.__path__``.
    """
    for folder in folders:
        if (Path(folder) / "reticle_plugin.py").is_file():
            return [Row(Level.OK, "plugin", f"twistd finds {folder}/reticle_plugin.py")]
    return [
        Row(
            Level.FAULT,
            "plugin",
            "twistd does not find the reticle plugin",
            f"{sys.executable} -m pip install --force-reinstall txreticle",
        )
    ]
