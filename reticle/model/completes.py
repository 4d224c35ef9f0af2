"""
What an argument of a prompt or of a resource's address names, so that a client can complete it.
"""

from __future__ import annotations

import enum


class Completes(enum.Enum):
    """What a person may mean with the beginning of a word."""

    PAGE = "page"
    VERDICT = "verdict"
    URL = "url"
