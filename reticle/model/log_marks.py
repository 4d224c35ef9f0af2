"""
What an event or a text of the log says of itself, for whoever writes it.
"""

from __future__ import annotations

from typing import Final

CUT: Final = "…"
"""Stands where a text that is too long was cut: the beginning of a secret may stand before it."""

SETTLED: Final = "log_settled"
"""A field of events whose values never change: their lines may be made later, many at once."""
