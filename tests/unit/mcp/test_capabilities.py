"""
What each side of a handshake says that it can do.
"""

from __future__ import annotations

import pytest

from reticle.mcp.capabilities import Offered, client_capabilities, server_capabilities
from reticle.mcp.versions import REVISIONS
from reticle.model.mcp import ClientCapabilities

EVERYTHING = Offered(
    tools_changes=True,
    resources=True,
    resources_changes=True,
    prompts=True,
    prompts_changes=True,
    completions=True,
    logging=True,
)


@pytest.mark.parametrize(
    ("declared", "read"),
    [
        (None, ClientCapabilities()),
        ("all", ClientCapabilities()),
        ({"elicitation": True, "sampling": 1, "roots": [], "extensions": "x"}, ClientCapabilities()),
        ({"elicitation": {}}, ClientCapabilities(elicitation_form=True)),
        ({"elicitation": {"form": {}}}, ClientCapabilities(elicitation_form=True)),
        ({"elicitation": {"url": {}}}, ClientCapabilities(elicitation_url=True)),
        (
            {"elicitation": {"form": {}, "url": {}}},
            ClientCapabilities(elicitation_form=True, elicitation_url=True),
        ),
        ({"sampling": {"tools": {}}, "roots": {}}, ClientCapabilities(sampling=True, roots=True)),
        ({"extensions": {"io.modelcontextprotocol/tasks": {}}}, ClientCapabilities(tasks=True)),
        ({"extensions": {"io.modelcontextprotocol/other": {}}}, ClientCapabilities()),
    ],
)
def test_only_what_a_client_declares_well_is_taken(declared: object, read: ClientCapabilities) -> None:
    """
    A client is never asked what it did not say it can do, whatever stands in its declaration.
    """
    assert client_capabilities(declared) == read


@pytest.mark.parametrize(
    ("revision", "names"),
    [
        ("2024-11-05", {"tools", "resources", "prompts", "logging"}),
        ("2025-03-26", {"tools", "resources", "prompts", "logging", "completions"}),
        ("2025-06-18", {"tools", "resources", "prompts", "logging", "completions"}),
        ("2025-11-25", {"tools", "resources", "prompts", "logging", "completions"}),
        ("2026-07-28", {"tools", "resources", "prompts", "logging", "completions"}),
    ],
)
def test_each_revision_is_told_what_it_knows(revision: str, names: set[str]) -> None:
    """
    A client never reads of a capability that its revision has no name for.
    """
    [known] = [each for each in REVISIONS if each.name == revision]
    assert server_capabilities(EVERYTHING, known).keys() == names


def test_what_is_not_offered_is_not_told() -> None:
    """
    A client that believes the declaration finds every method it may then call, and no other.
    """
    for revision in REVISIONS:
        assert server_capabilities(Offered(), revision) == {"tools": {"listChanged": False}}
