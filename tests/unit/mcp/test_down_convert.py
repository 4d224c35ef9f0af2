"""
Newer content for older clients.
"""

from __future__ import annotations

import json

import pytest

from reticle.mcp.down_convert import content_block, feature_entry, server_info, tool_entry, tool_result
from reticle.mcp.versions import REVISIONS, Revision
from reticle.model.content import audio_block, image_block, link_block, resource_block, text_block

ENTRY = {"name": "t", "title": "T", "inputSchema": {}, "outputSchema": {}, "annotations": {}}


@pytest.mark.parametrize(
    ("revision", "keys"),
    [
        (REVISIONS[0], {"name", "inputSchema"}),
        (REVISIONS[1], {"name", "inputSchema", "annotations"}),
        (REVISIONS[2], set(ENTRY)),
        (REVISIONS[3], set(ENTRY)),
    ],
)
def test_an_entry_has_what_the_revision_knows(revision: Revision, keys: set[str]) -> None:
    """
    A client sees no field that its revision has not heard of.
    """
    assert set(tool_entry(ENTRY, revision)) == keys


def test_a_result_with_and_without_structure() -> None:
    """
    An old client gets the text alone, a newer one the fields too.
    """
    old = tool_result("te\u2028xt", {"ok": True}, is_error=False, revision=REVISIONS[1])
    new = tool_result("te\u2028xt", {"ok": False}, is_error=True, revision=REVISIONS[2])
    content = [{"type": "text", "text": "te\u2028xt"}]
    assert json.loads(old) == {"content": content, "isError": False}
    assert json.loads(new) == {"content": content, "structuredContent": {"ok": False}, "isError": True}


def test_the_server_has_a_title_where_titles_exist() -> None:
    """
    The display name is sent to clients that can show it.
    """
    assert server_info("n", "T", "1", REVISIONS[0]) == {"name": "n", "version": "1"}
    assert server_info("n", "T", "1", REVISIONS[2]) == {"name": "n", "version": "1", "title": "T"}


def test_blocks_follow_the_text() -> None:
    """
    An image beside the words reaches every client, the structure only those that know it.
    """
    image = image_block(b"png", "image/png")
    old = json.loads(
        tool_result("words", {"ok": True}, is_error=False, revision=REVISIONS[0], blocks=[image])
    )
    new = json.loads(
        tool_result("words", {"ok": True}, is_error=False, revision=REVISIONS[3], blocks=[image])
    )
    assert old["content"] == new["content"] == [{"type": "text", "text": "words"}, image]
    assert new["structuredContent"] == {"ok": True}


@pytest.mark.parametrize(
    ("block", "since"),
    [
        (text_block("words"), 0),
        (image_block(b"png", "image/png"), 0),
        (resource_block("reticle://sessions", "text/plain", "none"), 0),
        (audio_block(b"wav", "audio/wav"), 1),
        (link_block("reticle://sessions", "sessions", "text/plain"), 2),
    ],
)
def test_a_block_is_text_where_the_revision_does_not_know_it(block: dict[str, object], since: int) -> None:
    """
    A client whose library raises on an unknown kind of content gets a line of text in its place.
    """
    for number, revision in enumerate(REVISIONS):
        told = content_block(block, revision)
        assert told == block if number >= since else told["type"] == "text"
    assert "reticle://sessions" in str(content_block(block, REVISIONS[0])) or since != 2


def test_other_entries_lose_their_title_alone() -> None:
    """
    A resource or a prompt in an old client's list has nothing that it has not heard of.
    """
    entry = {"name": "n", "title": "T", "uri": "u"}
    assert feature_entry(entry, REVISIONS[1]) == {"name": "n", "uri": "u"}
    assert feature_entry(entry, REVISIONS[2]) == entry
