"""
Verdicts for people: one line each, and under it why, on what evidence, and where to look.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from reticle.client import CallResult

WIDTH = 108
_COLOURS = {"yes": "32", "no": "31", "unknown": "33"}
_POINTERS = {"seq", "ref"}
"""Where a piece of evidence is kept; a person has nothing to look that up in."""


class Row(NamedTuple):
    """
    One journey and its verdict; ``expected`` says whether that is what the journey should show.
    """

    journey: str
    verdict: CallResult
    expected: bool


def render(title: str, rows: Sequence[Row], *, colours: bool) -> str:
    """
    One part of the table, under its title.
    """
    lines = [f"{title:<32}{'verified':<10}{'reason':<21}fix at", "─" * WIDTH]
    for row in rows:
        lines += _row(row, colours=colours)
    return "\n".join(lines)


def _row(row: Row, *, colours: bool) -> Iterator[str]:
    fields = row.verdict.fields
    verified = str(fields.get("verified", "refused"))
    word = f"{verified:<10}"
    if colours:
        word = f"\x1b[1;{_COLOURS.get(verified, '35')}m{word}\x1b[0m"
    reason = str(fields.get("verifiedReason", fields.get("error", "")))
    place = str(fields.get("source", "")) if verified != "yes" else ""
    yield f"{row.journey:<32}{word}{reason:<21}{place}".rstrip()
    yield from _paragraph("because", str(fields.get("because", row.verdict.message)))
    for line in _evidence(fields):
        yield from _paragraph("evidence", line)
    if not row.expected:
        yield from _paragraph("!", "this is not what the journey should show")


def _evidence(fields: Mapping[str, object]) -> Iterator[str]:
    """
    The channels that disagree, else the first piece that decided and says something; and the network's
    headline.
    """
    contradictions, evidence = fields.get("contradictions"), fields.get("evidence")
    if isinstance(contradictions, list) and contradictions:
        for each in contradictions[:2]:
            yield f"{each.get('kind')}: {each.get('claim')}; but {each.get('counter')}"
    elif isinstance(evidence, list):
        told = [{name: one[name] for name in one if name not in _POINTERS} for one in evidence]
        yield from [json.dumps(one, ensure_ascii=False)[:200] for one in told if one][:1]
    summary = fields.get("summary")
    network = summary.get("net") if isinstance(summary, dict) else None
    if isinstance(network, dict) and network.get("headline"):
        yield "network: " + ", ".join(map(str, network["headline"]))


def _paragraph(title: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"    {title:<10}",
        subsequent_indent=" " * 14,
        max_lines=3,
        break_on_hyphens=False,
    )
