"""
What a gate finds missing.
"""

from __future__ import annotations

from enum import StrEnum

import attrs

from reticle.model.ids import VerdictId


class LackKind(StrEnum):
    """Why a verdict does not count, or that there is none."""

    NO_VERDICT = "no_verdict"
    UNKNOWN_VERDICT = "unknown_verdict"
    OTHER_PRINCIPAL = "other_principal"
    NOT_YES = "not_yes"
    OTHER_CLAIM = "other_claim"
    NO_PROVENANCE = "no_provenance"
    BEFORE_CLAIM = "before_claim"
    OTHER_REPOSITORY = "other_repository"
    UNATTESTED = "unattested"
    OTHER_ADDRESS = "other_address"
    TREE_UNKNOWN = "tree_unknown"
    EDITED_MEANWHILE = "edited_meanwhile"
    EDITED_SINCE = "edited_since"
    HIDDEN_FILES = "hidden_files"
    STALE_PAGE = "stale_page"
    STALE_SERVER = "stale_server"
    STALE_BROWSER = "stale_browser"
    FORGEABLE_FACTS = "forgeable_facts"
    SERVED_ELSEWHERE = "served_elsewhere"
    SERVER_UNKNOWN = "server_unknown"


@attrs.frozen
class Lack:
    """
    One thing that is not shown: for which required claim (its place in the plan, from 0), in words, and what
    to do next. ``verdict_id`` is the verdict that came nearest, None where none was named.
    """

    kind: LackKind
    required: int
    message: str
    next_step: str
    verdict_id: VerdictId | None = None
