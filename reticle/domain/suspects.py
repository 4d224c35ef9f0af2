"""
Which functions of a page are most likely at fault when a claim does not hold.

Nobody knows it; what can be told is what speaks for one: that its text holds what the failed part of the
claim speaks of and few others do, that it ran during the action and at no other time, that it sent the
request. Those are weighed (``weigh``), and the caller names the first few with the reason of each.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.claim_words import ClaimWords, stems
from reticle.model.runs import Position, Routine, RunScript, Why

_CALL: Final = re.compile(r"(?<![.\w$])([A-Za-z_$][\w$]*)\(")
_LITERAL: Final = re.compile(r"[\"'`]")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$]*")

_ONLY_NOW: Final = 2.0
_NOW_TOO: Final = 1.2
_NOT_NOW: Final = 0.5
"""What a function's words are worth by when it ran: in this action alone, in it too, not in it."""

_RAN_ALONE: Final = 1.0
"""What it is worth that a function ran in this action alone, whatever it speaks of."""

_SENT: Final = 4.0
_MENTIONED: Final = 0.5
_OWN_NAME: Final = 1.5
"""What a word of the claim is worth in a function's own name."""

_HOLDS_MOST: Final = 0.7
"""A function inside another is named in its place where it has that share of what speaks for the outer."""

_CALLED: Final = 0.25
_WRAPPER: Final = 0.3
_WRAPPER_CHARS: Final = 60
_CONTAINER_CHARS: Final = 4_000
_CONTAINED: Final = 10
"""A function that is longer and has more functions in it is none to be mended, but a file of a bundle."""

_LENGTH: Final = 0.5
"""How much less what speaks for a function is worth with each doubling of its length."""

_LONG_CHARS: Final = 300


@attrs.frozen
class Suspect:
    """
    A function, by where it begins, with what speaks for it.
    """

    position: Position
    score: float
    why: Why
    key: tuple[int, int, int]


@attrs.define
class _Node:
    """
    A function in its script; ``terms`` are what it and those inside it speak of.
    """

    script: int
    routine: Routine
    parent: _Node | None
    children: list[_Node] = attrs.field(factory=list)
    terms: dict[str, float] = attrs.field(factory=dict)
    sent: float = 0.0
    score: float = 0.0


def weigh(
    scripts: Sequence[RunScript], words: ClaimWords, sent_at: Sequence[Sequence[tuple[str, int, int]]]
) -> Sequence[Suspect]:
    """
    The functions that anything speaks for, the likeliest first; of one inside another only one.

    Args:
        scripts: The app's own, as they run.
        words: What the claim speaks of.
        sent_at: For each request that matters the stack that sent it, innermost first: address, line, column.
    """
    trees = [_tree(number, script) for number, script in enumerate(scripts)]
    nodes = [node for tree in trees for node in tree if not _is_whole(node, scripts)]
    if not nodes:
        return ()
    _mark_words(scripts, trees, words)
    _mark_senders(scripts, trees, sent_at)
    rarity = _rarity(nodes)
    knows_runs = any(node.routine.ran for node in nodes)
    for node in nodes:
        node.score = _score(node, rarity, knows_runs=knows_runs)
    _follow_calls(scripts, nodes)
    chosen = {id(best): best for node in nodes if node.score > 0 and (best := _innermost(node)) is not None}
    ranked = sorted(chosen.values(), key=lambda node: (-node.score, node.script, node.routine.begin))
    return [_suspect(scripts[node.script], node) for node in ranked]


def joined(scripts: Iterable[RunScript]) -> Sequence[RunScript]:
    """
    The scripts that there is a text of, each once: what two documents of one action ran of the same script,
    it ran.
    """
    found: dict[str, RunScript] = {}
    for script in scripts:
        other = found.get(script.address)
        if not script.text:
            continue
        if other is None or other.text != script.text or script.is_inline:
            found[script.address if other is None else f"{script.address}#{len(found)}"] = script
            continue
        routines = {(one.begin, one.end): one for one in other.routines}
        for one in script.routines:
            same = routines.get((one.begin, one.end), one)
            routines[one.begin, one.end] = attrs.evolve(
                one, ran=one.ran or same.ran, before=max(one.before, same.before)
            )
        found[script.address] = attrs.evolve(other, routines=list(routines.values()))
    return list(found.values())


