"""
Limits of what the bridge keeps of all pages together and of what it puts right; others are in ``limits``.
"""

from __future__ import annotations

from typing import Final

ALL_EVENT_BYTES: Final = 256 * 1024 * 1024
"""
Bytes of events kept of all pages together, as the rings count them.
Sixteen busy pages with full rings fit (``PAGE_EVENT_BYTES``); a hundred of them took a gigabyte.
"""

DECODED_EVENT_BYTES: Final = 32 * 1024 * 1024
"""
Of these, how many bytes may be held decoded too, so that who reads a window twice has it decoded once. Two
full rings fit; decoded, an event takes about as much again as its bytes.
"""

MESSAGE_SECRETS: Final = 1_000
"""Credentials replaced in one message that a page sent raw, some 1 ms; one with more is a declared loss."""

TRACKED_REQUEST_BYTES: Final = 512 * 1024
"""
Bytes of the open requests remembered per page, and as many of the ended ones: a thousand of ordinary size
(``TRACKED_REQUESTS``). They are kept beside the ring.
"""

ANSWERS_REMEMBERED_BYTES: Final = 1024 * 1024
"""Bytes of the ended requests that later windows may compare with: sixty of ordinary size."""
