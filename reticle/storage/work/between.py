"""
What daemons on one database say to each other of the work: whom to wake.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from reticle.model.ids import RunId

WORK: Final = "work"
"""How a subject of ``dialect.tell`` begins that concerns the work."""


@attrs.frozen
class Told:
    """
    Who is to be woken once the transaction is committed; ``role`` None: the whole run.
    """

    run_id: RunId
    role: str | None
    count: int


def subjects_of(told: Sequence[Told]) -> Sequence[str]:
    """
    One subject for each role of a run, and one for a run of which everybody is woken.
    """
    counts: dict[tuple[RunId, str | None], int] = {}
    for each in told:
        counts[each.run_id, each.role] = counts.get((each.run_id, each.role), 0) + each.count
    return [f"{WORK} {run_id} {count} {role or ''}" for (run_id, role), count in counts.items()]


def told_in(subject: str) -> Told | None:
    """
    Who is to be woken by a subject; None where it concerns something else, or is of a version we do not know.
    """
    words = subject.split(" ", 3)
    if len(words) != 4 or words[0] != WORK or not words[2].isdigit():
        return None
    return Told(RunId(words[1]), words[3] or None, int(words[2]))
