"""
Where views are written and how they are called, kept: an app has few, and every request asks.
"""

from __future__ import annotations

from functools import lru_cache
from types import FunctionType
from typing import Any

from reticle.probe.views import name_of, place_of


def known_view(view: Any, method: str) -> tuple[str | None, str | None]:
    """
    Place and name of what answers an HTTP method.

    Only of functions they are kept: what another object does may change, and it may not live on in a cache.
    """
    if type(view) is FunctionType:
        return _of_function(view, method)
    return place_of(view, method), name_of(view)


@lru_cache(maxsize=256)
def _of_function(view: FunctionType, method: str) -> tuple[str | None, str | None]:
    return place_of(view, method), name_of(view)
