"""
Journeys through the example shop, driven through reticle; the demo and the system tests share them.
"""

from __future__ import annotations

from examples.journeys import browsing, ordering
from examples.journeys.walk import Journey, JourneyBrokenError, connected_page, travel

CLEAN = ordering.CLEAN
FAULTS = ordering.FAULTS + browsing.FAULTS
TRAPS = ordering.TRAPS + browsing.TRAPS
JOURNEYS = CLEAN + FAULTS + TRAPS
"""The sound ones, the faulty ones, and the sound ones that look faulty."""

__all__ = [
    "CLEAN",
    "FAULTS",
    "JOURNEYS",
    "TRAPS",
    "Journey",
    "JourneyBrokenError",
    "connected_page",
    "travel",
]
