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
from reticle.domain.suspects import position_of
from reticle.model.runs import Position, RunScript
from reticle.model.verdict import Held, Outcome

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_SHORTEST: Final = 4
_KEYED: Final = r"[\w$]+[\"']?\s*:\s*[\"'`]"
"""What stands before a text in a table: its key."""


def table_of(scripts: Sequence[RunScript], claim: Mapping[str, object], outcome: Outcome) -> Position | None:
    """
    Where a text of the claim that is there stands under a key outside of all functions, where one that is not
    there stands nowhere in the app's scripts; None where there is no such table or all texts are known.

    Args:
        scripts: The app's own, as they run.
        claim: As canonical JSON.
        outcome: The claim's.
    """
    leaves = list(leaves_with(claim, outcome))
    missing = [text for leaf, came in leaves if came.held is not Held.YES for text in _texts(leaf)]
    there = [text for leaf, came in leaves if came.held is Held.YES for text in _texts(leaf)]
    if not any(_is_nowhere(text, scripts) for text in missing):
        return None
    for number, script in enumerate(scripts):
        tree = tree_of(number, script)
        begins = [node.routine.begin for node in tree]
        for text in there:
            for found in re.finditer(_KEYED + re.escape(text) + r"[\"'`]", script.text):
                inner = node_at(tree, begins, found.start())
                if inner is None or is_whole(inner, scripts):
                    return position_of(script, found.start())
    return None


def _is_nowhere(text: str, scripts: Sequence[RunScript]) -> bool:
    """
    Whether no script has a text; what is a number in it may be put in when it is shown.
    """
    parts = [part for part in _NUMBER.split(text) if len(part.strip()) >= _SHORTEST]
    return bool(parts) and not any(part in script.text for script in scripts for part in parts)


def _texts(leaf: Mapping[str, object]) -> Iterator[str]:
    query = leaf.get("query")
    named = query.get("name") if isinstance(query, Mapping) else None
    for text in (leaf.get("contains") if leaf.get("kind") == "text" else None, named):
        if isinstance(text, str) and len(text) >= _SHORTEST and not leaf.get("absent"):
            yield text
