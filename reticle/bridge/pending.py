"""
What a page says of its scheduled work, from the answers of ``read`` and ``act`` (page-wire, "Pending work").

It is only ever as fresh as the last of these answers, and ends with the document that gave it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from reticle.bridge.dialect import Send, overheard
from reticle.bridge.wire import CommandResult
from reticle.model.codes import CommandName
from reticle.model.window import Pending

MAX_COUNT: Final = 1_000_000
"""Numbers a page reports are clamped, so that sums stay sensible whatever it sends."""

_TELLING: Final = frozenset({CommandName.READ.value, CommandName.ACT.value})


class PendingReport:
    """
    What the present document said last.

    Args:
        elapsed_ms: The page's time, in milliseconds.
    """

    def __init__(self, elapsed_ms: Callable[[], int]) -> None:
        self._elapsed_ms = elapsed_ms
        self.latest: Pending | None = None

    def forget(self) -> None:
        """
        The document ended, or the page does not answer: nothing is known.
        """
        self.latest = None

    def heard_by(self, send: Send) -> Send:
        """
        ``send``, with an ear for what the answers tell of scheduled work.
        """
        return overheard(send, self._hear)

    def _hear(self, name: str, result: CommandResult) -> None:
        if name in _TELLING and result.ok:
            self.latest = read_pending(result.result, self._elapsed_ms())


def read_pending(result: object, t_ms: int) -> Pending | None:
    """
    The scheduled work that an answer tells, or None where it tells none or makes no sense.

    Args:
        result: A command's result as decoded JSON.
        t_ms: When it arrived, in the page's own milliseconds.
    """
    told = result.get("pending") if isinstance(result, Mapping) else None
    if not isinstance(told, Mapping):
        return None
    counts = [_whole(told.get(name)) for name in ("timers", "animations", "loads")]
    timers, animations, loads = counts
    if timers is None or animations is None or loads is None:
        return None
    return Pending(
        t_ms,
        timers,
        animations,
        loads,
        _whole(told.get("soonestMs")),
        _whole(told.get("latestMs")),
        _whole(told.get("laterMs")),
        _whole(told.get("quietMs")),
        undrawn=told.get("undrawn") is True,
    )


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return min(value, MAX_COUNT)
