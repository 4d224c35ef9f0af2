"""
What every tool promises to its clients.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import jsonschema
import msgspec
import pytest

from reticle.dispatch.grants import Sight
from reticle.dispatch.listing import Listing, output_schema
from reticle.dispatch.registry import Registry
from reticle.domain.predicate import GRAMMAR
from reticle.mcp.versions import REVISIONS
from reticle.model.codes import Capability
from reticle.service.surface import FAMILIES, tools_of
from reticle.tools.meta import meta_tools
from reticle.tools.spec import Arguments, Tool

SURFACE: Sequence[Tool] = tools_of(FAMILIES)
LISTING_BYTES = 12 * 1024
"""What the whole surface may cost an agent's context, about 3,000 tokens."""

ACTS = {
    "reticle_navigate", "reticle_act", "reticle_act_and_wait", "reticle_act_sequence", "reticle_scroll_to",
}  # fmt: skip
DRIVES = ACTS | {"reticle_session", "reticle_lease"}
WRITES = DRIVES | {
    "reticle_feedback", "reticle_screenshot", "reticle_baseline", "reticle_contract_save",
    "reticle_invariants",
}  # fmt: skip
WITHOUT_PAGE = {"reticle_sessions", "reticle_feedback", "reticle_verdict"}
VERDICTS = {"reticle_act_and_wait", "reticle_assert"}

each_tool = pytest.mark.parametrize("tool", SURFACE, ids=lambda tool: tool.name)


def test_the_surface_is_the_one_that_agents_know() -> None:
    """
    The names are those that existing clients and prompts use.
    """
    assert [tool.name for tool in SURFACE] == [
        "reticle_sessions", "reticle_navigate", "reticle_snapshot", "reticle_query", "reticle_inspect",
        "reticle_act", "reticle_act_and_wait", "reticle_act_sequence", "reticle_assert", "reticle_wait_for",
        "reticle_observe", "reticle_network", "reticle_console", "reticle_state",
        "reticle_capabilities", "reticle_session", "reticle_lease", "reticle_screenshot",
        "reticle_storage", "reticle_scroll_to", "reticle_animations",
        "reticle_explore", "reticle_baseline",
        "reticle_contract_save", "reticle_contract_check", "reticle_invariants", "reticle_server",
        "reticle_verdict",
        "reticle_feedback",
    ]  # fmt: skip


@each_tool
def test_only_what_changes_a_page_needs_to_drive(tool: Tool) -> None:
    """
    An observer can look at everything and act on nothing; clients see which is which.
    """
    drives = tool.name in DRIVES
    assert tool.capability is (Capability.DRIVE if drives else Capability.OBSERVE)
    assert tool.annotations.read_only is (tool.name not in WRITES)
    assert tool.acts is (tool.name in ACTS)


@each_tool
def test_only_the_verdict_tools_bear_a_verdict(tool: Tool) -> None:
    """
    A wait or an act alone never passes for a proof.
    """
    bears = tool.name in VERDICTS
    assert tool.bears_verdict is bears
    assert (tool.output is not None) is bears


@each_tool
def test_a_tool_is_described_in_a_sentence_and_a_valid_example(tool: Tool) -> None:
    """
    An agent learns from the list alone what a tool does and how it is called.
    """
    assert 20 <= len(tool.summary) <= 160
    assert tool.summary.endswith(".")
    assert 5 <= len(tool.title) <= 40
    assert isinstance(msgspec.convert(tool.example, tool.arguments), Arguments)


@each_tool
def test_every_argument_is_explained(tool: Tool) -> None:
    """
    No parameter is left to guess.
    """
    schema = msgspec.json.schema(tool.arguments, schema_hook=lambda _: {"description": "any"})
    own = schema["$defs"][tool.arguments.__name__]
    assert [name for name, part in own["properties"].items() if not part.get("description")] == []
    assert own["additionalProperties"] is False


@each_tool
def test_pages_are_named_the_same_way_everywhere(tool: Tool) -> None:
    """
    Each tool that is about a page takes the same optional sessionId.
    """
    names = [field.encode_name for field in msgspec.structs.fields(tool.arguments)]
    assert ("sessionId" in names) is (tool.name not in WITHOUT_PAGE)


def test_the_whole_surface_costs_little() -> None:
    """
    What every turn of an agent pays for stays bounded, titles, annotations and meta tools included.
    """
    listing = Listing(Registry([*SURFACE, *meta_tools(GRAMMAR)]))
    sight = Sight.of({Capability.OBSERVE, Capability.DRIVE})
    sizes = {revision.name: len(listing.tools_list(sight, revision)) for revision in REVISIONS}
    print(sizes)  # shown with -s, and when it fails
    assert max(sizes.values()) <= LISTING_BYTES


@pytest.mark.parametrize(
    ("answer", "valid"),
    [
        (
            {"ok": True, "method": "m", "audit_id": "a", "verified": "yes", "verifiedReason": "proved",
             "because": "b", "verdict_id": "v", "honesty": {}, "more": 1},
            True,
        ),
        ({"ok": False, "method": "m", "audit_id": "a", "error": "stale_ref", "message": "gone"}, True),
        ({"ok": True, "method": "m", "audit_id": "a", "verified": "maybe", "verifiedReason": "proved",
          "because": "b", "verdict_id": "v"}, False),
        ({"ok": True, "method": "m", "audit_id": "a"}, False),
    ],
)  # fmt: skip
def test_the_published_output_schema_takes_verdicts_and_refusals(
    answer: dict[str, object], *, valid: bool
) -> None:
    """
    A client that validates answers accepts a verdict and a refusal, and nothing between them.
    """
    for tool in SURFACE:
        schema = output_schema(tool)
        if schema is not None:
            checker = jsonschema.Draft202012Validator(json.loads(json.dumps(schema)))
            assert checker.is_valid(answer) is valid
