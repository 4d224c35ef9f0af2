"""
A page hold: one agent's exclusive use of a page, for a limited time.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Lease:
    """
    Who has something to itself, and until when.

    ``holder`` is an agent's name as ``domain.lease`` compares it, ``shown`` what people call that agent,
    ``purpose`` what it said it does. ``since`` and ``until`` are seconds since the epoch.
    """

    holder: str
    shown: str
    purpose: str
    since: float
    until: float
