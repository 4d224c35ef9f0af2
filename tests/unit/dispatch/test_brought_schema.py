"""
Arguments held to a schema that is not ours.
"""

from __future__ import annotations

import json

import attrs
import msgspec
import pytest

from reticle.dispatch.arguments import decode
from reticle.dispatch.brought_schema import BroughtDecoder
from reticle.dispatch.registry import Registry
from reticle.errors import LocalMisuse, Refusal
from reticle.testing.gate import scripted_tool
from reticle.tools.spec import BroughtArguments, Tool

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"street": {"$anchor": "street", "type": "string", "minLength": 2}},
    "properties": {"street": {"$ref": "#street"}, "count": {"type": "integer"}},
    "required": ["street"],
    "if": {"properties": {"street": {"const": "none"}}},
    "then": {"properties": {"count": {"const": 0}}},
    "additionalProperties": False,
}
EXAMPLE = {"street": "Elm"}


def brought_tool(example: dict[str, object]) -> Tool:
    """
    A tool that brings ``SCHEMA``.
    """
    return attrs.evolve(scripted_tool("a", None, BroughtArguments), brought_schema=SCHEMA, example=example)


def test_valid_arguments_arrive_as_they_came() -> None:
    """
    The tool gets the object that the client sent.
    """
    assert BroughtDecoder(SCHEMA, EXAMPLE).decode(b'{"street":"Elm","count":3}') == {
        "street": "Elm",
        "count": 3,
    }


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({}, "the arguments object"),
        ({"street": "E"}, "street"),
        ({"street": "none", "count": 1}, "count"),
        ({"street": "Elm", "more": 1}, "the arguments object"),
    ],
)
def test_a_broken_rule_is_named_with_its_place(arguments: dict[str, object], place: str) -> None:
    """
    A model can correct itself by the refusal, also where the rule stands behind a reference or a condition.
    """
    with pytest.raises(Refusal) as caught:
        BroughtDecoder(SCHEMA, EXAMPLE).decode(json.dumps(arguments).encode())
    assert caught.value.code == "bad_arguments"
    assert caught.value.message.startswith(f"{place}: ")
    assert '{"street":"Elm"}' in caught.value.recovery


def test_what_is_no_object_is_explained_as_for_every_tool() -> None:
    """
    A list in place of an object has the same words whoever's schema it is.
    """
    entry = Registry([brought_tool(dict(EXAMPLE))]).find("a")
    assert entry is not None
    with pytest.raises(Refusal, match="must be one JSON object"):
        decode(entry, b"[1]")
    assert decode(entry, b'{"street":"Elm"}') == EXAMPLE


def test_the_schema_is_published_untouched() -> None:
    """
    Anchors, definitions and conditions of a schema that is not ours reach the client.
    """
    entry = Registry([brought_tool(dict(EXAMPLE))]).find("a")
    assert entry is not None
    assert entry.schema == SCHEMA
    assert (list(entry.declared), set(entry.required)) == (["street", "count"], {"street"})


def test_a_wrong_example_never_reaches_a_client() -> None:
    """
    The example of a refusal is valid.
    """
    with pytest.raises(LocalMisuse):
        Registry([brought_tool({"street": "E"})])


def test_a_reference_elsewhere_is_never_fetched() -> None:
    """
    Checking arguments makes no connection, whatever the schema says.
    """
    decoder = BroughtDecoder({"$ref": "http://127.0.0.1:9/schema.json"}, {})
    with pytest.raises(Exception, match="Unresolvable"):
        decoder.decode(b"{}")
    with pytest.raises(msgspec.MsgspecError):
        decoder.decode(b"[]")
