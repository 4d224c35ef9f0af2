"""
What an event of the log says of itself, for whoever writes it.
"""

from __future__ import annotations

from typing import Final

SETTLED: Final = "log_settled"
"""A field of events whose values never change: their lines may be made later, many at once."""
