"""
The grammar of a relation's sides as tables: channels, what stands beside them, and what people read about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

RELATIONS = ("equals", "contains")


@attrs.frozen
class SideRule:
    """
    One channel that a side of ``same`` may be read from: what stands there, and which fields go beside it.
    """

    shape: Literal["query", "path", "key", "literal"]
    meaning: str
    beside: tuple[str, ...] = ()
    required: tuple[str, ...] = ()


SIDES: Mapping[str, SideRule] = {
    "text": SideRule("query", "the text that an element shows", ("scale", "decimal")),
    "value": SideRule("query", "what stands in a field", ("scale", "decimal")),
    "number": SideRule("query", "the one number in an element's text or field", ("scale", "decimal")),
    "count": SideRule("query", "how many such elements a user can see"),
    "state": SideRule("path", "a path of a registered store", ("store", "scale", "decimal")),
    "response": SideRule(
        "path",
        "a path of the JSON that the window's last such request was answered",
        ("urlContains", "method", "scale", "decimal"),
        ("urlContains",),
    ),
    "request": SideRule(
        "path",
        "a path of the JSON that the window's last such request carried",
        ("urlContains", "method", "scale", "decimal"),
        ("urlContains",),
    ),
    "storage": SideRule("key", "what a key holds now", ("area", "path", "scale", "decimal")),
    "literal": SideRule("literal", "this text, number, true, false or null"),
}
"""The sides of ``same``."""

SIDE_SHAPES: Mapping[str, str] = {
    "query": "an element query object",
    "path": "keys and positions joined by dots, and length",
    "key": "a key",
    "literal": "a value",
}

SIDE_FIELDS: Mapping[str, str] = {
    "store": "the store; omitted: the one that has the path",
    "urlContains": "a part of the request's URL (also url)",
    "method": "its method, in any case",
    "area": "local, session or cookies; omitted: the one that has the key",
    "path": "a path into the JSON that is stored there",
    "scale": "what a number is multiplied by: 0.01 makes dollars of cents",
    "decimal": 'what parts whole and fraction, "." or ","; needed where a text can be read both ways',
}
"""What may stand beside a side's channel."""


def printed_sides() -> Mapping[str, object]:
    """
    The channels as JSON, for ``reticle_tools``.
    """
    return {
        name: {"type": SIDE_SHAPES[rule.shape], "meaning": rule.meaning, "beside": list(rule.beside)}
        for name, rule in SIDES.items()
    }


def _row(name: str, rule: SideRule) -> str:
    beside = ", ".join(f"`{field}`" for field in rule.beside)
    return f"- `{name}` ({SIDE_SHAPES[rule.shape]}): {rule.meaning}" + (
        f"; with {beside}." if beside else "."
    )


SIDES_NOTE = f"""\
Each side is an object with one channel, and what may stand beside it:

{chr(10).join(_row(name, rule) for name, rule in SIDES.items())}

What stands beside a channel:

{chr(10).join(f"- `{name}`: {meaning}." for name, meaning in SIDE_FIELDS.items())}

Texts are compared with white space folded. Where one side is a number, all are compared as numbers, however \
they are written: "$1,234.50" is 1234.5. A text that can be read in two ways ("1,234"), or has several \
numbers, is `unknown` where that matters; so is a side that could not be read, was cut or redacted, and an \
element that is not the only one. A side that is not there does not hold, nor does `not` around it.

`contains`: the first side's text has the second's in it, the second number is among the first's, or the \
second is a member of the first's list.

A relation that was true before the action, of the same values, proves nothing."""
"""What the table of fields cannot say."""
