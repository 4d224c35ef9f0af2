"""
Answers that are out while their app has not returned yet: after a while each is told as such.

One timer of the loop serves all of them. A timer for every request would cost it a tenth of what the rest of
the probe does, and nearly every app returns long before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import Context
from typing import Any, Final
from weakref import WeakKeyDictionary, ref

from reticle.probe.limits import BEHIND_SECONDS

Tell = Callable[[], None]


class Behind:
    """
    Those of one loop. Each is known by the function that tells it, which is called once or not at all.
    """

    __slots__ = ("_due", "_is_ticking")

    def __init__(self) -> None:
        self._due: dict[Tell, float] = {}
        self._is_ticking = False

    def add(self, loop: Any, tell: Tell) -> None:
        """
        From now on it is one; ``tell`` neither raises nor waits.
        """
        self._due[tell] = loop.time() + BEHIND_SECONDS
        if not self._is_ticking:
            self._tick(loop, BEHIND_SECONDS)

    def remove(self, tell: Tell) -> bool:
        """
        Its app returned; False where it was told before.
        """
        return self._due.pop(tell, None) is not None

    def _tick(self, loop: Any, seconds: float) -> None:
        self._is_ticking = True
        # in a context of its own: that of the request which happens to begin it must not live on in a timer
        loop.call_later(seconds, self._look, loop, context=Context())

    def _look(self, loop: Any) -> None:
        self._is_ticking = False
        now = loop.time()
        while self._due:
            tell, due = next(iter(self._due.items()))
            if due > now:
                self._tick(loop, due - now)
                return
            del self._due[tell]
            tell()


_known: Final[WeakKeyDictionary[Any, Behind]] = WeakKeyDictionary()
_latest: tuple[Callable[[], Any], Behind] = (lambda: None), Behind()
"""That of the loop that asked last, by a weak reference: nearly every process has one loop alone."""


def running_loop() -> Any:
    """
    The loop of asyncio that runs here; None where none does, or one of another kind.
    """
    asyncio = sys.modules.get("asyncio")
    try:
        return asyncio.get_running_loop() if asyncio is not None else None
    except RuntimeError:
        return None


def behind(loop: Any) -> Behind:
    """
    What waits in a loop.
    """
    global _latest  # noqa: PLW0603 - one for the process
    of, latest = _latest
    if of() is loop:
        return latest
    found = _known.get(loop)
    if found is None:
        found = _known[loop] = Behind()
    _latest = ref(loop), found
    return found
