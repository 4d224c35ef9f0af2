"""
Writes to different tables as one statement, so that a change costs the server and us one in place of many.

They do not see one another, so two writes to one table are never joined. Those that must meet one row are
checked by the server: the statement fails when one of them met none, and whatever stands behind it on the
way, such as COMMIT, is not done.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from reticle.errors import Refusal

MET_NONE: Final = "22012"
"""The state of a division by zero, by which a joined statement fails when a write met no row."""

_TABLE: Final = re.compile(r"\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)", re.IGNORECASE)
_KNOWN: Final = 512
"""Joined statements whose texts are kept; which columns change makes them differ."""


class Unsent(NamedTuple):
    """
    A statement, with ``?`` for each parameter, that was not sent yet. Of a write: what it raises and how many
    rows it expects, if any number; ``may_fail``: it tries to get locks and gives whether it did.
    """

    text: str
    row: Sequence[Any]
    refused: Callable[[], Refusal] | None = None
    expected: int | None = None
    may_fail: bool = False


def in_groups(unsent: Sequence[Unsent]) -> list[list[Unsent]]:
    """
    The same in their order, with those together that go as one statement.
    """
    found: list[list[Unsent]] = []
    tables: set[str] = set()
    for each in unsent:
        table = _table_of(each.text) if each.expected in (None, 1) else None
        if table is None:
            tables = set()
            found.append([each])
        elif tables and table not in tables:
            tables.add(table)
            found[-1].append(each)
        else:
            tables = {table}
            found.append([each])
    return found


def as_one(group: Sequence[Unsent]) -> tuple[str, Sequence[Any]]:
    """
    A group as one statement with its parameters.
    """
    if not is_joined(group):
        return group[0].text, group[0].row
    row = [value for each in group for value in each.row]
    return _joined(tuple((each.text, each.expected is not None) for each in group)), row


def is_joined(group: Sequence[Unsent]) -> bool:
    """
    Whether a group goes as a statement that checks what it met, which is a SELECT.
    """
    return len(group) > 1 or group[0].expected == 1


@functools.cache
def _table_of(statement: str) -> str | None:
    """
    The table that a statement of ours writes to, or None where it is no write.
    """
    found = _TABLE.match(statement)
    return None if found is None else found[1]


@functools.lru_cache(_KNOWN)
def _joined(writes: Sequence[tuple[str, bool]]) -> str:
    """
    One statement for several writes, with their parameters one behind the other. Those that must meet a row
    name it by its key, so that they meet one at most.
    """
    parts = [
        f"w{number} AS ({text}{' RETURNING 1' if must_meet else ''})"
        for number, (text, must_meet) in enumerate(writes)
    ]
    checked = [f"w{number}" for number, (_text, must_meet) in enumerate(writes) if must_meet]
    outcome = f"1 / count(*) FROM {', '.join(checked)}" if checked else "1"
    return f"WITH {', '.join(parts)} SELECT {outcome}"
