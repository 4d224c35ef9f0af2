"""
What the functions of a page speak of, of what a claim speaks of.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final

from reticle.domain.claim_words import ClaimWords, stems
from reticle.domain.routine_tree import CALL, Node, calls_in, is_whole, node_at, only_calls
from reticle.model.runs import RunScript

OWN_NAME: Final = 1.5
"""What a word of the claim is worth in a function's own name."""

_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$]*")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_KEY: Final = re.compile(r"([A-Za-z_$][\w$]*)[\"']?\s*:\s*[\"'`][^\"'`\n]*$")
_KEY_CHARS: Final = 100
_TEXT_CHARS: Final = 4
_QUOTES: Final = "\"'`"
_MENTIONED: Final = 0.5
_LONG_CHARS: Final = 300

_STRONG: Final = 0.9
_MAKES: Final = " makes what is shown"
_MAKES_SHARE: Final = 0.7
"""What a phrase that failed is worth for a function that is called on its line."""

_WRAPPED: Final = 2
"""Functions that only call another which are seen through to what does the work."""


def mark_words(scripts: Sequence[RunScript], trees: Sequence[Sequence[Node]], words: ClaimWords) -> None:
    """
    Note with each function what it speaks of.

    Args:
        scripts: Those that run.
        trees: The functions of each.
        words: What the claim speaks of.
    """
    phrases, wanted = dict(words.phrases), words.words
    for key, weight in [found for script in scripts for found in _keys(script.text, words.phrases)]:
        for quoted in (f'"{key}"', f"'{key}'", f"`{key}`", f".{key}"):
            phrases[quoted] = max(phrases.get(quoted, 0.0), weight)
    everywhere: dict[str, list[Node]] = {}
    for node in (node for tree in trees for node in tree if node.routine.name):
        everywhere.setdefault(node.routine.name, []).append(node)
    for number, tree in enumerate(trees):
        hits = _hits(scripts[number].text, phrases, wanted)
        _mark_hits(scripts, number, tree, hits, everywhere=everywhere, phrases=phrases)
        for node in tree:
            for stem in stems(node.routine.name):
                if stem in wanted:
                    _mark(node, stem, wanted[stem] * OWN_NAME)


def _mark_hits(
    scripts: Sequence[RunScript],
    number: int,
    tree: Sequence[Node],
    hits: Iterable[tuple[int, str, float]],
    *,
    everywhere: Mapping[str, Sequence[Node]],
    phrases: Container[str],
) -> None:
    """
    Note what stands in a script with the functions around, and a phrase also with what is called beside it.
    """
    text = scripts[number].text
    begins = [node.routine.begin for node in tree]
    named = {node.routine.name: node for node in tree if node.routine.name}
    for offset, term, weight in hits:
        inner = node_at(tree, begins, offset)
        if inner is None or is_whole(inner, scripts):
            for other, share in _beside(text, offset, tree, begins, named):
                _mark(other, term, weight * share)
        else:
            _mark(inner, term, weight)
        if term in phrases and weight >= _STRONG and text[max(offset - 1, 0)] in _QUOTES:
            _mark_makers(scripts, everywhere, _called_on_line(text, offset), inner, weight)


def _mark_makers(
    scripts: Sequence[RunScript],
    everywhere: Mapping[str, Sequence[Node]],
    called: Iterable[str],
    inner: Node | None,
    weight: float,
) -> None:
    """
    What is called beside the name of an element makes what it shows; those around it do not.
    """
    for callee in (node for name in called for node in _behind(scripts, everywhere, name)):
        if callee is not inner:
            callee.terms[_MAKES] = max(callee.terms.get(_MAKES, 0.0), weight * _MAKES_SHARE)


def _hits(
    text: str, phrases: Mapping[str, float], wanted: Mapping[str, float]
) -> Iterator[tuple[int, str, float]]:
    for phrase, weight in phrases.items():
        at = text.find(phrase)
        while at >= 0:
            yield at, phrase, weight
            at = text.find(phrase, at + len(phrase))
    spoken: dict[str, list[str]] = {}
    for found in _IDENTIFIER.finditer(text):
        name = found[0]
        if name not in spoken:
            spoken[name] = [stem for stem in stems(name) if stem in wanted]
        for stem in spoken[name]:
            yield found.start(), stem, wanted[stem] / 2


def _behind(
    scripts: Sequence[RunScript], named: Mapping[str, Sequence[Node]], name: str, depth: int = _WRAPPED
) -> Iterator[Node]:
    """
    The functions of a name, and those behind them where they only call others.
    """
    for node in named.get(name, ()):
        text = scripts[node.script].text
        yield node
        if depth and only_calls(text, node):
            for inner in calls_in(text, node, named):
                yield from _behind(scripts, named, inner, depth - 1)


def _keys(text: str, phrases: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """
    Of texts that stand in a table the keys that they are asked for by; numbers may be made when it is shown.
    """
    for phrase, weight in phrases.items():
        parts = [part for part in _NUMBER.split(phrase) if part.strip()]
        if weight < _STRONG or len(phrase) < _TEXT_CHARS or not parts:
            continue
        at = text.find(parts[0])
        while at >= 0:
            end = text.find("\n", at)
            rest = text[at : min(end if end >= 0 else len(text), at + _LONG_CHARS)]
            held = _KEY.search(text, max(text.rfind("\n", 0, at), at - _KEY_CHARS, 0), at)
            if held is not None and all(part in rest for part in parts):
                yield held[1], weight
            at = text.find(parts[0], at + 1)


def _called_on_line(text: str, offset: int) -> set[str]:
    """
    The functions that are called on the line of a place, and that are not many: what a value is made by
    stands beside the name of the element that shows it.
    """
    first = text.rfind("\n", 0, offset) + 1
    last = text.find("\n", offset)
    last = len(text) if last < 0 else last
    return set(CALL.findall(text, first, last)) if last - first <= _LONG_CHARS else set()


def _beside(
    text: str, offset: int, tree: Sequence[Node], begins: Sequence[int], named: Mapping[str, Node]
) -> Iterator[tuple[Node, float]]:
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


def _mark(node: Node, term: str, weight: float) -> None:
    above: Node | None = node
    while above is not None:
        above.terms[term] = max(above.terms.get(term, 0.0), weight)
        above = above.parent
