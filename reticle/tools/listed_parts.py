"""
Long lists of one answer, a part at a time: each part ends with what to ask for the next one.

The cursor is the id of the entry that the part ended with, so that what comes and goes meanwhile neither
repeats nor hides an entry; one that is in the list no more is refused instead of guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode

T = TypeVar("T")


def part_behind(
    known: Sequence[T],
    after: str | None,
    limit: int,
    *,
    name: Callable[[T], str],
    wanted: Callable[[T], bool] = lambda _: True,
) -> tuple[Sequence[T], Mapping[str, object] | None]:
    """
    The wanted entries behind one, and the arguments that give the next part; None at the end.

    Args:
        known: The whole list in its order, which two calls share.
        after: The cursor; None begins.
        limit: How many.
        name: The id of an entry.
        wanted: Which entries are shown.

    Raises:
        Refusal: ``bad_arguments`` for a cursor that names no entry; to list from the start makes sense.
    """
    start = 0
    if after is not None:
        start = 1 + next((place for place, entry in enumerate(known) if name(entry) == after), len(known))
        if start > len(known):
            raise Refusal(
                RefusalCode.BAD_ARGUMENTS,
                "after names no entry of this list, or one that is gone meanwhile",
                "Take it from next of an earlier answer, or list from the start.",
            )
    found = list(islice(filter(wanted, known[start:]), limit + 1))
    if len(found) <= limit:
        return found, None
    return found[:limit], {"after": name(found[limit - 1])}
