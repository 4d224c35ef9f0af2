"""
A file as it is published.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class PublishedFile:
    """
    A file's content and its SHA-256, in hex.
    """

    content: bytes
    sha256: str
