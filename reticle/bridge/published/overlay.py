"""
What of an answer is the packages' own panel, which they find like any part of the page (page-wire §9.4).

The panel repeats what the agent did and said ("Typing into …"), so that words which the app never showed can
be found in it. What belongs to it is asked of the page: the same query within the panel. A scope that does
not resolve becomes the whole page, therefore what always stands in that part is looked for there too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.bridge.dialect import Send
from reticle.bridge.published.refusals import published_refusal

PARTS: Sequence[tuple[str, Mapping[str, object]]] = (
    ("[data-reticle-hud]", {"role": "button", "name": "Minimise the panel"}),
    ('[data-reticle-mark="root"]', {"role": "button", "name": "Flag a bug for the agent"}),
    ("div:has(> [data-reticle-name])", {"placeholder": "flow name"}),
)
"""The panel, the flag button and the recorder, each with what always stands in it."""

_ROLES = frozenset({"button", "textbox", "combobox"})
_WORDED = frozenset({"text", "label", "placeholder"})
_FLAG = '- button "Flag a bug for the agent"'


async def overlay_refs(send: Send, asked: Mapping[str, object], found: frozenset[str]) -> frozenset[str]:
    """
    Those of ``found`` that belong to the packages.

    Args:
        send: Asks the page.
        asked: The query that found them, in the packages' words.
        found: The refs of what it found.

    Raises:
        Refusal: When the page was not reached.
    """
    if not found or not _may_find_the_overlay(asked):
        return frozenset()
    theirs: set[str] = set()
    for scope, landmark in PARTS:
        within = await _refs(send, {**asked, "scope": scope}) & found
        if within and await _refs(send, {**landmark, "scope": scope}):
            theirs |= within
    return frozenset(theirs)


def without_overlay(outline: str) -> str:
    """
    A tree without their flag button, the one part that they leave in it.
    """
    kept: list[str] = []
    cut: int | None = None
    for line in outline.split("\n"):
        depth = len(line) - len(line.lstrip(" "))
        if cut is not None and depth > cut:
            continue
        cut = depth if line.lstrip(" ").startswith(_FLAG) else None
        if cut is None:
            kept.append(line)
    return "\n".join(kept)


def _may_find_the_overlay(asked: Mapping[str, object]) -> bool:
    by = asked.get("by")
    if by is not None:
        return by in _WORDED or (by == "role" and asked.get("value") in _ROLES)
    return bool(_WORDED & asked.keys()) or asked.get("role") in _ROLES


async def _refs(send: Send, query: Mapping[str, object]) -> frozenset[str]:
    result = await send("match", {"query": query})
    if not result.ok:
        raise published_refusal(result)
    listed = result.result.get("elements") if isinstance(result.result, Mapping) else None
    elements = listed if isinstance(listed, list) else []
    refs = (each.get("ref") for each in elements if isinstance(each, Mapping))
    return frozenset(ref for ref in refs if isinstance(ref, str))
