"""
Which browser on this machine is driven: the one that was named, else the first of those that can be.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from reticle.browser.failures import no_browser

NAMES: Final[Sequence[str]] = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "chrome",
    "brave-browser",
)
"""Looked for on PATH, in this order."""

MAC_PLACES: Final[Sequence[str]] = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
)


def find_browser(named: Path | None, search_path: str, places: Sequence[str] = MAC_PLACES) -> Path:
    """
    The program to start.

    Args:
        named: The setting ``chromium``, if it was given; nothing else is then looked for.
        search_path: The folders of ``PATH``.
        places: Where browsers lie that are not on it.

    Raises:
        Refusal: ``no_browser``; a retry makes sense once one is installed.
    """
    if named is not None:
        if _runs(named):
            return named
        raise no_browser(f"The setting chromium names {named}, which is no program that can be started.")
    for name in NAMES:
        found = shutil.which(name, path=search_path)
        if found is not None:
            return Path(found)
    for place in places:
        if _runs(Path(place)):
            return Path(place)
    raise no_browser("No Chromium was found on this machine.")


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
