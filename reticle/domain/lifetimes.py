"""
How long a capability token is to count: said as a moment or as a duration, told as a moment.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from typing import Final

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import TOKEN_LIFE_SECONDS, TOKEN_LONGEST_LIFE_SECONDS

_PARTS: Final = re.compile(r"(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?", re.ASCII)
_SECONDS: Final = (86_400, 3_600, 60, 1)
_HOW: Final = 'Give expires_in such as "1h", "30d" or "1h30m", or expires_at such as "2030-01-31T12:00:00Z".'


def end_of_life(
    now: float, *, expires_at: str | None = None, expires_in: str | int | None = None
) -> float | None:
    """
    When what was asked for ends, in seconds since the epoch; None when nothing was asked for.

    Args:
        now: Seconds since the epoch.
        expires_at: A moment of RFC 3339, with its offset.
        expires_in: Seconds, also as a text of digits, or a duration such as ``1h30m``.

    Raises:
        Refusal: ``bad_arguments`` for both, for what is neither, and for an end that is past or further away
            than ``TOKEN_LONGEST_LIFE_SECONDS``.
    """
    if expires_at is not None and expires_in is not None:
        raise _bad("expires_at and expires_in are two answers to one question")
    if expires_at is None and expires_in is None:
        return None
    end = _moment(expires_at) if expires_at is not None else now + _duration(str(expires_in))
    if end <= now:
        raise _bad("that end is past")
    if end > now + TOKEN_LONGEST_LIFE_SECONDS:
        raise _bad(f"that end is more than {TOKEN_LONGEST_LIFE_SECONDS // 86_400} days away")
    return end


def end_unless_said(now: float, end: float | None) -> float:
    """
    The end of a new token: the one that was asked for, else after ``TOKEN_LIFE_SECONDS``.
    """
    return now + TOKEN_LIFE_SECONDS if end is None else end


def moment_of(seconds: float | None) -> str | None:
    """
    A time as RFC 3339, to the second; None stays None.
    """
    if seconds is None:
        return None
    moment = dt.datetime.fromtimestamp(math.floor(seconds), dt.UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _moment(text: str) -> float:
    try:
        moment = dt.datetime.fromisoformat(text.upper())
    except ValueError:
        raise _bad(f"expires_at {text[:40]!r} is no moment") from None
    if moment.tzinfo is None or "T" not in text.upper():
        raise _bad(f"expires_at {text[:40]!r} does not say which day and hour it means everywhere")
    try:
        return moment.timestamp()
    except (OverflowError, ValueError):
        raise _bad(f"expires_at {text[:40]!r} is no moment") from None


def _duration(text: str) -> float:
    text = text.strip().lower()
    if text.isascii() and text.isdigit() and len(text) <= 12:
        return float(text)
    parts = _PARTS.fullmatch(text)
    if parts is None or not text:
        raise _bad(f"expires_in {text[:40]!r} is no duration")
    return float(
        sum(int(part) * unit for part, unit in zip(parts.groups(), _SECONDS, strict=True) if part is not None)
    )


def _bad(message: str) -> Refusal:
    return Refusal(RefusalCode.BAD_ARGUMENTS, f"{message}. Nothing ran.", _HOW)
