"""
A page's tree in fewer characters: what an agent reads of it, with nothing twice.

The page says one line per element, two spaces per level (``docs/protocol/page-wire.md``); that form is what
is compared and kept. Read by a model, each line's dash, indent and ``(ref=…)`` cost more than its words. Here

* a level is one space, a ref stands bare behind its name, a value behind ``=``, text alone in its quotes;
* what only holds a few things that stand in one line is one line, where neighbours share their role's word:
  ``group "Size": radio "S" e4 "M" e5 [checked]``. What has a ref is such a neighbour, text has none;
* a heading is ``#``, an item of a list ``-``, a row of column headers ``columns``, a cell its bare content;
* a name that is only what stands inside is not said again.

All that can be acted on keeps its ref. What gives way is the ref of a cell that nobody made clickable, and of
a heading whose link has one; a query finds both (``target``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs

LINE_CHARS = 240
"""What stands in one line; a longer one is hard to find one's way in, for people and for models."""

LEVELS = 100
"""What lies deeper stands at this level; pages of people do not come near it, and a page may be hostile."""

_LINE = re.compile(r'( *)- (\S+)(?: "((?:[^"\\]|\\.)*)")?(?: \(ref=(e\d+)\))?((?: .*)?)', re.DOTALL)
_VALUE = re.compile(r' \[value=("(?:[^"\\]|\\.)*")\]')

_HOLDERS = frozenset({"article", "group", "figure"})
"""Inside of an item of a list, and without a name of their own, they say nothing."""

_SAID_BY_CONTENT = frozenset({"heading", "cell", "gridcell", "listitem", "row", "columnheader", "rowheader"})
"""Whose name may be just what stands inside."""

_CONTENT = frozenset({"text", "img"})
"""What says nothing more inside of a control whose name has the same words."""

_CONTROLS = frozenset(
    {"button", "link", "tab", "menuitem", "option", "checkbox", "radio", "switch", "treeitem"}
)
"""Controls that people know by their name."""

_CLICKABLE = re.compile(r" \[clickable\]$|,clickable(?=\]$)")
"""How our page script marks a cell that takes clicks: the last of its states."""


@attrs.define(eq=False)
class _Node:
    role: str
    name: str | None
    ref: str | None
    rest: str
    inside: list[_Node] = attrs.field(factory=list)

    @property
    def is_bare(self) -> bool:
        """Whether it is only its role."""
        return self.name is None and self.ref is None and not self.rest


def condense(tree: str, *, marks_clicks: bool) -> str:
    """
    The outline of a tree as the page wrote it.

    Args:
        tree: The page's lines. A line of another form is kept as it is.
        marks_clicks: Whether the page marks cells that take clicks, so that the others need no ref.
    """
    root = _Node("", None, None, "")
    path: list[tuple[int, _Node]] = [(-1, root)]
    for line in tree.split("\n"):
        depth, node = _read(line)
        while depth <= path[-1][0] or len(path) > LEVELS:
            path.pop()
        path[-1][1].inside.append(node)
        path.append((depth, node))
    for node in root.inside:
        _tidy(node, marks_clicks=marks_clicks)
    return "\n".join(line for node in root.inside for line in _lines(node, 0))


def _read(line: str) -> tuple[int, _Node]:
    found = _LINE.fullmatch(line)
    if found is None:
        return 0, _Node(line, None, None, "")
    indent, role, name, ref, rest = found.groups()
    return len(indent), _Node(role, name, ref, _VALUE.sub(r" =\1", rest))


def _tidy(node: _Node, *, marks_clicks: bool) -> None:
    """
    Take away what is said twice, from the leaves up.
    """
    for child in node.inside:
        _tidy(child, marks_clicks=marks_clicks)
    if node.role in _CONTROLS and node.name:
        node.inside = [child for child in node.inside if not _is_said(child, node.name)]
    if (
        node.role == "listitem"
        and len(node.inside) == 1
        and node.inside[0].is_bare
        and node.inside[0].role in _HOLDERS
    ):
        node.inside = node.inside[0].inside
    if node.role == "cell" and marks_clicks:
        if _CLICKABLE.search(node.rest):
            node.rest = _CLICKABLE.sub("", node.rest)
        else:
            node.ref = None
    if node.role in _SAID_BY_CONTENT and node.name and _words(node) == _unspaced(node.name):
        node.name = None
        if node.role == "heading" and len(node.inside) == 1 and node.inside[0].ref:
            node.ref = None


