"""
What an answer says of a page on which nothing matched: enough to go on from, not the page itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.tools.fields import cut, list_of, object_of, one_line, text_of, told

REGIONS_SHOWN = 4
"""Regions in one hint; who needs more takes a snapshot."""

REGION_CHARS = 80

TESTIDS_SHOWN = 8


def brief_hint(hint: object) -> dict[str, object]:
    """
    A page's hint (page-wire, ``query``) with each region on one line, and only the first of many.
    """
    told_by_page = object_of(hint)
    regions = [_region(object_of(region)) for region in list_of(told_by_page.get("presentRegions"))]
    testids = list_of(told_by_page.get("presentTestids"))
    return told(
        route=told_by_page.get("route"),
        presentRegions=_first(regions, REGIONS_SHOWN),
        presentTestids=_first([text_of(testid) for testid in testids], TESTIDS_SHOWN),
        knownEmptyState=told_by_page.get("knownEmptyState") or None,
    )


def _region(region: Mapping[str, object]) -> str:
    name = text_of(region.get("name"))
    title = text_of(region.get("role")) + (f' "{name}"' if name else "")
    sample = ", ".join(text_of(one) for one in list_of(region.get("sample")))
    return cut(one_line(f"{title}: {sample}" if sample else title), REGION_CHARS)


def _first(lines: list[str], limit: int) -> list[str]:
    return lines if len(lines) <= limit else [*lines[:limit], f"{len(lines) - limit} more"]
