"""
Computing once per window what many rules ask of it.

A window is frozen, so whatever is a function of it alone never changes; a full ring of 10,000 events is
read a dozen times for one verdict otherwise.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import TypeVar

from reticle.model.window import Window

Told = TypeVar("Told")


def once_per_window(compute: Callable[[Window], Told]) -> Callable[[Window], Told]:
    """
    ``compute`` with its answer kept as long as the window lives; the answer must not refer to the window.
    """
    kept: dict[int, tuple[weakref.ref[Window], Told]] = {}

    @functools.wraps(compute)
    def told(window: Window) -> Told:
        key = id(window)
        known = kept.get(key)
        if known is not None and known[0]() is window:
            return known[1]
        answer = compute(window)
        kept[key] = (weakref.ref(window, lambda _: kept.pop(key, None)), answer)
        return answer

    return told
