"""
What a reviewer may say, in whatever words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import ArtifactId, VerdictId
from reticle.model.work_words import ReviewOutcome

_SYNONYMS: Final[Mapping[ReviewOutcome, frozenset[str]]] = {
    ReviewOutcome.ACCEPT: frozenset({
        "accept", "accepted", "approve", "approved", "lgtm", "ok", "pass", "passed", "yes",
    }),
    ReviewOutcome.ACCEPT_WITH_FINDINGS: frozenset({
        "accept_with_findings", "accepted_with_findings", "approve_with_findings", "approved_with_findings",
        "accept_with_comments", "approve_with_comments", "approved_with_comments", "accept_with_notes",
        "approve_with_suggestions",
    }),
    ReviewOutcome.NEEDS_REVISION: frozenset({
        "needs_revision", "revision", "revise", "revision_needed", "needs_changes", "needs_work", "rework",
        "request_changes", "requested_changes", "changes_requested", "request_revision",
    }),
    ReviewOutcome.REJECT: frozenset({"reject", "rejected", "deny", "denied", "fail", "failed", "decline"}),
}  # fmt: skip
"""Words of agents and code hosts for the four outcomes."""


@attrs.frozen
class Decision:
    """
    What a reviewer decides: with which findings (an artifact of this attempt), why, and by which verdicts.
    """

    outcome: ReviewOutcome
    rationale: str = ""
    findings_artifact_id: ArtifactId | None = None
    verdict_ids: Sequence[VerdictId] = ()


def outcome_of(word: str) -> ReviewOutcome:
    """
    What a reviewer's word means.

    Raises:
        Refusal: ``bad_arguments`` for a word that means none of the four.
    """
    spelled = re.sub(r"[\s-]+", "_", word.strip().lower())
    for outcome, words in _SYNONYMS.items():
        if spelled in words:
            return outcome
    raise Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"{word[:80]!r} is no decision of a review. Nothing was decided.",
        f"Give one of {', '.join(ReviewOutcome)}.",
    )
