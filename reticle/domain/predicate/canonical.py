"""
A predicate back as JSON, in the one spelling that the grammar calls canonical.
"""

from __future__ import annotations

import attrs

from reticle.domain.predicate.kinds import UNSET, AllOf, AnyOf, InOrder, Not, Predicate, Same, Side, Within

_KIND_OF = {
    "Element": "element",
    "Text": "text",
    "Net": "net",
    "Route": "route",
    "Console": "console",
    "Animation": "animation",
    "Signal": "signal",
    "State": "state",
    "Same": "same",
    "Settled": "settled",
    "Storage": "storage",
    "Stream": "stream",
    "Perf": "perf",
    "Dialog": "dialog",
    "Download": "download",
    "Server": "server",
    "Sql": "sql",
    "Log": "log",
    "Mail": "mail",
}

_WIRE = {
    "url_contains": "urlContains",
    "body_contains": "bodyContains",
    "body_schema": "bodySchema",
    "request_body": "requestBody",
    "data_matches": "dataMatches",
    "quiet_ms": "quietMs",
}


def as_json(predicate: Predicate) -> dict[str, object]:  # noqa: C901, PLR0911 -- one arm per join
    """
    The predicate as it is stored and shown: canonical names, what was said, and how long ``settled`` waits.

    ``parse(as_json(p)) == p`` for every predicate.
    """
    match predicate:
        case AllOf(predicates=parts):
            return {"kind": "allOf", "predicates": [as_json(part) for part in parts]}
        case AnyOf(predicates=parts):
            return {"kind": "anyOf", "predicates": [as_json(part) for part in parts]}
        case Not(predicate=part, hold_ms=int() as ms):
            return {"kind": "never", "predicate": as_json(part), "ms": ms}
        case Not(predicate=part):
            return {"kind": "not", "predicate": as_json(part)}
        case InOrder(predicates=parts):
            return {"kind": "sequence", "predicates": [as_json(part) for part in parts]}
        case Within(predicate=part, ms=ms):
            return {"kind": "within", "ms": ms, "predicate": as_json(part)}
        case Same():
            return _relation(predicate)
    said: dict[str, object] = {"kind": kind_name(predicate)}
    for field in attrs.fields(type(predicate)):
        value = getattr(predicate, field.name)
        if value is UNSET or (value is None and field.default is None):
            continue
        if value is False and field.name in {"absent", "exact"}:
            continue
        said[_WIRE.get(field.name, field.name)] = value
    return said


def _relation(relation: Same) -> dict[str, object]:
    said: dict[str, object] = {"kind": "same", "sides": [_side(side) for side in relation.sides]}
    if relation.operator != "equals":
        said["operator"] = relation.operator
    return said if relation.tolerance is None else {**said, "tolerance": relation.tolerance}


def _side(side: Side) -> dict[str, object]:
    beside = {
        _WIRE.get(field.name, field.name): value
        for field in attrs.fields(Side)
        if field.name not in {"channel", "of"} and (value := getattr(side, field.name)) is not None
    }
    return {side.channel: side.of, **beside}


def kind_name(predicate: Predicate) -> str:  # noqa: PLR0911 -- one arm per join
    """
    The kind as the grammar spells it.
    """
    match predicate:
        case AllOf():
            return "allOf"
        case AnyOf():
            return "anyOf"
        case InOrder():
            return "sequence"
        case Within():
            return "within"
        case Not(hold_ms=int()):
            return "never"
        case Not():
            return "not"
        case _:
            return _KIND_OF[type(predicate).__name__]
