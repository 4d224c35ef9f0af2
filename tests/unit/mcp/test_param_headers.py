"""
Parameters that clients repeat in headers.
"""

from __future__ import annotations

import pytest

from reticle.errors import LocalMisuse
from reticle.mcp.param_headers import ParamHeader, param_headers


def test_annotated_parameters_are_found_with_their_way() -> None:
    """
    A parameter inside an object is found too; one inside a list or a condition is not reached by a header.
    """
    schema = {
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "plain": {"type": "string"},
            "odd": True,
            "deep": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
            "list": {
                "type": "array",
                "items": {"properties": {"x": {"type": "string", "x-mcp-header": "X"}}},
            },
        },
        "allOf": [{"properties": {"y": {"type": "string", "x-mcp-header": "Y"}}}],
    }
    assert param_headers(schema) == (
        ParamHeader("region", ("region",), "string"),
        ParamHeader("n", ("deep", "n"), "integer"),
    )
    assert param_headers({"type": "object"}) == ()


@pytest.mark.parametrize(
    "part",
    [
        {"type": "string", "x-mcp-header": ""},
        {"type": "string", "x-mcp-header": "a b"},
        {"type": "string", "x-mcp-header": 7},
        {"type": "number", "x-mcp-header": "A"},
        {"type": "object", "x-mcp-header": "A"},
        {"type": "string", "x-mcp-header": "again"},
    ],
)
def test_an_annotation_that_clients_drop_the_tool_for_is_ours_to_mend(part: dict[str, object]) -> None:
    """
    A tool with a bad annotation never reaches a client.
    """
    other = {"type": "string", "x-mcp-header": "Again"}
    with pytest.raises(LocalMisuse):
        param_headers({"properties": {"p": part, "other": other}})
