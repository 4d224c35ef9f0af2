"""
Progress as a client sees it.
"""

from __future__ import annotations

import json
from typing import Any

from reticle.dispatch.progress import ToldProgress
from reticle.mcp.versions import REVISIONS
from reticle.model.limits import PROGRESS_SECONDS
from reticle.testing.clock import FakeClock


def told(sent: list[bytes]) -> list[dict[str, Any]]:
    """
    The parameters of each notification.
    """
    return [json.loads(message)["params"] for message in sent]


def test_numbers_grow_and_are_not_too_many() -> None:
    """
    A client sees growing numbers, a few a second, the completion always, and nothing after the end.
    """
    clock = FakeClock()
    sent: list[bytes] = []
    progress = ToldProgress("t", REVISIONS[3], clock, sent.append)
    progress(1, 10, "one")
    progress(2, 10)
    clock.advance(PROGRESS_SECONDS)
    progress(1, 10)
    progress(float("nan"), 10)
    progress(3, 10)
    progress(10, 10, "all")
    progress.stop()
    progress.stop()
    progress(11)
    assert told(sent) == [
        {"progressToken": "t", "progress": 1, "total": 10, "message": "one"},
        {"progressToken": "t", "progress": 3, "total": 10},
        {"progressToken": "t", "progress": 10, "total": 10, "message": "all"},
    ]


def test_the_oldest_revision_has_no_words_for_it() -> None:
    """
    A client that knows no progress text gets the number alone, with its own kind of token.
    """
    sent: list[bytes] = []
    ToldProgress(7, REVISIONS[0], FakeClock(), sent.append)(1, message="x")
    assert told(sent) == [{"progressToken": 7, "progress": 1}]
    assert json.loads(sent[0])["method"] == "notifications/progress"
