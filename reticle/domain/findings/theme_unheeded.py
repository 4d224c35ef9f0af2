"""
The page says that it is dark now, or light, and nothing of it is.

Claim: the action switched the document's root to the other scheme (an attribute such as ``data-theme``, a
class, ``color-scheme``). Counter-evidence: its colours are those from before, and each text that can be read
for certain is still dark on light, or light on dark.
Tier: a doubt, for the page may mean something else by the word.
Guards (the page's and ours): pages of which too little can be told, pictures and gradients behind texts,
forced colours, transitions that run, style sheets under way, a claim about style.
"""

from __future__ import annotations

from typing import Final

from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Element
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "theme-unheeded"

_DRAWN: Final = {"dark": "dark on light", "light": "light on dark"}
"""How the texts of a page are drawn that does not have the scheme."""


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    At most one finding.
    """
    pending = window.pending
    if window.action is None or pending is None or pending.unheeded is None:
        return ()
    if pending.animations or pending.loads or any(_is_of_style(leaf) for leaf in asserted(predicate)):
        return ()
    scheme, selector = pending.unheeded.scheme, pending.unheeded.selector
    claim = f"the page says that it is {scheme} now"
    counter = f"no colour of it changed, and its texts are {_DRAWN.get(scheme, 'otherwise')}"
    detail = {"scheme": scheme} if selector is None else {"scheme": scheme, "rule": selector}
    return (Finding(KIND, FindingTier.ABSENCE, claim, counter, detail),)


def _is_of_style(leaf: Predicate) -> bool:
    return isinstance(leaf, Element) and leaf.style is not None
