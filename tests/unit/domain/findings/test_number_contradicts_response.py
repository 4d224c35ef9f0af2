"""
``number-contradicts-response``: the answer says one number, the page another one behind the same name.
"""

from __future__ import annotations

import json

import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.number_contradicts_response import KIND
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder


def found(builder: WindowBuilder) -> list[Finding]:
    return [finding for finding in find_all(builder.build(), None) if finding.kind == KIND]


def answered(body: object, *texts: str) -> WindowBuilder:
    """
    An answer, and the texts that came up after it.
    """
    builder = WindowBuilder().click().net("POST", "/api/votes", 200, responseBody=json.dumps(body))
    for text in texts:
        builder.event("dom.text", {"text": text, "old": ""}, ref="e9")
    return builder


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"pointsLeft": 12}, "Points left: 21"),
        ({"points_left": 12}, "POINTS LEFT: 7"),
        ({"user": {"openTasks": 4}}, "Hello Anna. Open tasks: 9"),
        ({"votes": 1250}, "Votes: 1,520"),
        ({"averageRating": 4.5}, "Average rating: 5.4"),
    ],
)
def test_another_number_behind_the_name_casts_doubt(body: object, text: str) -> None:
    """
    The verdict is unknown, and says what the answer has and what the page shows.
    """
    (finding,) = found(answered(body, text))
    assert finding.tier is FindingTier.ABSENCE
    assert "POST /api/votes 200 has" in finding.claim
    assert text.rpartition(" ")[2] in finding.counter


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"pointsLeft": 12}, "Points left: 12"),
        ({"votes": 1250}, "Votes: 1,250"),
        ({"votes": 1250}, "Votes: 1.250"),
        ({"averageRating": 4.46}, "Average rating: 4.5"),
        ({"waitingTime": 90}, "Waiting time: 1.5"),
        ({"voteIndex": 0}, "Vote index: 1"),
        ({"pointsLeft": 12, "pointsSpent": 8}, "Points left: 20"),
        ({"pointsLeft": 12, "games": [1, 2, 3]}, "Points left: 4"),
        ({"votes": 12000}, "Votes: 13k"),
        ({"votes": 12}, "Votes: 14 %"),
        ({"votes": 12}, "Votes: 14 of 20"),
        ({"votes": 12}, "Votes 14"),
        ({"votes": 12}, "Your votes: 14"),
        ({"count": 12}, "Count: 14"),
        ({"id": 12}, "Id: 14"),
        ({"rows": [{"votes": 12}, {"votes": 14}]}, "Votes: 99"),
        ([{"votes": 12}], "Votes: 99"),
    ],
)
def test_what_the_number_explains_or_the_name_does_not_is_no_contradiction(body: object, text: str) -> None:
    """
    Near misses: other spellings and units, sums of two, short forms, rows, names that are not the same.
    """
    assert found(answered(body, text)) == []


def test_a_number_that_is_counted_up_or_put_right_is_let_be() -> None:
    """
    And so is a list that shows the same name for each row.
    """
    assert found(answered({"votes": 12}, "Votes: 3", "Votes: 9", "Votes: 12")) == []
    assert found(answered({"votes": 12}, "Votes: 3", "Votes: 9")) == []


def test_what_was_shown_before_the_answer_is_not_its_number() -> None:
    """
    The old number is there until the new one comes.
    """
    builder = WindowBuilder().click().event("dom.text", {"text": "Votes: 3", "old": ""}, ref="e9").wait(500)
    assert found(builder.net("POST", "/api/votes", 200, responseBody='{"votes": 12}')) == []


@pytest.mark.parametrize("took_ms", [50, 700])
def test_a_number_that_was_foreseen_and_never_put_right_casts_doubt(took_ms: int) -> None:
    """
    The page shows 21 votes before the answer says 12, and nothing is drawn after it, however late it comes.
    """
    builder = WindowBuilder().click().pending("POST", "/api/votes")
    builder.event("dom.text", {"text": "Votes: 21", "old": ""}, ref="e9").wait(took_ms)
    builder.answered("n1", "POST", "/api/votes", 200, responseBody='{"votes": 12}')
    (finding,) = found(builder)
    assert finding.tier is FindingTier.ABSENCE
    put_right = builder.event("dom.text", {"text": "Votes: 12", "old": "Votes: 21"}, ref="e9")
    assert found(put_right) == []
