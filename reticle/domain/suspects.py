"""
Which functions of a page are most likely at fault when a claim does not hold.

Nobody knows it; what can be told is what speaks for one: that its text holds what the failed part of the
claim speaks of and few others do, that it ran during the action and at no other time, that it sent the
request. Those are weighed (``weigh``), and the caller names the first few with the reason of each.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.claim_words import ClaimWords
from reticle.domain.origins import Wrong, origins
from reticle.domain.routine_tree import Node, calls_in, is_whole, node_at, only_calls, tree_of
from reticle.domain.routine_words import mark_words
from reticle.domain.script_positions import line_ends, offset_of, position_in
from reticle.model.runs import Position, RunScript, Why

_ONLY_NOW: Final = 2.0
_NOW_TOO: Final = 1.2
_NOT_NOW: Final = 0.5
"""What a function's words are worth by when it ran: in this action alone, in it too, not in it."""

_RAN_ALONE: Final = 1.0
"""What it is worth that a function ran in this action alone, whatever it speaks of."""

_SENT: Final = 4.0
_SENT_BESIDE: Final = 1.5
"""What it is worth to have sent a request that the claim is about, and another one."""

_SENDS_ALL: Final = 0.5
"""The share of it for a function that ran before the action too: apps send all through one of their own."""

_HOLDS_MOST: Final = 0.7
"""A function inside another is named in its place where it has that share of what speaks for the outer."""

_HOLDS_SOME: Final = 0.3
"""The same for one that ran in this action alone."""

_CALLED: Final = 0.25
_HANDED: Final = 0.7
"""What speaks for a function that did not run speaks as much for the one of the app's that it was handed to:
that has it run later, as one that waits for the last of many calls does."""

_HANDED_TO: Final = re.compile(r"([A-Za-z_$][\w$]*)\(\s*$")
_NAME_CHARS: Final = 60

_WRAPPER: Final = 0.3

_ORIGINS: Final = 2
"""Functions that a wrong value comes from which are named before others."""

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


def weigh(
    scripts: Sequence[RunScript],
    words: ClaimWords,
    sent_at: Sequence[Sequence[tuple[str, int, int]]],
    meant: int | None = None,
    wrong: Wrong | None = None,
) -> Sequence[Suspect]:
    """
    The functions that anything speaks for, the likeliest first; of one inside another only one.

    Args:
        scripts: The app's own, as they run.
        words: What the claim speaks of.
        sent_at: For each request that matters the stack that sent it, innermost first: address, line, column.
        meant: How many of these, from the first on, the claim is about; all where it is not known.
        wrong: What is wrong, as far as it tells where it comes from; that is named behind the likeliest one.
    """
    trees = [tree_of(number, script) for number, script in enumerate(scripts)]
    nodes = [node for tree in trees for node in tree if not is_whole(node, scripts)]
    if not nodes:
        return ()
    mark_words(scripts, trees, words)
    _mark_senders(scripts, trees, sent_at, len(sent_at) if meant is None else meant)
    rarity = _rarity(nodes)
    knows_runs = any(node.routine.ran for node in nodes)
    for node in nodes:
        node.score = _score(node, rarity, knows_runs=knows_runs)
    _follow_calls(scripts, nodes)
    chosen = {id(best): best for node in nodes if node.score > 0 and (best := _innermost(node)) is not None}
    ranked = sorted(chosen.values(), key=lambda node: (-node.score, node.script, node.routine.begin))
    if wrong is not None and ranked:
        found = [node for node in origins(scripts, trees, nodes, wrong) if node is not ranked[0]]
        ranked = _once((ranked[0], *_once(found)[:_ORIGINS], *ranked[1:]))
    lines: dict[int, Sequence[int]] = {}
    for number in {node.script for node in ranked}:
        lines[number] = line_ends(scripts[number].text)
    return [_suspect(scripts[node.script], lines[node.script], node) for node in ranked]


def _once(nodes: Iterable[Node]) -> list[Node]:
    return list({id(node): node for node in nodes}.values())


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


# --- what speaks for one --------------------------------------------------------------------


