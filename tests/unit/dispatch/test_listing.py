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

from reticle.dispatch.grants import Sight
from reticle.dispatch.listing import Listing, output_schema
from reticle.dispatch.registry import Registry
from reticle.errors import PeerFault
from reticle.mcp.strict_json import encode
from reticle.mcp.versions import REVISIONS, Revision
from reticle.model.codes import Capability
from reticle.testing.gate import EchoArguments, scripted_tool
from reticle.testing.pages import FakePage, FakePages
from reticle.tools.spec import Arguments, BroughtArguments, ToolAnnotations

BOTH = Sight.of(frozenset(Capability))
OUTPUT = {
    "type": "object",
    "properties": {"verified": {"enum": ["yes", "no", "unknown"]}},
    "required": ["verified"],
}


class DriveArguments(Arguments, frozen=True, kw_only=True):
    """
    What stands inside another object.
    """

    args: dict[str, object] | None = None


REGISTRY = Registry(
    [
        attrs.evolve(scripted_tool("echo", None, EchoArguments), output=OUTPUT, bears_verdict=True),
        attrs.evolve(scripted_tool("other", None), output=OUTPUT),
        scripted_tool("hidden", None, advertised=False),
        attrs.evolve(
            scripted_tool("drive", None, DriveArguments, capability=Capability.DRIVE),
            annotations=ToolAnnotations(read_only=False, idempotent=True, open_world=True),
            example={"args": {"value": "Ada"}},
        ),
    ]
)


def listed(revision: Revision, sight: Sight = BOTH) -> list[dict[str, Any]]:
    """
    The entries of a list.
    """
    tools: list[dict[str, Any]] = json.loads(Listing(REGISTRY).tools_list(sight, revision))["tools"]
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
    assert echo["description"] == "Does what echo does."
    assert echo["inputSchema"]["properties"]["times"] == {
        "type": "integer",
        "description": "How often.",
        "default": 1,
    }
    assert result["tools"][2]["description"] == 'Does what drive does. e.g. {"args":{"value":"Ada"}}'
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


def test_only_hints_that_say_something_are_sent() -> None:
    """
    A client assumes the worst of a tool without hints, so only what is better than that is told.
    """
    echo, _, drive = listed(REVISIONS[3])
    assert echo["annotations"] == {"readOnlyHint": True, "openWorldHint": False}
    assert drive["annotations"] == {"destructiveHint": False, "idempotentHint": True}


def test_the_listed_schema_of_a_verdict_is_short_and_takes_both() -> None:
    """
    A client that validates by the list accepts a verdict and a refusal, and nothing else.
    """
    schema = listed(REVISIONS[3])[0]["outputSchema"]
    assert len(json.dumps(schema)) < 200
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid({"ok": True, "verified": "no", "because": "b"})
    assert validator.is_valid({"ok": False, "error": "stale_ref", "message": "m"})
    assert not validator.is_valid({"ok": True})
    assert not validator.is_valid({"ok": True, "verified": "maybe"})


def test_a_list_shows_what_may_be_used() -> None:
    """
    Tools that a principal may not call are not listed to it.
    """
    assert [tool["name"] for tool in listed(REVISIONS[3], Sight.of({Capability.DRIVE}))] == ["drive"]
    assert listed(REVISIONS[3], Sight.of(frozenset())) == []


def test_a_list_has_what_somebodys_work_asks_for() -> None:
    """
    Who may claim work is shown the tool that its gates ask for; others reach it through the meta tool.
    """
    opener = attrs.evolve(
        scripted_tool("opener", None, capability=Capability.DRIVE, advertised=False),
        advertised_with=Capability.CLAIM,
    )
    listing = Listing(Registry([opener]))

    def names(*capabilities: Capability) -> list[str]:
        tools = json.loads(listing.tools_list(Sight.of(set(capabilities)), REVISIONS[3]))["tools"]
        return [tool["name"] for tool in tools]

    assert names(Capability.DRIVE, Capability.CLAIM) == ["opener"]
    assert names(Capability.DRIVE) == names(Capability.CLAIM) == []


def test_the_list_is_made_once() -> None:
    """
    Listing costs nothing after the first time.
    """
    listing = Listing(REGISTRY)
    assert listing.tools_list(BOTH, REVISIONS[3]) is listing.tools_list(
        Sight.of(set(Capability)), REVISIONS[3]
    )
    assert listing.catalogue(BOTH) is listing.catalogue(BOTH)


def test_a_tool_is_listed_while_its_condition_holds() -> None:
    """
    What makes sense only with some page is listed while such a page is there, and the change can be seen.
    """
    needy = attrs.evolve(scripted_tool("needy", None), advertised_while=lambda pages: bool(pages.all()))
    listing = Listing(Registry([scripted_tool("always", None), needy]))
    nobody, somebody = FakePages(), FakePages(FakePage())
    assert b"needy" not in listing.tools_list(BOTH, REVISIONS[3])
    assert b"needy" not in listing.tools_list(BOTH, REVISIONS[3], nobody)
    assert b"needy" in listing.tools_list(BOTH, REVISIONS[3], somebody)
    assert not listing.listed_now(nobody)
    assert listing.listed_now(somebody) == {"needy"}


def test_a_long_list_comes_in_parts() -> None:
    """
    A client that follows the cursor sees every tool; a cursor that is not ours is refused.
    """
    listing = Listing(Registry([scripted_tool(f"t{n}", None) for n in range(150)], advertised=150))
    first: dict[str, Any] = json.loads(encode(listing.tools(BOTH, REVISIONS[3])))
    rest = json.loads(encode(listing.tools(BOTH, REVISIONS[3], cursor=first["nextCursor"])))
    assert [tool["name"] for tool in first["tools"] + rest["tools"]] == [f"t{n}" for n in range(150)]
    assert "nextCursor" not in rest
    with pytest.raises(PeerFault):
        listing.tools(BOTH, REVISIONS[3], cursor="")


def test_a_schema_that_is_not_ours_is_listed_untouched() -> None:
    """
    Nothing of a brought schema is simplified away.
    """
    schema = {"type": "object", "$defs": {"a": {"$anchor": "a"}}, "allOf": [{"$ref": "#a"}]}
    tool = attrs.evolve(scripted_tool("brought", None, BroughtArguments), brought_schema=schema)
    listing = Listing(Registry([tool]))
    assert json.loads(listing.tools_list(BOTH, REVISIONS[3]))["tools"][0]["inputSchema"] == schema
    assert listing.catalogue(BOTH)[0]["inputSchema"] == schema


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
