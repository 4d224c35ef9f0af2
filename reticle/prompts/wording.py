"""
What several prompts say in the same words.
"""

from __future__ import annotations

from collections.abc import Mapping


def where(given: Mapping[str, str]) -> str:
    """
    Where to look, as lines after the task; nothing when the person did not say.
    """
    places = []
    if given.get("url"):
        places.append(f"\nWhere: {given['url']}")
    if given.get("page"):
        places.append(f'\nPage: pass sessionId "{given["page"]}" to every tool.')
    return "".join(places)
