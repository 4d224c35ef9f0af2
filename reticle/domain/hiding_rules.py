"""
The rule of a style sheet that hides what was claimed to be seen: where it stands in the sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import attrs

from reticle.domain.facts import brief, list_of, mapping_of, text_of
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

_COMMENT: Final = re.compile(r"/\*[\s\S]*?\*/")
_RULE: Final = re.compile(r"[^{};]+(?=\{)")


@attrs.frozen
class HidingRule:
    """
    A rule as the page told it: the sheet's address, the selector and the property that hides.
    """

    sheet: str
    selector: str
    property: str


def hiding_rules(outcome: Outcome, window: Window) -> Iterator[HidingRule]:
    """
    The rules that the page named for what a failed part of the claim says that nobody sees, or for a text
    that came up and nobody sees in the end.
    """
    failures = " ".join(_failures(outcome))
    for reading in window.after:
        answer = {} if reading.answer is None else reading.answer
        wanted = text_of(reading.question.fields, "contains")
        is_named = bool(wanted) and answer.get("perceivableCount") == 0 and brief(wanted or "") in failures
        for told in (answer, *map(mapping_of, list_of(answer, "samples"))):
            why, rule = text_of(told, "unseen"), mapping_of(told.get("unseenBy"))
            sheet, selector, name = (text_of(rule, key) for key in ("sheet", "selector", "property"))
            if why and (is_named or why in failures) and sheet and selector and name:
                yield HidingRule(sheet, selector, name)


def line_of(text: str, rule: HidingRule) -> int | None:
    """
    The line, from 1, on which a rule of a sheet begins: the last one with its selector that has the property,
    or where that is written otherwise than the browser tells it the last one with its selector.
    """
    bare = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    wanted = _plain(rule.selector)
    lines: dict[bool, int] = {}
    for found in _RULE.finditer(bare):
        end = bare.find("}", found.end())
        has = bool(re.search(rf"(?<![\w-]){re.escape(rule.property)}(?![\w-])", bare[found.end() : end]))
        if _plain(found[0]) == wanted:
            begin = found.start() + len(found[0]) - len(found[0].lstrip())
            lines[has] = bare.count("\n", 0, begin) + 1
    return lines.get(True, lines.get(False))


def _failures(outcome: Outcome) -> Iterator[str]:
    if outcome.held is Held.NO and outcome.failure:
        yield outcome.failure
    for child in outcome.children:
        yield from _failures(child)


def _plain(selector: str) -> str:
    """
    A selector without the blanks and quotes that a browser writes otherwise than people.
    """
    return re.sub(r"\s*([>+~,])\s*", r"\1", " ".join(selector.split())).replace('"', "'").lower()
