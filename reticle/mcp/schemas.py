"""
The published schema of a tool's arguments, made from the msgspec type that decodes them.

So the two cannot differ; only wording and form are simplified here: references are written out (some
hosts do not follow them), ``discriminator`` and class names go, "or null" is not published where leaving
the field out means the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s")
_DROPPED: Final = frozenset({"title", "discriminator", "$defs", "$comment"})


def input_schema(arguments: type[msgspec.Struct], *, lean: bool) -> dict[str, object]:
    """
    The JSON schema of an arguments object; ``lean`` cuts each description to its first sentence.
    """
    raw = msgspec.json.schema(arguments, schema_hook=_any_json)
    definitions = raw.get("$defs", {})
    schema = _written_out(raw, definitions, ())
    assert isinstance(schema, dict)
    schema["additionalProperties"] = False
    return _first_sentences(schema) if lean else schema


def first_sentence(text: str) -> str:
    """
    A text up to the end of its first sentence.
    """
    return _SENTENCE_END.split(text.strip(), maxsplit=1)[0]


def _any_json(_: type) -> dict[str, object]:
    """
    Types that stand for any JSON value, such as ``object`` and ``msgspec.Raw``.

    The comment is dropped again: msgspec takes an empty schema for none.
    """
    return {"$comment": "any JSON value"}


def _written_out(node: object, definitions: Mapping[str, object], inside: tuple[str, ...]) -> object:
    """
    A schema with references replaced by what they name. A type inside itself becomes "an object": its
    full grammar is in the tool's long description.
    """
    if isinstance(node, list):
        return [_written_out(item, definitions, inside) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str):
        name = reference.rpartition("/")[2]
        beside = {key: item for key, item in node.items() if key != "$ref" and key not in _DROPPED}
        if name in inside:
            return {"type": "object", **beside}
        target = _written_out(definitions[name], definitions, (*inside, name))
        assert isinstance(target, dict)
        target.pop("description", None)  # the class's docstring is for us
        return {**target, **beside}
    plain = {
        key: _properties(item, definitions, inside)
        if key == "properties"
        else item
        if key in {"default", "enum", "const", "examples"}
        else _written_out(item, definitions, inside)
        for key, item in node.items()
        if key not in _DROPPED
    }
    return _plainer(plain)


def _properties(node: object, definitions: Mapping[str, object], inside: tuple[str, ...]) -> object:
    """
    Property names are data: one called ``title`` is not a title.
    """
    assert isinstance(node, dict)
    return {name: _written_out(item, definitions, inside) for name, item in node.items()}


def _plainer(schema: dict[str, object]) -> dict[str, object]:
    """
    The same schema in fewer words: ``anyOf [X, null]`` with default null is an optional X.
    """
    if schema.get("required") == []:
        del schema["required"]
    if schema.get("additionalProperties") == {}:
        del schema["additionalProperties"]
    enum = schema.get("enum")
    if isinstance(enum, list) and all(isinstance(member, str) for member in enum):
        schema = {"type": "string", **schema}
    if "default" not in schema or schema["default"] is not None:
        return schema
    rest = {key: item for key, item in schema.items() if key not in {"anyOf", "default"}}
    options = schema.get("anyOf")
    if not isinstance(options, list):
        return rest
    kept = [option for option in options if option != {"type": "null"}]
    if len(kept) == 1:
        return {**kept[0], **rest}
    return {"anyOf": kept, **rest}


def _first_sentences(node: dict[str, object]) -> dict[str, object]:
    lean: dict[str, object] = {}
    for key, item in node.items():
        if key == "description" and isinstance(item, str):
            lean[key] = first_sentence(item)
        elif isinstance(item, dict) and key not in {"default", "const"}:
            lean[key] = _first_sentences(item)
        elif isinstance(item, list):
            lean[key] = [_first_sentences(part) if isinstance(part, dict) else part for part in item]
        else:
            lean[key] = item
    return lean
