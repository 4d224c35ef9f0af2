"""
What an answer costs its reader, told where it is worth knowing (reticle-tools §4.8).
"""

from __future__ import annotations

from reticle.model.limits import COST_TOLD_BYTES

CHARS_PER_TOKEN = 4
"""A rule of thumb that holds for English, HTML and JSON."""


def cost_fields(text: str) -> dict[str, object]:
    """
    ``{"cost": {bytes, tokens}}`` of an answer's text; nothing for one that is small.
    """
    size = len(text.encode())
    if size < COST_TOLD_BYTES:
        return {}
    return {"cost": {"bytes": size, "tokens": -(-len(text) // CHARS_PER_TOKEN)}}
