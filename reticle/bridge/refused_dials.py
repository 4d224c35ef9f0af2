"""
Dials that were turned away, remembered so that the agent can be told (field report AU-07).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

import attrs

from reticle.model.limits import RECENT_REFUSALS
from reticle.model.page import RefusedDial

_SHOWN_CHARS = 200


class RefusedDials:
    """
    The newest refusals; the same origin refused for the same reason is one entry with a count.

    Args:
        now: Seconds since the epoch.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._dials: OrderedDict[tuple[str, str], RefusedDial] = OrderedDict()

    def add(self, origin: str, reason: str, next_step: str) -> None:
        """
        Remember one refusal.
        """
        origin = origin[:_SHOWN_CHARS]
        before = self._dials.pop((origin, reason), None)
        count = 1 if before is None else before.count + 1
        self._dials[origin, reason] = RefusedDial(self._now(), origin, reason, next_step, count)
        if len(self._dials) > RECENT_REFUSALS:
            self._dials.popitem(last=False)

    def forget(self, origin: str) -> None:
        """
        A page of this origin was let in: what refused it before is mended.
        """
        for key in [key for key in self._dials if key[0] == origin[:_SHOWN_CHARS]]:
            del self._dials[key]

    def newest_first(self) -> Sequence[RefusedDial]:
        """
        All that are remembered.
        """
        return list(reversed(self._dials.values()))


@attrs.frozen
class Rejection:
    """
    Why a page is turned away: the close code and reason that it gets, and what a person can do.
    """

    code: int
    reason: str
    next_step: str
