"""
Under which origin a page is reached.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_HOST: Final = re.compile(r"[A-Za-z0-9.:\[\]_-]{1,255}")
_ROOT: Final = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")


@lru_cache(maxsize=64)
def place_of_page(scheme: str, host: str, root: str) -> tuple[str, str] | None:
    """
    The origin, and in which folder of it the app stands; None where it cannot be told.
    """
    host = host.strip()
    if not _HOST.fullmatch(host) or scheme not in {"http", "https"}:
        return None
    root = root.rstrip("/")
    return f"{scheme}://{host.lower()}", root if _ROOT.fullmatch(root) else ""
