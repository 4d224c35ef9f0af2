"""
The table that a text is missing from, such as the words of a language: a text that is claimed and not there
is looked for beside those of the same claim that are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reticle.domain.claim_words import leaves_with
from reticle.domain.routine_tree import is_whole, node_at, tree_of
from reticle.domain.script_positions import position_of
from reticle.model.runs import Position, RunScript
from reticle.model.verdict import Held, Outcome

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_SHORTEST: Final = 4
_DATA: Final = ("net", "state", "rows")
_QUOTES: Final = ('"', "'", "`")
_KEY: Final = re.compile(r"[\w$][\"']?\s*:\s*[\"'`]$")
"""What stands before a text in a table: its key."""

_KEY_BEFORE: Final = re.compile(r"([A-Za-z_$][\w$]*)[\"']?\s*:\s*[\"'`]$")
_KEY_CHARS: Final = 40
_PUT_IN: Final = re.compile(r"\d|[{$%]")
"""Where something is put into a text: ``Comments ({n})``, ``%s left``."""


def table_of(
    scripts: Sequence[RunScript],
    claim: Mapping[str, object],
    outcome: Outcome,
    answered: Sequence[str] = (),
) -> Position | None:
    """
    Where a text of the claim stands under a key outside of all functions, one that is there before others,
    where one that is not there stands nowhere in the app's scripts; None where there is no such table or all
    texts are known.

    Args:
        scripts: The app's own, as they run.
        claim: As canonical JSON.
        outcome: The claim's.
        answered: What servers answered; a text that they tell is in no table of the page's.
    """
    leaves = list(leaves_with(claim, outcome))
    missing = [text for leaf, came in leaves if came.held is not Held.YES for text in _texts(leaf)]
    there = [text for leaf, came in leaves if came.held is Held.YES for text in _texts(leaf)]
    there += missing  # where a missing word made the page fall over, none is shown of those beside it
    if any(came.held is not Held.YES and leaf.get("kind") in _DATA for leaf, came in leaves):
        return None  # what is missing may be data that never came
    missing = [text for text in missing if not any(text in body for body in answered)]
    if not any(_is_nowhere(text, scripts) for text in missing):
        return None
    for script in scripts:
        for text in there:
            at = next((at for at in _keyed(script.text, text) if _is_outside(script, at)), None)
            if at is not None:
                return position_of(script, at)
    return None


def said_itself(
    scripts: Sequence[RunScript], claim: Mapping[str, object], outcome: Outcome
) -> Position | None:
    """
    The function that says a text itself which is asked for by a key elsewhere: where a text of the claim is
    not there and stands in a table, what another table has under its key stands in a function. None where
    nothing does.

    Args:
        scripts: The app's own, as they run.
        claim: As canonical JSON.
        outcome: The claim's.
    """
    failed = [(leaf, came) for leaf, came in leaves_with(claim, outcome) if came.held is not Held.YES]
    if any(leaf.get("kind") in _DATA for leaf, _ in failed):
        return None
    heads = {_head(text) for leaf, _ in failed for text in _texts(leaf)} - {""}
    others = {
        _head(other)
        for script in scripts
        for head in heads
        for key in keys_of(script.text, head)
        for elsewhere in scripts
        for other in _values(elsewhere.text, key)
    } - {""}
    for script in scripts:
        for head in sorted(others - heads):
            for found in re.finditer(rf"[\"'`>]{re.escape(head)}", script.text):
                if not _is_outside(script, found.start()):
                    return position_of(script, found.start())
    return None


def _head(text: str) -> str:
    """
    What a text begins with, up to what is put in; empty where that is too little to know it by.
    """
    head = _PUT_IN.split(text)[0]
    return head if len(head.strip()) >= _SHORTEST else ""


def keys_of(code: str, head: str) -> Iterator[str]:
    """
    The keys under which texts with such a beginning stand.
    """
    at = code.find(head)
    while at >= 0:
        found = _KEY_BEFORE.search(code, max(at - _KEY_CHARS, 0), at)
        if found is not None:
            yield found[1]
        at = code.find(head, at + len(head))


def _values(code: str, key: str) -> Iterator[str]:
    """
    The texts under a key.
    """
    for found in re.finditer(rf"(?<![\w$.]){re.escape(key)}[\"']?\s*:\s*[\"'`]([^\"'`\n]*)", code):
        yield found[1]


def _keyed(code: str, text: str) -> Iterator[int]:
    """
    Where a text stands whole behind a key; found by the text itself, for a bundle has a million characters.
    """
    at = code.find(text)
    while at >= 0:
        end = at + len(text)
        if code[end : end + 1] in _QUOTES and _KEY.search(code, max(at - _KEY_CHARS, 0), at):
            yield at
        at = code.find(text, end)


def _is_outside(script: RunScript, offset: int) -> bool:
    """
    Whether a place is outside of all functions.
    """
    tree = tree_of(0, script)
    inner = node_at(tree, [node.routine.begin for node in tree], offset)
    return inner is None or is_whole(inner, [script])


def _is_nowhere(text: str, scripts: Sequence[RunScript]) -> bool:
    """
    Whether no script has a text; what is a number in it may be put in when it is shown.
    """
    parts = [part for part in _NUMBER.split(text) if len(part.strip()) >= _SHORTEST]
    return bool(parts) and not any(part in script.text for script in scripts for part in parts)


def _texts(leaf: Mapping[str, object]) -> Iterator[str]:
    query = leaf.get("query")
    named = [query.get("name"), query.get("text")] if isinstance(query, Mapping) else []
    for text in (leaf.get("contains") if leaf.get("kind") == "text" else None, *named):
        if isinstance(text, str) and len(text) >= _SHORTEST and not leaf.get("absent"):
            yield text
