"""
The words by which the answer to a write names what was done, and what stands beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DEEDS: Final[Mapping[str, str]] = {
    "saved": "sav(?:e|ing)",
    "stored": "stor(?:e(?!s?/)|ing)|save",
    "persisted": "persist|save",
    "written": "writ|save",
    "updated": "updat|edit|chang|save",
    "upserted": "upsert|save",
    "modified": "modif|updat|edit|chang",
    "affected": "updat|delet|remov|save",
    "inserted": "insert|add(?!r)|creat",
    "created": "creat|add(?!r)",
    "added": "add(?!r)|creat",
    "sent": "send|sent|mail|messag|notif",
    "delivered": "deliver|send|sent",
    "submitted": "submit|send",
    "applied": "apply|applied",
    "committed": "commit",
    "processed": "process",
    "executed": "execut|run(?![a-z])",
    "imported": "import",
    "uploaded": "upload",
}
"""Participles that only speak of a write, and how an address or a claim names its verb."""

OF_RECORDS: Final[Mapping[str, str]] = {
    "deleted": "delet|remov",
    "removed": "remov|delet",
    "destroyed": "destroy|delet|remov",
    "accepted": "accept",
    "confirmed": "confirm",
    "approved": "approv",
    "placed": "place|order|checkout",
    "booked": "book|reserv",
    "registered": "regist|sign-?up",
    "published": "publish",
    "done": "done|finish|complet",
    "completed": "complet|finish",
    "finished": "finish|complet",
}
"""Participles that are as often what a record is."""

BY_METHOD: Final[Mapping[str, frozenset[str]]] = {
    "DELETE": frozenset({"deleted", "removed", "destroyed", "affected"}),
    "PUT": frozenset({"saved", "stored", "updated", "persisted", "written", "applied"}),
    "PATCH": frozenset({"saved", "stored", "updated", "persisted", "written", "applied"}),
    "POST": frozenset(),
}
NOT_OF_DELETION: Final = frozenset(DEEDS) - {"affected", "applied", "committed", "processed", "executed"}
"""After a deletion it is right that nothing is saved."""

AROUND: Final = frozenset(
    [
        "is",
        "was",
        "were",
        "be",
        "been",
        "has",
        "have",
        "num",
        "number",
        "count",
        "total",
        "n",
        "of",
        "rows",
        "row",
        "records",
        "record",
        "items",
        "item",
        "docs",
        "documents",
        "entries",
        "successfully",
    ]
)
"""What stands beside a participle in a field's name: ``isSaved``, ``deleted_count``, ``rowsAffected``."""

EXPLAINS: Final = frozenset(
    [
        "message",
        "msg",
        "reason",
        "detail",
        "details",
        "title",
        "description",
        "error",
        "errors",
        "warning",
        "warnings",
        "code",
        "status",
        "statuscode",
        "ok",
        "success",
        "acknowledged",
        "result",
        "timestamp",
        "time",
        "date",
        "requestid",
        "traceid",
        "correlationid",
        "duration",
        "took",
    ]
)
"""What stands beside it in an answer that is about the write and no record."""

IDENTITY: Final = frozenset({"id", "_id", "uuid", "pk", "slug", "guid", "key", "href", "self"})
REFUSALS: Final[Mapping[str, str]] = {
    "failed": "fail",
    "failure": "fail",
    "rejected": "reject",
    "refused": "refus",
    "declined": "declin",
    "denied": "den(?:y|ied)",
    "aborted": "abort",
}
"""What stands in an answer as true where the write was not done, and the stem by which it was asked for."""

NEVER_CERTAIN: Final = frozenset({"created", "inserted", "upserted", "delivered"})
"""What was there already is not created, and what was sent is delivered later."""

NOT_OF_REPLACING: Final = frozenset({"created", "inserted", "upserted", "added"})
"""What is put in the place of something is not new."""

UNDER_WAY: Final = frozenset(
    ["queued", "pending", "progress", "scheduled", "queue", "job", "jobid", "task", "taskid"]
)
"""What stands in an answer of work that has only begun."""

TAKES_AWAY: Final = frozenset({"deleted", "removed", "destroyed"})
STATES: Final = frozenset(OF_RECORDS) - TAKES_AWAY
"""What so many records are: "2 done" says nothing of the one that was written."""

COMES_LATER: Final = frozenset({"sent", "delivered", "submitted", "published", "processed"})
"""What is done to a draft, or to what is queued, another time."""
