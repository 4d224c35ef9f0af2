"""
How long a token counts, as people say it.
"""

from __future__ import annotations

import pytest

from reticle.domain.lifetimes import end_of_life, end_unless_said, moment_of
from reticle.errors import Refusal

NOW = 1_900_000_000.0
DAY = 86_400


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        (90, 90),
        ("90", 90),
        ("1h", 3_600),
        (" 1H30M ", 5_400),
        ("30d", 30 * DAY),
        ("1d2h3m4s", DAY + 7_384),
        ("366d", 366 * DAY),
    ],
)
def test_a_duration_is_said_in_seconds_or_parts(given: str | int, seconds: int) -> None:
    """
    ``--expires-in 1h`` and 3600 are the same life.
    """
    assert end_of_life(NOW, expires_in=given) == NOW + seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2030-03-17T17:46:41Z", 1),
        ("2030-03-17t17:46:41z", 1),
        ("2030-03-17T18:46:41+01:00", 1),
        ("2030-03-17T17:46:41.500Z", 1.5),
    ],
)
def test_a_moment_is_said_with_its_offset(text: str, seconds: float) -> None:
    """
    The end is the same moment in whatever zone it was written.
    """
    assert end_of_life(NOW, expires_at=text) == NOW + seconds


@pytest.mark.parametrize(
    "given",
    [
        {"expires_in": ""},
        {"expires_in": "0"},
        {"expires_in": "soon"},
        {"expires_in": "1h 30m"},
        {"expires_in": "30m1h"},
        {"expires_in": "-1h"},
        {"expires_in": -5},
        {"expires_in": "٣h"},
        {"expires_in": "367d"},
        {"expires_in": "9" * 40},
        {"expires_at": "2030-03-17"},
        {"expires_at": "2030-03-17T17:46:41"},
        {"expires_at": "2001-01-01T00:00:00Z"},
        {"expires_at": "9999-12-31T23:59:59-23:59"},
        {"expires_at": "tomorrow"},
        {"expires_at": "2030-03-17T17:46:41Z", "expires_in": "1h"},
    ],
)
def test_what_is_no_life_is_refused(given: dict[str, str]) -> None:
    """
    A misread life would make a token that ends too late; what is not plain is refused with examples.
    """
    with pytest.raises(Refusal) as told:
        end_of_life(NOW, **given)
    assert told.value.code == "bad_arguments"
    assert "1h30m" in told.value.recovery


def test_a_life_that_nobody_named_is_an_hour() -> None:
    """
    A token that somebody made in haste ends by itself.
    """
    assert end_of_life(NOW) is None
    assert end_unless_said(NOW, None) == NOW + 3_600
    assert end_unless_said(NOW, NOW + 5) == NOW + 5


def test_times_are_told_in_one_form() -> None:
    """
    What an answer says can be given back as ``expires_at``.
    """
    assert moment_of(None) is None
    assert moment_of(NOW + 1.9) == "2030-03-17T17:46:41Z"
    assert end_of_life(NOW, expires_at=moment_of(NOW + 1.9)) == NOW + 1
