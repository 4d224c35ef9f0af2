"""
What changed between two snapshots of the same scope, as a few lines.

Lines are compared without ref and focus: an element that was rendered anew with the same role, name and
value did not change for a reader. But its old ref is dead, so renewed refs are listed on their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

_REF = re.compile(r" ?\(ref=(e\d+)\)")
_FOCUS = re.compile(r" \[focused\]|(?<=[\[,])focused,|,\s?focused(?=[\],])")


@attrs.frozen
class Line:
    """
    One line of a snapshot: as it stands, its ref, and what a reader would compare.
    """

    text: str
    ref: str | None
    key: str
    focused: bool


@attrs.frozen
class Change:
    """
    One element before and after.
    """

    before: str
    after: str


@attrs.frozen
class Delta:
    """
    The difference of two trees; lines are given as they stand, in document order.

    ``renewed`` maps the ref an unchanged line had to the one that it has now.
    ``focus`` is the focused element's ref before and after, where that is not the same.
    """

    added: Sequence[str]
    removed: Sequence[str]
    changed: Sequence[Change]
    renewed: Mapping[str, str]
    focus: tuple[str | None, str | None] | None

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.renewed or self.focus)

    def lines(self) -> int:
        """
        How many lines it takes to tell.
        """
        return len(self.added) + len(self.removed) + 2 * len(self.changed) + len(self.renewed)


def read_lines(tree: str) -> list[Line]:
    """
    The lines of a snapshot's tree.
    """
    return [_line(text) for text in tree.split("\n") if text.strip()]


def compare(before: str, after: str) -> Delta:
    """
    How one tree became the other.
    """
    old, new = read_lines(before), read_lines(after)
    gone, come, renewed = _unmatched(old, new)
    gone_by_ref = {line.ref: line for line in gone if line.ref is not None}
    changed = [(gone_by_ref[line.ref], line) for line in come if line.ref in gone_by_ref]
    moved = {id(line) for pair in changed for line in pair}
    return Delta(
        added=[line.text.strip() for line in come if id(line) not in moved],
        removed=[line.text.strip() for line in gone if id(line) not in moved],
        changed=[Change(was.text.strip(), now.text.strip()) for was, now in changed],
        renewed=renewed,
        focus=_focus_moved(old, new, renewed),
    )


def _line(text: str) -> Line:
    ref = _REF.search(text)
    key = _FOCUS.sub("", _REF.sub("", text)).strip()
    return Line(text, None if ref is None else ref[1], key, focused=_FOCUS.search(text) is not None)


def _unmatched(old: Sequence[Line], new: Sequence[Line]) -> tuple[list[Line], list[Line], dict[str, str]]:
    """
    Lines without a counterpart of the same key, and the refs that changed between counterparts.
    """
    old_by_key, new_by_key = _by_key(old), _by_key(new)
    gone: list[Line] = []
    come: list[Line] = []
    renewed: dict[str, str] = {}
    for key in old_by_key.keys() | new_by_key.keys():
        was, now = old_by_key.get(key, []), new_by_key.get(key, [])
        kept = {line.ref for line in was} & {line.ref for line in now} - {None}
        was = [line for line in was if line.ref not in kept]
        now = [line for line in now if line.ref not in kept]
        paired = min(len(was), len(now))
        for before, after in zip(was[:paired], now[:paired], strict=True):
            if before.ref is not None and after.ref is not None:
                renewed[before.ref] = after.ref
        gone += was[paired:]
        come += now[paired:]
    old_order = {id(line): place for place, line in enumerate(old)}
    new_order = {id(line): place for place, line in enumerate(new)}
    gone.sort(key=lambda line: old_order[id(line)])
    come.sort(key=lambda line: new_order[id(line)])
    return gone, come, renewed


def _by_key(lines: Sequence[Line]) -> dict[str, list[Line]]:
    by_key: dict[str, list[Line]] = {}
    for line in lines:
        by_key.setdefault(line.key, []).append(line)
    return by_key


def _focus_moved(
    old: Sequence[Line], new: Sequence[Line], renewed: Mapping[str, str]
) -> tuple[str | None, str | None] | None:
    before = next((line.ref for line in old if line.focused), None)
    after = next((line.ref for line in new if line.focused), None)
    same = before == after or (before is not None and renewed.get(before) == after)
    return None if same else (before, after)
