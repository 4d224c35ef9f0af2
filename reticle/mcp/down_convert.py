"""
Newer content in older words: what a revision does not know is not sent to it.

Sources: the MCP changelogs; DESIGN §4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from reticle.mcp.strict_json import encode
from reticle.mcp.versions import Revision
from reticle.model.content import ContentBlock, text_block

_TEXT: Final = b'{"content":[{"type":"text","text":%b}%b],"isError":%b}'
_STRUCTURED: Final = b'{"content":[{"type":"text","text":%b}%b],"structuredContent":%b,"isError":%b}'


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


def feature_entry(entry: Mapping[str, object], revision: Revision) -> dict[str, object]:
    """
    One entry of a list of resources, templates or prompts as the revision knows it.
    """
    return {key: item for key, item in entry.items() if key != "title" or revision.titles}


def content_block(block: ContentBlock, revision: Revision) -> ContentBlock:
    """
    A content block as the revision knows it: what older clients would choke on becomes a line of text.
    """
    kind = block.get("type")
    if kind == "audio" and not revision.audio:
        return text_block(f"[audio, {block.get('mimeType')}: this revision of MCP cannot carry it]")
    if kind == "resource_link" and not revision.resource_links:
        return text_block(f"{block.get('name')}: {block.get('uri')}")
    return block


def tool_result(
    text: str,
    structured: Mapping[str, object],
    *,
    is_error: bool,
    revision: Revision,
    blocks: Sequence[ContentBlock] = (),
) -> bytes:
    """
    The result of ``tools/call``, one line of JSON; ``blocks`` come after the text.

    A revision without ``structuredContent`` gets the content alone.
    """
    flag = b"true" if is_error else b"false"
    more = b"".join([b"," + encode(content_block(block, revision)) for block in blocks]) if blocks else b""
    if not revision.structured_content:
        return _TEXT % (encode(text), more, flag)
    return _STRUCTURED % (encode(text), more, encode(structured), flag)


def server_info(name: str, title: str, version: str, revision: Revision) -> dict[str, str]:
    """
    Who we are, in ``initialize``.
    """
    named = {"name": name, "version": version}
    return {**named, "title": title} if revision.titles else named
