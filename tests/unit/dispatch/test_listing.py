"""
How tools are shown to clients.
"""

from __future__ import annotations

import json
from typing import Any

import attrs
import jsonschema
import mcp_types
import pytest

from reticle.dispatch.listing import Listing, output_schema
from reticle.dispatch.registry import Registry
from reticle.mcp.versions import REVISIONS, Revision
from reticle.model.codes import Capability
from reticle.testing.gate import EchoArguments, scripted_tool

BOTH = frozenset(Capability)
OUTPUT = {
    "type": "object",
    "properties": {"verified": {"enum": ["yes", "no", "unknown"]}},
    "required": ["verified"],
}
REGISTRY = Registry(
    [
        attrs.evolve(scripted_tool("echo", None, EchoArguments), output=OUTPUT, bears_verdict=True),
        attrs.evolve(scripted_tool("other", None), output=OUTPUT),
        scripted_tool("hidden", None, advertised=False),
        scripted_tool("drive", None, capability=Capability.DRIVE),
    ]
)


def listed(revision: Revision, capabilities: frozenset[Capability] = BOTH) -> list[dict[str, Any]]:
    """
    The entries of a list.
    """
    tools: list[dict[str, Any]] = json.loads(Listing(REGISTRY).tools_list(capabilities, revision))["tools"]
    return tools


@pytest.mark.parametrize("revision", REVISIONS[:4])
def test_the_list_is_valid_and_lean(revision: Revision) -> None:
    """
    Each revision gets a list that the official types accept, in the order of the table.
    """
    result = {"tools": listed(revision)}
    mcp_types.ListToolsResult.model_validate(result, strict=True)
    assert [tool["name"] for tool in result["tools"]] == ["echo", "other", "drive"]
    echo = result["tools"][0]
    assert echo["description"] == 'Does what echo does. e.g. {"text":"hello"}'
    assert echo["inputSchema"]["properties"]["text"]["description"] == "Text to echo."
    assert echo["inputSchema"]["required"] == ["text"]


def test_old_revisions_get_old_words() -> None:
    """
    Hints and schemas of results are listed from the revision on that has them.
    """
    oldest, older, newer, _, _ = REVISIONS
    assert set(listed(oldest)[0]) == {"name", "description", "inputSchema"}
    assert set(listed(older)[0]) == {"name", "description", "inputSchema", "annotations"}
    assert listed(newer)[0]["title"] == "Echo"
    assert ["outputSchema" in tool for tool in listed(newer)] == [True, False, False]


def test_a_list_shows_what_may_be_used() -> None:
    """
    Tools that a principal may not call are not listed to it.
    """
    assert [tool["name"] for tool in listed(REVISIONS[3], frozenset({Capability.DRIVE}))] == ["drive"]
    assert listed(REVISIONS[3], frozenset()) == []


def test_the_list_is_made_once() -> None:
    """
    Listing costs nothing after the first time.
    """
    listing = Listing(REGISTRY)
    assert listing.tools_list(BOTH, REVISIONS[3]) is listing.tools_list(set(BOTH), REVISIONS[3])
    assert listing.catalogue(BOTH) is listing.catalogue(BOTH)


def test_the_catalogue_has_everything() -> None:
    """
    Unlisted tools and full descriptions are found in the catalogue.
    """
    shown = {str(entry["name"]): entry for entry in Listing(REGISTRY).catalogue(BOTH)}
    assert [entry["advertised"] for entry in shown.values()] == [True, True, False, True]
    schema: Any = shown["echo"]["inputSchema"]
    assert schema["properties"]["text"]["description"] == "Text to echo. It comes back unchanged."
    assert shown["hidden"]["outputSchema"] is None
    assert shown["other"]["outputSchema"] is not None


def test_an_output_schema_takes_answers_and_refusals() -> None:
    """
    A client that validates results accepts both, and a result that is neither is found out.
    """
    entry = REGISTRY.find("echo")
    assert entry is not None
    schema = output_schema(entry.tool)
    assert schema is not None
    validator = jsonschema.Draft202012Validator(schema)
    common = {"method": "echo", "audit_id": "a"}
    assert validator.is_valid({"ok": True, **common, "verified": "no", "more": 1})
    assert validator.is_valid(
        {"ok": False, **common, "audit_id": None, "error": "c", "message": "m", "recovery": ""}
    )
    assert not validator.is_valid({"ok": True, **common})
    assert not validator.is_valid({"ok": True, **common, "verified": "maybe"})
    assert not validator.is_valid({"ok": False, **common, "verified": "yes"})
