"""
The functions of a script as they stand in each other, and what they call.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Sequence
from typing import Final

import attrs

from reticle.model.runs import Routine, RunScript

CALL: Final = re.compile(r"(?<![.\w$])([A-Za-z_$][\w$]*)\(")
_LITERAL: Final = re.compile(r"[\"'`]")
_WRAPPER_CHARS: Final = 60
_CONTAINER_CHARS: Final = 4_000
_CONTAINED: Final = 10
"""A function that is longer and has more functions in it is none to be mended, but a file of a bundle."""


@attrs.define
class Node:
    """
    A function in its script; ``terms`` are what it and those inside it speak of.
    """

    script: int
    routine: Routine
    parent: Node | None
    children: list[Node] = attrs.field(factory=list)
    terms: dict[str, float] = attrs.field(factory=dict)
    sent: float = 0.0
    score: float = 0.0


def tree_of(number: int, script: RunScript) -> list[Node]:
    """
    Its functions, outer ones first.
    """
    nodes: list[Node] = []
    around: list[Node] = []
    for routine in sorted(script.routines, key=lambda one: (one.begin, -one.end)):
        while around and around[-1].routine.end < routine.end:
            around.pop()
        parent = around[-1] if around else None
        node = Node(number, routine, parent)
        if parent is not None:
            parent.children.append(node)
        nodes.append(node)
        around.append(node)
    return nodes


def is_whole(node: Node, scripts: Sequence[RunScript]) -> bool:
    """
    Whether it is the script itself, which the browser counts as a function, or what a bundler puts around all
    or many of its functions.
    """
    length = node.routine.end - node.routine.begin
    is_script = node.routine.begin == 0 and node.routine.end >= len(scripts[node.script].text)
    return is_script or (length > _CONTAINER_CHARS and len(node.children) > _CONTAINED)


def node_at(tree: Sequence[Node], begins: Sequence[int], offset: int) -> Node | None:
    """
    The innermost function around a place.
    """
    at = bisect_right(begins, offset) - 1
    node = tree[at] if at >= 0 else None
    while node is not None and node.routine.end <= offset:
        node = node.parent
    return node


def only_calls(text: str, node: Node) -> bool:
    """
    Whether a function is short and has no text in it: it hands on to another.
    """
    begin, end = node.routine.begin, node.routine.end
    return end - begin < _WRAPPER_CHARS and _LITERAL.search(text, begin, end) is None


def calls_in(text: str, node: Node, named: Container[str]) -> set[str]:
    """
    The functions that one calls, of those that there are.
    """
    called = CALL.findall(text, node.routine.begin, node.routine.end)
    return {name for name in called if name in named and name != node.routine.name}
