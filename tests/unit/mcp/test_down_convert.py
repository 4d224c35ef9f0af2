"""
Newer content for older clients.
"""

from __future__ import annotations

import json

import pytest

from reticle.mcp.down_convert import server_info, tool_entry, tool_result
from reticle.mcp.versions import REVISIONS, Revision

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
