"""
Puts functions in the place of others, and takes them back.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

_MISSING: Final = object()


class Patches:
    """
    What one collector replaced, in order.
    """

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """
        Put ``make(original)`` in the place of an attribute; without effect where there is no such attribute.
        """
        before = vars(owner).get(name, _MISSING)
        original = getattr(owner, name, None)
        if original is None:
            return
        new = functools.wraps(original)(make(original))
        setattr(owner, name, new)

        def undo() -> None:
            if vars(owner).get(name) is not new:
                return  # somebody replaced it after us, and calls us
            if before is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

        self._undo.append(undo)

    def on_removal(self, undo: Callable[[], None]) -> None:
        """
        Call this too when all is taken back.
        """
        self._undo.append(undo)

    def remove(self) -> None:
        """
        Take everything back, the last first.
        """
        while self._undo:
            self._undo.pop()()
