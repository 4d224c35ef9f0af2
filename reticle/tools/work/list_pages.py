"""
Lists a part at a time: where one answer ends, the next goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, TypeAlias, TypeVar

from msgspec import Meta

from reticle.domain.work.calling import WorkCaller
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.work import Artifact, Blocker, Packet, Run, WorkSession
from reticle.ports import WorkReading
from reticle.tools.fields import told
from reticle.tools.work.calls import Name

T = TypeVar("T")
C = TypeVar("C", bound=Run | WorkSession | Artifact | Packet | Blocker)

After: TypeAlias = Annotated[Name | None, Meta(description="next_cursor of the last answer; goes on there.")]


def part_of(
    found: Sequence[T], limit: int, cursor_of: Callable[[T], object]
) -> tuple[Sequence[T], Mapping[str, object]]:
    """
    What one answer shows of a list that was read one further than that, and the fields that say how it goes
    on.
    """
    shown = found[:limit]
    if len(found) <= limit:
        return shown, {}
    return shown, told(truncated=True, next_cursor=cursor_of(shown[-1]))


def behind(
    book: WorkReading, caller: WorkCaller, after: str | None, find: Callable[[str], C | None]
) -> C | None:
    """
    The thing that a cursor names, None where there is no cursor.

    Raises:
        Refusal: ``bad_arguments`` for one that names none any more, or another repository's.
    """
    if after is None:
        return None
    found = find(after)
    run = None if found is None else book.run(found.run_id)
    if run is None or run.repository_id != caller.repository_id:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "after names nothing that is there. Nothing ran.",
            "Pass next_cursor of the last answer as it was, or begin again without after.",
        )
    return found