# --- the functions of a script --------------------------------------------------------------


def _tree(number: int, script: RunScript) -> list[_Node]:
    """
    Its functions, outer ones first.
    """
    nodes: list[_Node] = []
    around: list[_Node] = []
    for routine in sorted(script.routines, key=lambda one: (one.begin, -one.end)):
        while around and around[-1].routine.end < routine.end:
            around.pop()
        parent = around[-1] if around else None
        node = _Node(number, routine, parent)
        if parent is not None:
            parent.children.append(node)
        nodes.append(node)
        around.append(node)
    return nodes


def _is_whole(node: _Node, scripts: Sequence[RunScript]) -> bool:
    """
    Whether it is the script itself, which the browser counts as a function, or what a bundler puts around all
    or many of its functions.
    """
    length = node.routine.end - node.routine.begin
    is_script = node.routine.begin == 0 and node.routine.end >= len(scripts[node.script].text)
    return is_script or (length > _CONTAINER_CHARS and len(node.children) > _CONTAINED)


def _at(tree: Sequence[_Node], begins: Sequence[int], offset: int) -> _Node | None:
    """
    The innermost function around a place.
    """
    at = bisect_right(begins, offset) - 1
    node = tree[at] if at >= 0 else None
    while node is not None and node.routine.end <= offset:
        node = node.parent
    return node


# --- what speaks for one --------------------------------------------------------------------


def _mark_words(scripts: Sequence[RunScript], trees: Sequence[list[_Node]], words: ClaimWords) -> None:
    phrases, wanted = words.phrases, words.words
    for script, tree in zip(scripts, trees, strict=True):
        begins = [node.routine.begin for node in tree]
        named = {node.routine.name: node for node in tree if node.routine.name}
        for offset, term, weight in _hits(script.text, phrases, wanted):
            node = _at(tree, begins, offset)
            if node is None or _is_whole(node, scripts):
                for other, share in _beside(script.text, offset, tree, begins, named):
                    _mark(other, term, weight * share)
            else:
                _mark(node, term, weight)
        for node in tree:
            for stem in stems(node.routine.name):
                if stem in wanted:
                    _mark(node, stem, wanted[stem] * _OWN_NAME)


def _hits(
    text: str, phrases: Mapping[str, float], wanted: Mapping[str, float]
) -> Iterator[tuple[int, str, float]]:
    for phrase, weight in phrases.items():
        at = text.find(phrase)
        while at >= 0:
            yield at, phrase, weight
            at = text.find(phrase, at + len(phrase))
    for found in _IDENTIFIER.finditer(text):
        for stem in stems(found[0]):
            if stem in wanted:
                yield found.start(), stem, wanted[stem] / 2


def _beside(
    text: str, offset: int, tree: Sequence[_Node], begins: Sequence[int], named: Mapping[str, _Node]
) -> Iterator[tuple[_Node, float]]:
    """
    The functions that a line outside of all functions begins or names: a listener and what it is bound to.
    """
    first = text.rfind("\n", 0, offset) + 1
    last = text.find("\n", offset)
    last = len(text) if last < 0 else last
    if last - first > _LONG_CHARS:
        return
    for at in range(bisect_right(begins, first), bisect_right(begins, last)):
        yield tree[at], 1.0
    for found in _IDENTIFIER.finditer(text, first, last):
        if found[0] in named:
            yield named[found[0]], _MENTIONED


def _mark(node: _Node, term: str, weight: float) -> None:
    above: _Node | None = node
    while above is not None:
        above.terms[term] = max(above.terms.get(term, 0.0), weight)
        above = above.parent


def _mark_senders(
    scripts: Sequence[RunScript],
    trees: Sequence[list[_Node]],
    sent_at: Sequence[Sequence[tuple[str, int, int]]],
) -> None:
    by_address = {script.address: number for number, script in enumerate(scripts)}
    for stack in sent_at:
        for address, line, column in stack:
            number = by_address.get(address)
            if number is None:
                continue
            tree, script = trees[number], scripts[number]
            node = _at(tree, [one.routine.begin for one in tree], _offset(script, line, column))
            if node is not None:
                node.sent = _SENT


