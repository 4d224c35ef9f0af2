"""
What of a driven page's scripts ran during an action, and a place that is named because of it.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final

import attrs

AS_SERVED: Final = " (as served)"
"""Behind a place in a script of which nobody knows whether it was built from something else."""


class Why(enum.StrEnum):
    """
    Why a place is named; ``domain.suspects`` has the rules.
    """

    THREW = "threw here"
    LED = "led to the exception"
    FOUND = "the finding is about this line"
    HANDLED = "handled the request"
    HIDES = "hides the element"
    SENT = "request sent here"
    RAN = "ran during the action"
    WRITTEN = "the element is written here"
    RAN_FOR = "ran for the request"
    RENDERED = "the template of the answer"
    READ = "read from the database here"
    NAMES = "speaks of what was claimed"


@attrs.frozen
class Place:
    """
    A place in the app's code, ``where`` as ``file:line[:column]``.
    """

    where: str
    why: Why


@attrs.frozen
class Position:
    """
    A position in a script as it runs, line and column from 1. ``size_bytes`` is the script's length where it
    is known; ``is_inline`` that it stands in the document itself.
    """

    address: str
    line: int
    column: int
    size_bytes: int | None = None
    is_inline: bool = False


@attrs.frozen
class Routine:
    """
    A function of a script: where its text begins and ends, in characters.

    ``ran`` says that it was called since the action began, ``before`` in how many of the stretches before it
    (the load of the document, other actions and what lay between) it was.
    """

    name: str
    begin: int
    end: int
    ran: bool
    before: int


@attrs.frozen
class RunScript:
    """
    A script of the page with its functions. ``text`` has one character for each of JavaScript's.
    ``size_bytes`` is its length as UTF-8, None where it stands in the document itself; there it begins at
    ``first_line`` and ``first_column``, both from 0.
    """

    address: str
    text: str
    routines: Sequence[Routine]
    size_bytes: int | None = None
    first_line: int = 0
    first_column: int = 0
    is_inline: bool = False
