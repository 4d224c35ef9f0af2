"""
The published schema of a tool's arguments, made from the msgspec type that decodes them.

So the two cannot differ; only wording and form are simplified here: references are written out (some
hosts do not follow them), ``discriminator`` and class names go, "or null" is not published where leaving
the field out means the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s")
_BOUNDS: Final = frozenset({"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"})
SHARED_PARAMETERS: Final = frozenset(
    {
        "sessionId", "since", "limit", "actionId", "timeout_ms", "refuseWhenThrottled", "ref", "target",
        "scope", "action", "role", "name", "text", "label", "placeholder", "testid", "alt", "component",
        "min_grade", "trusted",
    }
)  # fmt: skip
"""Parameters of many tools that go undescribed in the list: the ``instructions`` explain them."""

_DROPPED: Final = frozenset({"title", "discriminator", "$defs", "$comment"})


def input_schema(arguments: type[msgspec.Struct], *, lean: bool) -> dict[str, object]:
    """
    The JSON schema of an arguments object; ``lean`` leaves out what an agent can do without (``_lean``).
    """
    raw = msgspec.json.schema(arguments, schema_hook=_any_json)
    definitions = raw.get("$defs", {})
    schema = _written_out(raw, definitions, ())
    assert isinstance(schema, dict)
    schema["additionalProperties"] = False
    return (
        _lean(schema, SHARED_PARAMETERS | getattr(arguments, "told_in_summary", frozenset()))
        if lean
        else schema
    )


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


def _lean(node: dict[str, object], undescribed: AbstractSet[str]) -> dict[str, object]:
    """
    Descriptions cut to their first sentence, without bounds (a refusal names the one that was broken) and
    without the default false of a flag and that of an empty text.
    """
    lean: dict[str, object] = {}
    for key, item in node.items():
        if key == "description" and isinstance(item, str):
            lean[key] = first_sentence(item)
        elif key in _BOUNDS or (key == "default" and (item is False or item == "")):
            continue
        elif key == "properties" and isinstance(item, dict):
            lean[key] = {name: _lean_parameter(name, part, undescribed) for name, part in item.items()}
        elif isinstance(item, dict) and key not in {"default", "const"}:
            lean[key] = _lean(item, undescribed)
        elif isinstance(item, list):
            lean[key] = [_lean(part, undescribed) if isinstance(part, dict) else part for part in item]
        else:
            lean[key] = item
    return lean


def _lean_parameter(name: str, schema: dict[str, object], undescribed: AbstractSet[str]) -> dict[str, object]:
    lean = _lean(schema, undescribed)
    if name in undescribed:
        lean.pop("description", None)
    return lean
