"""
The words of which a claim says that they are shown.
"""

from __future__ import annotations

from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Element, Text


def claimed_words(predicate: Predicate | None) -> tuple[str, ...]:
    """
    What texts and elements are claimed to say, in the order of the claim; without those that are to be gone.
    """
    words: list[str] = []
    for leaf in asserted(predicate):
        if isinstance(leaf, Text) and not leaf.absent:
            words.append(leaf.contains)
        elif isinstance(leaf, Element) and not leaf.absent:
            by_text = leaf.query.get("value") if leaf.query.get("by") == "text" else None
            told = (leaf.query.get("text"), leaf.query.get("name"), by_text)
            words += [said for said in told if isinstance(said, str)]
    return tuple(words)