def _rarity(nodes: Sequence[_Node]) -> Mapping[str, float]:
    holders: dict[str, int] = {}
    for node in nodes:
        inner = {term for child in node.children for term in child.terms}
        for term in node.terms:
            if term not in inner:
                holders[term] = holders.get(term, 0) + 1
    return {term: math.log(1 + len(nodes) / count) for term, count in holders.items()}


def _score(node: _Node, rarity: Mapping[str, float], *, knows_runs: bool) -> float:
    routine = node.routine
    spoken = sum(weight * rarity.get(term, 0.0) for term, weight in node.terms.items())
    alone = routine.ran and not routine.before
    if knows_runs:
        spoken *= _ONLY_NOW if alone else _NOW_TOO if routine.ran else _NOT_NOW
    length = routine.end - routine.begin
    spoken /= 1 + _LENGTH * math.log2(max(length / _LONG_CHARS, 1))
    return spoken + (_RAN_ALONE if alone and knows_runs else 0.0) + node.sent


def _follow_calls(scripts: Sequence[RunScript], nodes: Sequence[_Node]) -> None:
    """
    What speaks for a function speaks for those that it calls too, the less the more others call them; a
    function that only calls another is none to look at.
    """
    named: dict[str, list[_Node]] = {}
    for node in nodes:
        if node.routine.name:
            named.setdefault(node.routine.name, []).append(node)
    called = [_calls(scripts[node.script].text, node, named) for node in nodes]
    callers = Counter(name for names in called for name in names)
    passed: dict[int, float] = {}
    for node, names in zip(nodes, called, strict=True):
        for name in names:
            share = _CALLED * node.score / (1 + math.log2(callers[name]))
            for callee in named[name]:
                if callee.routine.ran or not node.routine.ran:
                    passed[id(callee)] = max(passed.get(id(callee), 0.0), share)
    for node, names in zip(nodes, called, strict=True):
        node.score += passed.get(id(node), 0.0)
        if names and _only_calls(scripts[node.script].text, node):
            node.score *= _WRAPPER


def _only_calls(text: str, node: _Node) -> bool:
    begin, end = node.routine.begin, node.routine.end
    return end - begin < _WRAPPER_CHARS and _LITERAL.search(text, begin, end) is None


def _calls(text: str, node: _Node, named: Mapping[str, object]) -> set[str]:
    called = _CALL.findall(text, node.routine.begin, node.routine.end)
    return {name for name in called if name in named and name != node.routine.name}


def _innermost(node: _Node) -> _Node | None:
    """
    The function itself or one inside it that has most of what speaks for it; None for one inside another that
    is named in its place.
    """
    above = node.parent
    while above is not None and above.score > 0:
        if node.score < _HOLDS_MOST * above.score:
            return None
        above = above.parent
    inside = [child for child in node.children if child.score >= _HOLDS_MOST * node.score]
    return None if inside else node


def _suspect(script: RunScript, node: _Node) -> Suspect:
    routine = node.routine
    why = Why.SENT if node.sent else Why.RAN if routine.ran else Why.NAMES
    return Suspect(
        _position(script, routine.begin), node.score, why, (node.script, routine.begin, routine.end)
    )


# --- positions ------------------------------------------------------------------------------


def _position(script: RunScript, offset: int) -> Position:
    line = script.text.count("\n", 0, offset)
    column = offset - (script.text.rfind("\n", 0, offset) + 1)
    if line == 0:
        column += script.first_column
    number = line + script.first_line + 1
    return Position(script.address, number, column + 1, script.size_bytes, script.is_inline)


def _offset(script: RunScript, line: int, column: int) -> int:
    """
    Where a position stands in the text; beyond its end where there is none such.
    """
    at = 0
    for _ in range(line - 1 - script.first_line):
        at = script.text.find("\n", at) + 1
        if at == 0:
            return len(script.text)
    return at + max(column - 1, 0)
