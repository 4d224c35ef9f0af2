"""
Which versions of its framework an app stands for, and which of them this Python runs.

A file ``cases/<app>.versions.toml`` has the distribution and, for each version, the Python that it needs.
What is installed is what was run; of the others the reason why not is said, so that nobody takes a table for
more.
"""

from __future__ import annotations

import platform
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def version_lines(root: Path, apps: Sequence[str]) -> Iterator[str]:
    """
    A line for each app that stands for several versions.
    """
    for app in sorted(apps):
        path = root / "cases" / f"{app}.versions.toml"
        if path.exists():
            table = tomllib.loads(path.read_text("utf-8"))
            yield told(app, table["distribution"], table["needs_python"])


def told(
    app: str,
    distribution: str,
    needs_python: dict[str, str],
    python: tuple[int, ...] = sys.version_info[:2],
    installed: str | None = None,
) -> str:
    """
    What of an app's versions was run.

    Args:
        app: Its name.
        distribution: As the registry has it.
        needs_python: Each major version, and the Python that it needs.
        python: Of this run.
        installed: The version; looked up where it is None.
    """
    if installed is None:
        try:
            installed = version(distribution)
        except PackageNotFoundError:
            return f"{app}: {distribution} is not installed"
    lacking = [
        f"{distribution} {major} not run: "
        + (
            f"it needs Python {needed}, and this is {platform.python_version()}"
            if python < tuple(map(int, needed.split(".")))
            else "another is installed"
        )
        for major, needed in needs_python.items()
        if installed.split(".")[0] != major
    ]
    return "; ".join([f"{app}: {distribution} {installed} run", *lacking])
