"""
Which connections to a database are a library's that stands above its driver, and tells its statements itself.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Final

_ABOVE: Final = ("django.db.", "django.contrib.gis.db.", "sqlalchemy.")
_DEPTH: Final = 6
"""Frames looked at for a library above: their own connect calls ours within a few."""


def is_called_from_above() -> bool:
    """
    Whether who calls our caller is a library that connects, and tells its statements itself. What a view, a
    hook or a receiver that it calls connects to is the app's.
    """
    modules = sys.modules
    if "sqlalchemy" not in modules and "django" not in modules:
        return False
    frame = sys._getframe(2)  # noqa: SLF001 - documented
    for _ in range(_DEPTH):
        # nearly always no, and the cheaper of the two to be asked
        if "connect" in frame.f_code.co_name and _name_of(frame).startswith(_ABOVE):
            return True
        above = frame.f_back
        if above is None:
            return False
        frame = above
    return False


def _name_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