def _is_said(child: _Node, name: str) -> bool:
    if child.role not in _CONTENT or child.inside or child.rest:
        return False
    # whole words: the 2 of a mark is not said by "12 new"
    return not child.name or re.search(rf"(?<!\w){re.escape(child.name)}(?!\w)", name) is not None


def _words(node: _Node) -> str:
    """
    What is said inside, without blanks: a name has them where parts stand side by side.
    """
    return "".join(_unspaced(child.name) if child.name else _words(child) for child in node.inside)


def _unspaced(text: str) -> str:
    return text.replace(" ", "")


def _lines(node: _Node, depth: int) -> Iterator[str]:
    if (
        node.role == "list"
        and node.is_bare
        and all(child.role == "listitem" for child in node.inside)
        and node.inside
    ):
        for child in node.inside:
            yield from _lines(child, depth)
        return
    whole = _in_one_line(node)
    if whole is not None and len(whole) <= LINE_CHARS:
        yield " " * depth + whole
        return
    yield " " * depth + _head(node)
    for child in node.inside:
        yield from _lines(child, depth + 1)


def _in_one_line(node: _Node) -> str | None:
    """
    A node with all that is in it, or None where that is no line.
    """
    if not node.inside:
        return _head(node)
    inside = _side_by_side(node.inside)
    if inside is None:
        return None
    if node.role == "row" and inside.startswith("columnheader ") and _are_alike(node.inside):
        return f"columns{_head(node).removeprefix('row')}: {inside.removeprefix('columnheader ')}"
    return _joined(_head(node), inside, ": ")


def _side_by_side(nodes: Sequence[_Node]) -> str | None:
    """
    Nodes in one line, or None where one of them does not fit in.
    """
    told: list[str] = []
    chars = 0
    before: _Node | None = None
    for node in nodes:
        item = _item(node)
        if item is None or (chars := chars + len(item)) > 2 * LINE_CHARS:
            return None
        is_alike = before is not None and _are_alike([before, node])
        told.append(item.removeprefix(f"{node.role} ") if is_alike else item)
        before = node
    return " ".join(told)


def _are_alike(nodes: Sequence[_Node]) -> bool:
    """
    Whether one word for the role of all will do: what has a name and a ref cannot be taken for text.
    """
    return all(node.role == nodes[0].role and node.name and node.ref and not node.inside for node in nodes)


def _joined(head: str, inside: str, sign: str) -> str:
    if head == "#":
        return f"#{inside}"
    if head == "-":
        return f"-{inside}" if inside.startswith("#") else f"- {inside}"
    return f"{head}{sign}{inside}"


def _item(node: _Node) -> str | None:
    """
    A node inside of a line, or None where it does not fit in one.
    """
    if node.role == "cell":
        return _cell(node)
    if not node.inside:
        return _head(node)
    if len(node.inside) > 1 or node.role == "list":
        return None
    inside = _item(node.inside[0])
    return None if inside is None else _joined(_head(node), inside, ">")


def _cell(node: _Node) -> str | None:
    if not node.inside:
        if node.ref is None and not node.rest:
            return f'"{node.name or ""}"'
        return _head(node)
    inside = _side_by_side(node.inside)
    if inside is None or (node.is_bare and len(node.inside) == 1):
        return inside
    return f"{'' if node.is_bare else _head(node)}({inside})"


def _head(node: _Node) -> str:
    if node.role == "text":
        return f'"{node.name or ""}"{node.rest}'
    name = None if node.name is None else f'"{node.name}"'
    if node.role == "heading":
        return "#" + " ".join(filter(None, [name, node.ref])) + node.rest
    return " ".join(filter(None, ["-" if node.role == "listitem" else node.role, name, node.ref])) + node.rest
