"""
Values of ``reticle.model.work`` as rows and back: the fields are the columns, documents are JSON.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import astuple

from reticle.model.work import (
    Artifact,
    Blocker,
    Dependency,
    Job,
    Message,
    Packet,
    Review,
    Run,
    WorkEvent,
    WorkLease,
    WorkSession,
)

V = TypeVar("V", bound=msgspec.Struct)

TABLES: Final[Mapping[type[msgspec.Struct], str]] = {
    Run: "work_run",
    Job: "work_job",
    Dependency: "work_dependency",
    WorkSession: "work_session",
    Message: "work_message",
    WorkLease: "work_lease",
    Packet: "work_packet",
    Artifact: "work_artifact",
    Review: "work_review",
    Blocker: "work_blocker",
    WorkEvent: "work_event",
}
"""Which table holds the values of a type."""

DOCUMENTS: Final[Mapping[type[msgspec.Struct], frozenset[str]]] = {
    Run: frozenset({"roles"}),
    Job: frozenset({"plan"}),
    WorkLease: frozenset({"outcome"}),
    Review: frozenset({"verdict_ids"}),
    WorkEvent: frozenset({"detail"}),
}
"""Fields that are kept as JSON."""

GUARDS: Final[Mapping[type[msgspec.Struct], tuple[str, ...]]] = {
    Run: ("run_id", "state"),
    Job: ("job_id", "state", "attempt", "fencing", "claims"),
    WorkSession: ("session_id", "state"),
    Message: ("message_id", "state", "attempt"),
    WorkLease: ("lease_id", "state", "fencing", "until_us"),
    Blocker: ("blocker_id", "state"),
}
"""
What must be as it was read for a change to count, the key first: no rule that looked at an older state writes
over a newer one.
"""


def row_of(value: msgspec.Struct) -> list[Any]:
    """
    A value as its row, in the order of its fields.
    """
    row = list(astuple(value))
    for at, stored in _kept_otherwise(type(value)):
        field = row[at]
        # No document is a text, and most texts are kept as they are.
        if type(field) is not str or not field.isascii() or "\0" in field:
            row[at] = stored(field)
    return row


def changes_of(old: msgspec.Struct, new: msgspec.Struct) -> dict[str, Any]:
    """
    The columns in which one state of a thing differs from another.
    """
    kind = type(old)
    stored = dict(_kept_otherwise(kind))
    return {
        kind.__struct_fields__[at]: stored[at](value) if at in stored else value
        for at, (value, before) in enumerate(zip(astuple(new), astuple(old), strict=True))
        if value is not before and value != before
    }


def guards_of(old: msgspec.Struct) -> list[Any]:
    """
    What must be in the row for a change of this state to count, in the order of ``GUARDS``.
    """
    return [_plain(getattr(old, name)) for name in GUARDS[type(old)]]


def value_of(kind: type[V], row: Iterable[Any]) -> V:
    """
    A row as a value; its columns are in the order of the fields.
    """
    fields = dict(zip(kind.__struct_fields__, row, strict=True))
    for name in DOCUMENTS.get(kind, ()):
        if fields[name] is not None:
            fields[name] = msgspec.json.decode(fields[name])
    return msgspec.convert(fields, kind)


@functools.cache
def _kept_otherwise(kind: type[msgspec.Struct]) -> Sequence[tuple[int, Callable[[Any], Any]]]:
    """
    The places of a kind's fields that are not kept as they are, and how they are kept. Numbers and the bytes
    of files are; a text is looked at, since not all can be kept.
    """
    documents = DOCUMENTS.get(kind, frozenset())
    return [
        (at, _document if field.name in documents else _plain)
        for at, field in enumerate(msgspec.structs.fields(kind))
        if field.name in documents or field.type not in _AS_IT_IS
    ]


_AS_IT_IS: Final = (int, int | None, bytes | None)


def _document(value: Any) -> str | None:
    return None if value is None else _storable(msgspec.json.encode(value).decode("utf-8", "replace"))


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return _storable(value) if isinstance(value, str) else value


def _storable(text: str) -> str:
    """
    A text that every database takes: without half surrogate pairs and NUL.
    """
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