def _mark_senders(
    scripts: Sequence[RunScript],
    trees: Sequence[list[Node]],
    sent_at: Sequence[Sequence[tuple[str, int, int]]],
    meant: int,
) -> None:
    by_address = {script.address: number for number, script in enumerate(scripts)}
    for count, stack in enumerate(sent_at):
        for address, line, column in stack:
            number = by_address.get(address)
            if number is None:
                continue
            tree, script = trees[number], scripts[number]
            node = node_at(tree, [one.routine.begin for one in tree], offset_of(script, line, column))
            if node is not None:
                node.sent = max(node.sent, _SENT if count < meant else _SENT_BESIDE)


def _rarity(nodes: Sequence[Node]) -> Mapping[str, float]:
    holders: dict[str, int] = {}
    for node in nodes:
        inner = {term for child in node.children for term in child.terms}
        for term in node.terms:
            if term not in inner:
                holders[term] = holders.get(term, 0) + 1
    return {term: math.log(1 + len(nodes) / count) for term, count in holders.items()}


def _score(node: Node, rarity: Mapping[str, float], *, knows_runs: bool) -> float:
    routine = node.routine
    spoken = sum(weight * rarity.get(term, 0.0) for term, weight in node.terms.items())
    alone = routine.ran and not routine.before
    if knows_runs:
        spoken *= _ONLY_NOW if alone else _NOW_TOO if routine.ran else _NOT_NOW
    length = routine.end - routine.begin
    spoken /= 1 + _LENGTH * math.log2(max(length / _LONG_CHARS, 1))
    sent = node.sent * (_SENDS_ALL if routine.before else 1.0)
    return spoken + (_RAN_ALONE if alone and knows_runs else 0.0) + sent


def _follow_calls(scripts: Sequence[RunScript], nodes: Sequence[Node]) -> None:
    """
    What speaks for a function speaks for those that it calls too, the less the more others call them; a
    function that only calls another is none to look at.
    """
    named: dict[str, list[Node]] = {}
    for node in nodes:
        if node.routine.name:
            named.setdefault(node.routine.name, []).append(node)
    called = [calls_in(scripts[node.script].text, node, named) for node in nodes]
    by_node = {id(node): names for node, names in zip(nodes, called, strict=True)}
    inside = [set[str]().union(*(by_node.get(id(child), ()) for child in node.children)) for node in nodes]
    callers = Counter(
        name for names, inner in zip(called, inside, strict=True) for name in names - inner
    )  # who has it called by a function inside does not call it
    passed: dict[int, float] = {}
    for node, names in zip(nodes, called, strict=True):
        for name in names:
            share = _CALLED * node.score / (1 + math.log2(callers[name]))
            for callee in named[name]:
                if callee.routine.ran or not node.routine.ran:
                    passed[id(callee)] = max(passed.get(id(callee), 0.0), share)
    for taker, share in _handed(scripts, nodes, named):
        passed[id(taker)] = max(passed.get(id(taker), 0.0), share)
    for node, names in zip(nodes, called, strict=True):
        node.score += passed.get(id(node), 0.0)
        if names and only_calls(scripts[node.script].text, node):
            node.score *= _WRAPPER


def _handed(
    scripts: Sequence[RunScript], nodes: Sequence[Node], named: Mapping[str, Sequence[Node]]
) -> Iterator[tuple[Node, float]]:
    """
    The functions that were given one which did not run, with what that says; those that ran in this action
    were given theirs now.
    """
    for node in nodes:
        text, begin = scripts[node.script].text, node.routine.begin
        given = None if node.routine.ran else _HANDED_TO.search(text, max(begin - _NAME_CHARS, 0), begin)
        for taker in () if given is None else named.get(given[1], ()):
            if not taker.routine.ran:
                yield taker, _HANDED * node.score


def _innermost(node: Node) -> Node | None:
    """
    The function itself or one inside it that has most of what speaks for it; None for one inside another that
    is named in its place.
    """
    above = node.parent
    while above is not None and above.score > 0:
        alone = node.routine.ran and not node.routine.before
        if node.score < (_HOLDS_MOST if not alone else _HOLDS_SOME) * above.score:
            return None
        above = above.parent
    inside = [child for child in node.children if child.score >= _HOLDS_MOST * node.score]
    return None if inside else node


def _suspect(script: RunScript, lines: Sequence[int], node: Node) -> Suspect:
    routine = node.routine
    why = Why.SENT if node.sent else Why.RAN if routine.ran else Why.NAMES
    return Suspect(
        position_in(script, lines, routine.begin), node.score, why, (node.script, routine.begin, routine.end)
    )
