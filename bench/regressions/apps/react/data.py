"""
What the tracker begins with.
"""

from __future__ import annotations

from typing import Any

USERS = {
    "ana": {"id": "ana", "name": "Ana", "role": "admin"},
    "ben": {"id": "ben", "name": "Ben", "role": "member"},
    "vera": {"id": "vera", "name": "Vera", "role": "viewer"},
}
RATES = {"ana": 8_000, "ben": 6_500, "vera": 5_200}
"""Cents an hour."""

_TASKS = (
    ("Write the release notes", "doing", "ana", "2026-03-02T17:00:00Z", 90),
    ("Fix the login redirect", "open", "ben", "2026-03-03T22:30:00Z", 240),
    ("Translate the help pages", "open", "vera", "2026-03-04T09:00:00Z", 600),
    ("Order new test phones", "done", "ana", "2026-03-05T12:00:00Z", 60),
    ("Upgrade the database", "open", "ben", "2026-03-06T08:00:00Z", 480),
    ("Move the blog", "open", "ana", "2026-03-09T17:00:00Z", 300),
    ("Clean up the icons", "done", "ben", "2026-03-10T17:00:00Z", 120),
    ("Draw the new logo", "doing", "vera", "2026-03-11T17:00:00Z", 720),
    ("Plan the sprint", "open", "ana", "2026-03-12T09:30:00Z", 120),
    ("Review the contract", "open", "ben", "2026-03-13T17:00:00Z", 180),
    ("Call the printer", "done", "vera", "2026-03-16T11:00:00Z", 30),
    ("Write tests for search", "doing", "ben", "2026-03-17T17:00:00Z", 360),
    ("Archive old invoices", "open", "ana", "2026-03-18T17:00:00Z", 90),
    ("Paint the meeting room", "open", "vera", "2026-03-19T17:00:00Z", 480),
)
BLOCKED = {6: 5}
"""Task by the task that has to be done before."""

REPORTS = {
    "2026-01": {"ana": 1_200, "ben": 2_400, "vera": 600},
    "2026-02": {"ana": 1_500, "ben": 900, "vera": 2_130},
    "2026-03": {"ana": 660, "ben": 1_380, "vera": 1_830},
}
"""Minutes by month and person."""


def tasks() -> dict[int, dict[str, Any]]:
    """
    The tasks by id.
    """
    names = ("title", "status", "assignee", "due", "minutes")
    return {
        number: {"id": number, **dict(zip(names, values, strict=True)), "reviewer": None}
        for number, values in enumerate(_TASKS, 1)
    }


def comments() -> dict[int, list[dict[str, Any]]]:
    """
    The comments by task.
    """
    first = {"id": 1, "by": "Ben", "words": "Happens in Safari only.", "at": "2026-02-27T10:15:00Z"}
    return {2: [first]}
