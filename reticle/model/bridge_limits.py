"""
Limits of what the bridge keeps of all pages together and of what it puts right; others are in ``limits``.
"""

from __future__ import annotations

from typing import Final

ALL_EVENT_BYTES: Final = 256 * 1024 * 1024
"""
Bytes of events kept of all pages together, as the rings count them; in memory it is up to twice as much.
Sixteen busy pages with full rings fit (``PAGE_EVENT_BYTES``); a hundred of them took a gigabyte.
"""

MESSAGE_SECRETS: Final = 1_000
"""Credentials replaced in one message that a page sent raw, some 1 ms; one with more is a declared loss."""
