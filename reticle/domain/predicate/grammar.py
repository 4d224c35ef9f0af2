"""
The grammar of predicates as a table: kinds, fields, aliases, operators, one valid example each.

The parser is driven by this table, ``reticle_tools`` prints it, and ``docs/reference/predicates.md`` is
compared with it, so the three cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from reticle.domain.predicate.relation_grammar import RELATIONS, printed_sides
from reticle.model.limits import (
    COUNT_HOLD_MS,
    NEVER_MS,
    PREDICATE_DEPTH,
    PREDICATE_LEAVES,
    QUIET_MS,
    RELATION_SIDES,
)

Shape = Literal[
    "text", "flag", "count", "milliseconds", "status", "cursor", "word", "query", "pattern", "patterns",
    "styles", "predicate", "predicates", "schema", "sides", "amount",
]  # fmt: skip
"""What a field's value must look like."""

SHAPE_NAMES: Mapping[Shape, str] = {
    "text": "a string that is not empty",
    "flag": "true or false",
    "count": "a whole number from 0",
    "milliseconds": "a whole number of milliseconds above 0",
    "status": "an HTTP status, 100 to 599",
    "cursor": "a cursor: a whole number from 0",
    "word": "one of the listed words",
    "query": "an element query object",
    "pattern": "a literal or an operator object",
    "patterns": "an object of patterns, one per key",
    "styles": "an object of patterns, one per style property",
    "predicate": "one predicate",
    "predicates": "a list of predicates, not empty",
    "schema": "a JSON Schema object",
    "sides": "a list of sides",
    "amount": "a number from 0",
}


@attrs.frozen
class FieldRule:
    """
    One field of a kind.
    """

    shape: Shape
    meaning: str
    required: bool = False
    words: tuple[str, ...] = ()


@attrs.frozen
class KindRule:
    """
    One kind: what it says, its fields, other spellings of them, and a valid example.
    """

    meaning: str
    fields: Mapping[str, FieldRule]
    example: Mapping[str, object]
    aliases: Mapping[str, str] = attrs.field(factory=dict)


STORAGE_AREAS = ("local", "session", "cookies", "indexeddb")
TRANSPORTS = ("ws", "sse", "fetch")
DIRECTIONS = ("open", "in", "out", "close")
METRICS = ("lcp", "cls", "longtask")
DIALOGS = ("alert", "confirm", "prompt", "beforeunload", "filechooser")
DOWNLOAD_STATES = ("begun", "kept", "refused", "failed")
SQL_VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "COMMIT", "ROLLBACK")
LOG_LEVELS = ("warning", "error", "critical")
ELEMENT_STATES = (
    "present", "attached", "visible", "hidden", "enabled", "disabled", "checked", "mixed", "expanded",
    "focused", "invalid", "required", "readonly", "inViewport",
)  # fmt: skip
UNMET_STATES = frozenset({"attached", "hidden"})
"""States that an element can be in which nobody meets."""

CONSOLE_LEVELS = ("log", "info", "debug", "warn", "error")
LOCATORS = ("role", "text", "label", "placeholder", "testid", "alt", "component")
FINDERS = (*LOCATORS, "source")
"""Query fields of which one is enough to find an element; ``by`` takes the locators alone."""

QUERY_FIELDS = ("by", "value", *FINDERS, "name", "attrs", "scope", "self")
PLACE_FIELDS = ("file", "line", "column")

OPERATORS: Mapping[str, str] = {
    "*": 'the string "*" alone: there is any value',
    "$gte": "a number at least this",
    "$lte": "a number at most this",
    "$gt": "a number above this",
    "$lt": "a number below this",
    "$contains": "a list with this member, or a string with this part",
    "$length": "a list or string of this length",
    "$ne": "there is a value, and it is not this",
    "$in": "one of the listed values",
    "$exists": "true: there is a value; false: there is none",
    "$delta": "state alone: a number that is so much more (or, below 0, less) than before the action",
    "$matches": "a string that this pattern finds something in: . [] () | * + ? {m,n} ^ $ \\d \\w \\s \\b",
}

_COUNT = FieldRule("count", "exactly so many; omitted: at least one")
_SINCE = FieldRule("cursor", "look only at what came after this cursor, if later than the window's start")

