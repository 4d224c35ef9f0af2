"""
Published schemas.
"""

from __future__ import annotations

import json
from typing import Annotated, ClassVar, Literal

import jsonschema
import msgspec
from msgspec import Meta

from reticle.mcp.schemas import first_sentence, input_schema


class Leaf(msgspec.Struct, tag="leaf", tag_field="kind"):
    """
    Ours to read.
    """

    query: dict[str, object]


class Branch(msgspec.Struct, tag="branch", tag_field="kind"):
    """
    Nests itself.
    """

    of: list[Leaf | Branch]


class Wide(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """
    A bit of everything.
    """

    name: Annotated[str, Meta(description="The name. It must be known, e.g. from a list.")]
    title: Annotated[int, Meta(ge=0)] | None = None
    mode: Literal["a", "b"] = "a"
    either: list[str] | dict[str, object] | None = None
    tree: Annotated[Leaf | Branch | None, Meta(description="A tree. Any depth.")] = None
    anything: object = None
    flag: bool = False
    brief: Annotated[int, Meta(description="Told in the summary of the tool.")] = 1

    told_in_summary: ClassVar[frozenset[str]] = frozenset({"brief"})


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """
    No fields.
    """


LEAF = {
    "type": "object",
    "properties": {"kind": {"type": "string", "enum": ["leaf"]}, "query": {"type": "object"}},
    "required": ["kind", "query"],
}


def test_the_lean_schema_of_everything() -> None:
    """
    A host that follows no references sees each argument with its type, one sentence and no null; what the
    instructions or the summary explain is not explained again, and no flag says that it is off.
    """
    assert input_schema(Wide, lean=True) == {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "title": {"type": "integer"},
            "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "either": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "object"}]},
            "tree": {
                "description": "A tree.",
                "anyOf": [
                    LEAF,
                    {
                        "type": "object",
                        "properties": {
                            "kind": {"type": "string", "enum": ["branch"]},
                            "of": {"type": "array", "items": {"anyOf": [LEAF, {"type": "object"}]}},
                        },
                        "required": ["kind", "of"],
                    },
                ],
            },
            "anything": {},
            "flag": {"type": "boolean"},
            "brief": {"type": "integer", "default": 1},
        },
        "required": ["name"],
        "additionalProperties": False,
    }


def test_the_full_schema_keeps_descriptions() -> None:
    """
    Whoever asks for a tool's full description reads all of it.
    """
    properties = input_schema(Wide, lean=False)["properties"]
    assert isinstance(properties, dict)
    assert properties["name"]["description"] == "The name. It must be known, e.g. from a list."


def test_a_tool_without_arguments() -> None:
    """
    A tool without arguments says so in a form that every client accepts.
    """
    assert input_schema(Nothing, lean=True) == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_schema_and_decoder_agree() -> None:
    """
    Arguments that the full schema allows are the ones that the tool accepts; the lean one only lacks bounds.
    """
    validator = jsonschema.Draft202012Validator(input_schema(Wide, lean=False))
    lean = jsonschema.Draft202012Validator(input_schema(Wide, lean=True))
    decoder = msgspec.json.Decoder(Wide)
    for arguments in (
        {"name": "x"},
        {"name": "x", "title": 3, "mode": "b", "either": ["a"], "anything": [1]},
        {"name": "x", "tree": {"kind": "branch", "of": [{"kind": "leaf", "query": {}}]}},
        {},
        {"name": 7},
        {"name": "x", "title": -1},
        {"name": "x", "mode": "c"},
        {"name": "x", "either": [1]},
        {"name": "x", "extra": 1},
        {"name": "x", "tree": {"kind": "twig"}},
    ):
        try:
            decoder.decode(json.dumps(arguments))
            decoded = True
        except msgspec.ValidationError:
            decoded = False
        assert validator.is_valid(arguments) is decoded, arguments
        assert lean.is_valid(arguments) is (decoded or arguments == {"name": "x", "title": -1}), arguments


def test_first_sentences() -> None:
    """
    A sentence ends where a reader would end it.
    """
    assert first_sentence("One. Two.") == "One."
    assert first_sentence("Element, such as e12.5 or so") == "Element, such as e12.5 or so"
    assert first_sentence(" Really?\nYes.") == "Really?"
