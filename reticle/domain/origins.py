"""
Functions that a wrong value comes from, by how values go through the app's code: who made what was sent, who
ran up to a request that was not sent, who writes the state that is not as claimed.

The code is looked at as text: what is found is likely, and what is not found no less likely than before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.routine_tree import CALL, Node, calls_in, is_whole, node_at
from reticle.domain.script_positions import offset_of
from reticle.domain.text_tables import keys_of
from reticle.model.runs import RunScript

Frame = tuple[str, int, int]
"""Address, line and column, the latter two from 1."""

_SENDS: Final = re.compile(r"\bfetch\(|\bXMLHttpRequest\b|\bsendBeacon\(|\baxios\b|\.ajax\(")
_CALLED: Final = re.compile(r"[\w$.]*\s*\(")
_NAME: Final = re.compile(r"(?<![.\w$])[A-Za-z_$][\w$]*(?!\s*[\w$:(])")
_HEAD: Final = re.compile(r"\A(?:async\s+)?(?:function[^(]*)?(?:\([^)]*\)|[\w$]+(?=\s*=>))")
"""A function's parameters, of one without names in braces that hold other parentheses a part of them."""

_WRITES: Final = r"(?<![\w$.?]){0}[\"']?\s*:(?!:)|\.{0}\s*=(?!=)"
_TAKES_OUT: Final = r"\{{[^{{}}]*(?<![\w$]){0}(?![\w$])[^{{}}]*\}}\s*="
_ARGUMENT_CHARS: Final = 2_000


@attrs.frozen
class Wrong:
    """
    What is wrong. ``sent`` is the stack, innermost first, of a request that was sent otherwise than claimed;
    ``unsent`` that one was not sent at all; ``untold`` is the stack of one whose refusal told a text that is
    not shown; ``led`` is the name of a link that led elsewhere; ``written`` are keys of the app's state with
    another value.
    """

    sent: Sequence[Frame] = ()
    unsent: bool = False
    untold: Sequence[Frame] = ()
    led: str = ""
    written: Sequence[str] = ()


def origins(
    scripts: Sequence[RunScript],
    trees: Sequence[Sequence[Node]],
    nodes: Sequence[Node],
    wrong: Wrong,
) -> Iterator[Node]:
    """
    The functions, those first that a value was in last; one may come twice.

    Args:
        scripts: The app's own, as they run.
        trees: The functions of each.
        nodes: Those of them that count.
        wrong: What is wrong.
    """
    named: dict[str, list[Node]] = {}
    for node in nodes:
        if node.routine.name:
            named.setdefault(node.routine.name, []).append(node)
    yield from _makers(scripts, trees, named, _at(scripts, wrong.sent))
    if wrong.unsent:
        yield from sorted(_stopped(scripts, nodes, named), key=_likelier)
    for number, offset in _at(scripts, wrong.untold):
        taker = node_at(trees[number], [one.routine.begin for one in trees[number]], offset)
        if taker is not None and not is_whole(taker, scripts):
            yield taker
    if wrong.led:
        yield from _saying(scripts, trees, wrong.led)
    for key in wrong.written:
        ran = [node for node in _writers(scripts, trees, key) if node.routine.ran]
        yield from sorted(ran, key=_likelier)


def _at(scripts: Sequence[RunScript], stack: Sequence[Frame]) -> Sequence[tuple[int, int]]:
    """
    The frames of a stack that are in the scripts, as numbers of scripts and offsets in them.
    """
    numbers = {script.address: number for number, script in enumerate(scripts)}
    within = [(numbers[address], line, column) for address, line, column in stack if address in numbers]
    return [(number, offset_of(scripts[number], line, column)) for number, line, column in within]


def _likelier(node: Node) -> float:
    return -node.score


def _makers(
    scripts: Sequence[RunScript],
    trees: Sequence[Sequence[Node]],
    named: Mapping[str, Sequence[Node]],
    sent_at: Sequence[tuple[int, int]],
) -> Iterator[Node]:
    """
    Along the calls that sent it, from the last one on: what was called for an argument, or wrote what was
    taken out of a state for it. Where a function only hands on what it was given, its caller is looked at.
    """
    around: Node | None = None
    for number, offset in sent_at:
        tree, text = trees[number], scripts[number].text
        node = node_at(tree, [one.routine.begin for one in tree], offset)
        if node is None or is_whole(node, scripts):
            continue
        around = node
        given = _arguments(text, offset)
        called = [one for name in CALL.findall(given) for one in named.get(name, ()) if one.routine.ran]
        taken = _taken_out(text[node.routine.begin : node.routine.end], given)
        writers = [one for name in taken for one in _writers(scripts, trees, name) if one is not node]
        made = called or [one for one in writers if one.routine.ran or one.routine.before]
        if made:
            yield from made
            return
    if around is not None:
        yield around


def _taken_out(body: str, given: str) -> Sequence[str]:
    """
    The names in a call's arguments that the function took out of something by their key.
    """
    head = _HEAD.match(body)
    own = set(_NAME.findall(given)) - set(_NAME.findall(head[0] if head else ""))
    return [name for name in sorted(own) if re.search(_TAKES_OUT.format(re.escape(name)), body)]


def _stopped(
    scripts: Sequence[RunScript], nodes: Sequence[Node], named: Mapping[str, Sequence[Node]]
) -> Iterator[Node]:
    """
    What ran and calls a function that sends and did not run.
    """
    senders = {
        name
        for name, ones in named.items()
        if not any(one.routine.ran for one in ones)
        and any(_SENDS.search(scripts[one.script].text, one.routine.begin, one.routine.end) for one in ones)
    }
    for node in nodes if senders else ():
        if node.routine.ran and calls_in(scripts[node.script].text, node, senders):
            yield node


def _writers(scripts: Sequence[RunScript], trees: Sequence[Sequence[Node]], key: str) -> Iterator[Node]:
    """
    The functions that put a value under a key.
    """
    return _around(re.compile(_WRITES.format(re.escape(key))), scripts, trees)


def _saying(scripts: Sequence[RunScript], trees: Sequence[Sequence[Node]], text: str) -> Iterator[Node]:
    """
    The functions that have a text, or that ask for it by its key where it stands in a table.
    """
    keys = {key for script in scripts for key in keys_of(script.text, text)}
    quoted = "|".join(rf"[\"'`>]{re.escape(one)}[\"'`<]" for one in (text, *sorted(keys)))
    return _around(re.compile(quoted), scripts, trees)


def _around(
    pattern: re.Pattern[str], scripts: Sequence[RunScript], trees: Sequence[Sequence[Node]]
) -> Iterator[Node]:
    """
    The innermost function around each place that a pattern finds.
    """
    for script, tree in zip(scripts, trees, strict=True):
        begins = [node.routine.begin for node in tree]
        for found in pattern.finditer(script.text):
            node = node_at(tree, begins, found.start())
            if node is not None and not is_whole(node, scripts):
                yield node


def _arguments(text: str, offset: int) -> str:
    """
    What stands between the parentheses of the call at a place.
    """
    found = _CALLED.match(text, offset)
    if found is None:
        return ""
    depth, at = 1, found.end()
    end = min(len(text), at + _ARGUMENT_CHARS)
    while at < end and depth:
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
    return text[found.end() : at - 1]
