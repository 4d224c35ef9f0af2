"""
Words in a message that its revision does not have.

``mcp-types`` knows two schemas, that of 2025-11-25 for every revision with a handshake and that of
2026-07-28, and both take keys that they do not know. So keys are compared with what the schema keeps of a
message, and what came after an older revision stands in a table here.
Source: the changelogs of the specification; mcp.md §1 and §9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

OPAQUE: Final = frozenset(
    {
        "_meta", "structuredContent", "inputSchema", "outputSchema", "requestedSchema", "arguments", "data",
        "experimental", "extensions", "inputRequests", "properties",
    }
)  # fmt: skip
"""What is inside is the tool's, the client's or an extension's."""

SINCE: Final = {
    "completions": "2025-03-26",
    "lastModified": "2025-06-18",
    "outputSchema": "2025-06-18",
    "structuredContent": "2025-06-18",
    "title": "2025-06-18",
    "icons": "2025-11-25",
    "websiteUrl": "2025-11-25",
    "execution": "2025-11-25",
}
"""The first revision with a key, wherever it stands."""

SINCE_IN: Final = {
    ("tools", "annotations"): "2025-03-26",
    ("annotations", "title"): "2025-03-26",
    ("params", "message"): "2025-03-26",
    ("serverInfo", "description"): "2025-11-25",
}
"""The first revision with a key inside another; goes before ``SINCE``."""

TYPES_SINCE: Final = {"audio": "2025-03-26", "resource_link": "2025-06-18"}
"""The first revision with a type of content."""


def unknown_words(message: object, kept: object, path: str = "") -> Iterator[str]:
    """
    Keys of a message that the schema did not keep, with where they stand.
    """
    if isinstance(message, Mapping) and isinstance(kept, Mapping):
        for key, value in message.items():
            if key not in kept:
                if value is not None:
                    yield f"{path}{key}"
            elif key not in OPAQUE:
                yield from unknown_words(value, kept[key], f"{path}{key}.")
    elif isinstance(message, list) and isinstance(kept, list):
        for one, same in zip(message, kept, strict=True):
            yield from unknown_words(one, same, path)


def newer_words(message: object, revision: str, inside: str = "") -> Iterator[str]:
    """
    Keys and content types that came after a revision.
    """
    if isinstance(message, list):
        for one in message:
            yield from newer_words(one, revision, inside)
    elif isinstance(message, Mapping):
        kind = message.get("type")
        if isinstance(kind, str) and TYPES_SINCE.get(kind, "") > revision:
            yield f"type {kind}"
        for key, value in message.items():
            if SINCE_IN.get((inside, key), SINCE.get(key, "")) > revision:
                yield f"{inside}.{key}"
            if key not in OPAQUE:
                yield from newer_words(value, revision, key)