KINDS: Mapping[str, KindRule] = {
    "element": KindRule(
        "an element is on the page now",
        {
            "query": FieldRule(
                "query", "which element; its fields may also stand beside kind", required=True
            ),
            "state": FieldRule("word", "in this state; omitted: present", words=ELEMENT_STATES),
            "style": FieldRule("styles", "its computed style, property by property, such as font-weight"),
            "absent": FieldRule("flag", "true: there is no such element"),
        },
        {"kind": "element", "query": {"role": "button", "name": "Save"}, "state": "enabled"},
    ),
    "text": KindRule(
        "a text is on the page now",
        {
            "contains": FieldRule("text", "the text; white space is folded", required=True),
            "visible": FieldRule(
                "flag",
                "true: a user can see it; false: it is there unseen; omitted: seen, or read out",
            ),
            "exact": FieldRule("flag", "true: it is all that an element says"),
            "absent": FieldRule("flag", "true: it is not there"),
            "scope": FieldRule("text", "look only inside this ref or CSS selector"),
        },
        {"kind": "text", "contains": "Order placed", "visible": True},
        {"text": "contains", "value": "contains"},
    ),
    "net": KindRule(
        "a request ended in the window",
        {
            "method": FieldRule("text", "the method, in any case"),
            "urlContains": FieldRule("text", "a part of the URL"),
            "status": FieldRule("status", "this status"),
            "ok": FieldRule("flag", "true: status below 400; false: it failed"),
            "bodyContains": FieldRule("text", "a part of the response body"),
            "body": FieldRule("patterns", "what the response body has, path by path, such as items.0.id"),
            "bodySchema": FieldRule("schema", "what the response body is valid against (draft 2020-12)"),
            "requestBody": FieldRule("patterns", "what was sent, path by path"),
            "count": FieldRule("count", "exactly so many; omitted: at least one"),
            "since": _SINCE,
        },
        {"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201, "count": 1},
        {"url": "urlContains"},
    ),
    "route": KindRule(
        "the page is at an address, or came to it in the window",
        {
            "pathname": FieldRule("text", "exactly this path"),
            "contains": FieldRule("text", "a part of path, query and hash"),
            "since": _SINCE,
        },
        {"kind": "route", "pathname": "/orders/7"},
        {"path": "pathname", "url": "contains", "urlContains": "contains"},
    ),
    "console": KindRule(
        "the console was written in the window",
        {
            "level": FieldRule("word", "this level; error includes uncaught errors", words=CONSOLE_LEVELS),
            "contains": FieldRule("text", "a part of the message"),
            "absent": FieldRule("flag", "true: no such entry"),
            "since": _SINCE,
        },
        {"kind": "console", "level": "error", "absent": True},
        {"textContains": "contains"},
    ),
    "animation": KindRule(
        "an animation or transition was seen in the window",
        {
            "name": FieldRule("text", "the animation's name, or the property of a transition"),
            "target": FieldRule("text", "the ref of the element that moved"),
            "completed": FieldRule("flag", "true: it ran to its end; otherwise: it began"),
            "since": _SINCE,
        },
        {"kind": "animation", "name": "slide-in", "completed": True},
    ),
    "signal": KindRule(
        "the app announced something in the window",
        {
            "name": FieldRule("text", "the signal's name"),
            "dataMatches": FieldRule("patterns", "what its data must have, key by key"),
            "count": FieldRule("count", "exactly so many; omitted: at least one"),
            "since": _SINCE,
        },
        {"kind": "signal", "name": "order.placed", "dataMatches": {"total": {"$gt": 0}}},
        {"data": "dataMatches"},
    ),
    "state": KindRule(
        "a registered store has a value now",
        {
            "path": FieldRule("text", "keys joined by dots; list positions as numbers", required=True),
            "store": FieldRule("text", "the store; omitted: the one that has the path"),
            "equals": FieldRule("pattern", "what the value must be; omitted: the path exists"),
        },
        {"kind": "state", "store": "cart", "path": "items", "equals": {"$length": 2}},
    ),
    "storage": KindRule(
        "a stored value was written in the window",
        {
            "area": FieldRule("word", "only there", words=STORAGE_AREAS),
            "key": FieldRule("text", "exactly this key"),
            "store": FieldRule("text", "indexeddb: this object store"),
            "equals": FieldRule("pattern", "what was written; JSON is read, where the pattern is no text"),
            "removed": FieldRule("flag", "true: it was taken away; false: it was written"),
            "count": _COUNT,
            "since": _SINCE,
        },
        {"kind": "storage", "area": "local", "key": "theme", "equals": "dark"},
    ),
    "stream": KindRule(
        "a WebSocket, an event source or a streamed body did something in the window",
        {
            "transport": FieldRule("word", "only such", words=TRANSPORTS),
            "direction": FieldRule("word", "what it did; omitted: a message, in or out", words=DIRECTIONS),
            "urlContains": FieldRule("text", "a part of the URL"),
            "contains": FieldRule("text", "a part of the message; its first 200 characters are seen"),
            "count": _COUNT,
            "since": _SINCE,
        },
        {"kind": "stream", "transport": "ws", "direction": "in", "contains": "order.shipped"},
        {"url": "urlContains"},
    ),
    "perf": KindRule(
        "the browser told a figure of the page in the window",
        {
            "metric": FieldRule("word", "which; lcp and longtask in ms", required=True, words=METRICS),
            "value": FieldRule("pattern", "what the figure must be; omitted: any"),
            "count": _COUNT,
            "since": _SINCE,
        },
        {"kind": "perf", "metric": "longtask", "value": {"$gt": 200}, "count": 0},
    ),
    "dialog": KindRule(
        "the browser's own dialog came up in the window",
        {
            "dialog": FieldRule("word", "only such", words=DIALOGS),
            "contains": FieldRule("text", "a part of what it says"),
            "count": _COUNT,
            "since": _SINCE,
        },
        {"kind": "dialog", "dialog": "confirm", "contains": "Delete"},
        {"message": "contains", "text": "contains"},
    ),
    "download": KindRule(
        "a file was downloaded in the window",
        {
            "contains": FieldRule("text", "a part of the file's name"),
            "state": FieldRule("word", "how far it came; omitted: the file came", words=DOWNLOAD_STATES),
            "count": _COUNT,
            "since": _SINCE,
        },
        {"kind": "download", "contains": "orders.csv"},
        {"filename": "contains"},
    ),
    "server": KindRule(
        "the app's server handled a request in the window",
        {
            "method": FieldRule("text", "the method, in any case"),
            "route": FieldRule("text", "the route as the app declares it"),
            "urlContains": FieldRule("text", "a part of the URL"),
            "status": FieldRule("status", "this status"),
            "exception": FieldRule("text", "a part of an unhandled exception's type or message"),
            "count": _COUNT,
            "since": _SINCE,
        },
        {"kind": "server", "method": "POST", "route": "/orders/<int:pk>/", "status": 302},
        {"url": "urlContains"},
    ),
    "sql": KindRule(
        "the app's server ran a statement in the window",
        {
            "verb": FieldRule("word", "what it does", words=SQL_VERBS),
            "table": FieldRule("text", "the table it is about"),
            "count": _COUNT,
            "since": _SINCE,
        },
        {"kind": "sql", "verb": "INSERT", "table": "orders", "count": 1},
    ),
    "log": KindRule(
        "the app's server logged something in the window",
        {
            "level": FieldRule("word", "this level or above", words=LOG_LEVELS),
            "contains": FieldRule("text", "a part of the message"),
            "absent": FieldRule("flag", "true: no such record"),
            "count": _COUNT,
            "since": _SINCE,
        },
        {"kind": "log", "level": "error", "absent": True},
    ),
    "mail": KindRule(
        "the app's server sent a mail in the window",
        {
            "to": FieldRule("text", "a part of a recipient's address, in any case"),
            "subject": FieldRule("text", "a part of the subject"),
            "count": _COUNT,
            "since": _SINCE,
        },
        {"kind": "mail", "to": "ada@example.org", "subject": "Your order", "count": 1},
    ),
    "same": KindRule(
        "what several channels say is the same",
        {
            "sides": FieldRule("sides", f"what is compared, 2 to {RELATION_SIDES}", required=True),
            "operator": FieldRule(
                "word", "omitted: equals; contains: the first has the second in it", words=RELATIONS
            ),
            "tolerance": FieldRule("amount", "by how much numbers may differ; omitted: not at all"),
        },
        {
            "kind": "same",
            "sides": [
                {"number": {"testid": "total"}},
                {"state": "cart.totalCents", "scale": 0.01},
                {"response": "order.total", "urlContains": "/api/orders"},
            ],
        },
        {"of": "sides"},
    ),
    "settled": KindRule(
        "no request is open and the page is quiet; declares no consequence by itself",
        {"quietMs": FieldRule("milliseconds", f"how long it must be quiet; omitted: {QUIET_MS}")},
        {"kind": "settled", "quietMs": 500},
    ),
    "allOf": KindRule(
        "every part holds",
        {"predicates": FieldRule("predicates", "the parts", required=True)},
        {"kind": "allOf", "predicates": [{"kind": "text", "contains": "Saved"}, {"kind": "net", "ok": True}]},
        {"of": "predicates"},
    ),
    "anyOf": KindRule(
        "at least one part holds",
        {"predicates": FieldRule("predicates", "the parts", required=True)},
        {
            "kind": "anyOf",
            "predicates": [{"kind": "route", "pathname": "/a"}, {"kind": "route", "pathname": "/b"}],
        },
        {"of": "predicates"},
    ),
    "sequence": KindRule(
        "each part happened in the window, after the part before it",
        {"predicates": FieldRule("predicates", "the parts, each about what happens", required=True)},
        {
            "kind": "sequence",
            "predicates": [
                {"kind": "net", "method": "POST", "ok": True},
                {"kind": "signal", "name": "saved"},
            ],
        },
        {"of": "predicates"},
    ),
    "within": KindRule(
        "the part happened soon after the window's start",
        {
            "ms": FieldRule("milliseconds", "at most so long after", required=True),
            "predicate": FieldRule("predicate", "a part about what happens, or several", required=True),
        },
        {"kind": "within", "ms": 500, "predicate": {"kind": "net", "urlContains": "/api/search"}},
        {"of": "predicate"},
    ),
    "never": KindRule(
        "the part did not happen, watched for a stated time",
        {
            "predicate": FieldRule("predicate", "a part about what happens, or a text", required=True),
            "ms": FieldRule(
                "milliseconds", f"how long to watch; omitted: {COUNT_HOLD_MS}, at most {NEVER_MS}"
            ),
        },
        {"kind": "never", "ms": 1000, "predicate": {"kind": "text", "contains": "Error"}},
        {"of": "predicate"},
    ),
    "not": KindRule(
        "the part does not hold",
        {"predicate": FieldRule("predicate", "the part", required=True)},
        {"kind": "not", "predicate": {"kind": "net", "method": "DELETE"}},
        {"of": "predicate"},
    ),
}

COMPOSITES = ("allOf", "anyOf", "not")
"""Kinds that may be written bare: ``{"allOf": […]}``."""

HAPPENINGS = (
    "net", "route", "console", "animation", "signal", "storage", "stream", "perf", "dialog", "download",
    "server", "sql", "log", "mail",
)  # fmt: skip
"""Kinds about what happens, each at a moment: they can come one after the other, or in time."""


def _printed(rule: KindRule) -> dict[str, object]:
    return {
        "meaning": rule.meaning,
        "fields": {
            name: {
                "type": SHAPE_NAMES[field.shape],
                "meaning": field.meaning,
                **({"required": True} if field.required else {}),
                **({"values": list(field.words)} if field.words else {}),
            }
            for name, field in rule.fields.items()
        },
        "aliases": dict(rule.aliases),
        "example": dict(rule.example),
    }


GRAMMAR: Mapping[str, object] = {
    "kinds": {name: _printed(rule) for name, rule in KINDS.items()},
    "query": {
        "fields": list(QUERY_FIELDS),
        "locators": "by with value, or one of " + ", ".join(FINDERS) + "; the rest narrows it down",
        "source": '{"file": "src/Cart.tsx", "line": 12}, column optional',
    },
    "sides": printed_sides(),
    "operators": dict(OPERATORS),
    "aliases": {"type": "kind"},
    "limits": {"nesting": PREDICATE_DEPTH, "leaves": PREDICATE_LEAVES},
    "bare": 'allOf, anyOf and not may be written without kind: {"allOf": [...]}',
}
"""The grammar as JSON, for ``reticle_tools``."""
