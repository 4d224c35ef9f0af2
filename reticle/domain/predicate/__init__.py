"""
The language of expectations: read strictly, evaluated purely over a recorded window.

``parse`` → ``questions`` (what the live page must be asked) → ``evaluate``. The grammar is a table
(``GRAMMAR``); what an outcome means for a verdict is ``domain.ladder``'s.
"""

from __future__ import annotations

from reticle.domain.predicate.canonical import as_json, kind_name
from reticle.domain.predicate.evaluate import evaluate
from reticle.domain.predicate.grammar import GRAMMAR
from reticle.domain.predicate.kinds import Predicate, declared, leaves
from reticle.domain.predicate.parse import parse
from reticle.domain.predicate.questions import questions
from reticle.domain.predicate.reference import reference_page

__all__ = [
    "GRAMMAR",
    "Predicate",
    "as_json",
    "declared",
    "evaluate",
    "kind_name",
    "leaves",
    "parse",
    "questions",
    "reference_page",
]
