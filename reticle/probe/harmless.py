"""
Keeps a fault of the probe's own from becoming one of the app's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")

faults: list[str] = []
"""The first few faults, for whoever looks for one; there should be none."""

_KEPT = 20


def harmless(fallback: Result) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """
    Return ``fallback`` where the function would raise.
    """

    def around(function: Callable[..., Result]) -> Callable[..., Result]:
        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Result:
            try:
                return function(*args, **kwargs)
            except Exception as fault:  # noqa: BLE001 - whatever it is, the app goes on without us
                note(function.__qualname__, fault)
                return fallback

        return guarded

    return around


def note(where: str, fault: BaseException) -> None:
    """
    Keep what went wrong, up to a few.
    """
    if len(faults) >= _KEPT:
        return
    try:
        told = str(fault)
    except Exception:  # noqa: BLE001 - an exception of the app's, which is broken itself
        told = "without a text"
    faults.append(f"{where}: {type(fault).__name__}: {told}")
