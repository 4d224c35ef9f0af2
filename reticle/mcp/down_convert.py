"""
Newer content in older words: what a revision does not know is not sent to it.

Sources: the MCP changelogs; DESIGN §4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reticle.mcp.strict_json import encode
from reticle.mcp.versions import Revision

_TEXT: Final = b'{"content":[{"type":"text","text":%b}],"isError":%b}'
_STRUCTURED: Final = b'{"content":[{"type":"text","text":%b}],"structuredContent":%b,"isError":%b}'


def tool_entry(entry: Mapping[str, object], revision: Revision) -> dict[str, object]:
    """
    One entry of ``tools/list`` as the revision knows it.
    """
    unknown = set()
    if not revision.annotations:
        unknown.add("annotations")
    if not revision.structured_content:
        unknown.add("outputSchema")
    if not revision.titles:
        unknown.add("title")
    return {key: value for key, value in entry.items() if key not in unknown}


def tool_result(text: str, structured: Mapping[str, object], *, is_error: bool, revision: Revision) -> bytes:
    """
    The result of ``tools/call``, one line of JSON.

    A revision without ``structuredContent`` gets the text alone.
    """
    flag = b"true" if is_error else b"false"
    if not revision.structured_content:
        return _TEXT % (encode(text), flag)
    return _STRUCTURED % (encode(text), encode(structured), flag)


def server_info(name: str, title: str, version: str, revision: Revision) -> dict[str, str]:
    """
    Who we are, in ``initialize``.
    """
    named = {"name": name, "version": version}
    return {**named, "title": title} if revision.titles else named
