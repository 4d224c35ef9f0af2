"""
Why a link could not be made or did not last, in words for the agent that waits.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Cause(Enum):
    """
    What kind of trouble it is.
    """

    NOBODY = "nobody listens there"
    SILENT = "something listens there and does not answer"
    UNREADY = "the daemon is starting or stopping"
    REFUSED = "the daemon refused us"
    STRANGER = "something else listens there"
    BROKEN = "the connection broke"
    UNSTARTED = "no daemon came of a start"


class Trouble(NamedTuple):
    """
    One failure. ``text`` is a sentence, ``recovery`` the next step.

    ``lasting``: waiting does not help, so requests get the reason at once.
    """

    cause: Cause
    text: str
    recovery: str = ""

    @property
    def lasting(self) -> bool:
        """
        Whether it stands until somebody does something.
        """
        return self.cause in (Cause.SILENT, Cause.REFUSED, Cause.STRANGER, Cause.UNSTARTED)
