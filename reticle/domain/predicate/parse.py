"""
From JSON to a predicate, strictly: every field is understood or the whole is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from reticle.domain.predicate.fields import checked
from reticle.domain.predicate.grammar import COMPOSITES, HAPPENINGS, KINDS, QUERY_FIELDS, KindRule
from reticle.domain.predicate.kinds import (
    AllOf,
    Animation,
    AnyOf,
    Console,
    Dialog,
    Download,
    Element,
    InOrder,
    Leaf,
    Log,
    Mail,
    Net,
    Not,
    Perf,
    Predicate,
    Route,
    Server,
    Settled,
    Signal,
    Sql,
    State,
    Storage,
    Stream,
    Text,
    Within,
)
from reticle.domain.predicate.refusals import bad_predicate
from reticle.domain.predicate.relation_sides import read_relation
from reticle.domain.predicate.timing import is_happening
from reticle.errors import Refusal
from reticle.model.limits import COUNT_HOLD_MS, NEVER_MS, PREDICATE_DEPTH, PREDICATE_LEAVES

_JOINS = (*COMPOSITES, "sequence", "within", "never")
_JOINED = (AllOf, AnyOf, Not, InOrder, Within)

_EXAMPLE: Mapping[str, object] = KINDS["text"].example

_SIMPLE: Mapping[str, Callable[..., Leaf]] = {
    "element": Element,
    "text": Text,
    "net": Net,
    "route": Route,
    "console": Console,
    "animation": Animation,
    "signal": Signal,
    "state": State,
    "storage": Storage,
    "stream": Stream,
    "perf": Perf,
    "dialog": Dialog,
    "download": Download,
    "server": Server,
    "sql": Sql,
    "log": Log,
    "mail": Mail,
    "settled": Settled,
}

_OURS = {
    "urlContains": "url_contains",
    "bodyContains": "body_contains",
    "bodySchema": "body_schema",
    "requestBody": "request_body",
    "dataMatches": "data_matches",
    "quietMs": "quiet_ms",
}
"""Wire names of fields whose attribute is spelled differently."""


def parse(value: object) -> Predicate:
    """
    Read a predicate.

    Raises:
        Refusal: ``bad_predicate``, naming the place, the nearest right spelling, the accepted fields and
            a valid example. Nothing has run; a corrected call may be made at once.
    """
    return _Reader().read(value, "predicate", 1)


@attrs.define
class _Reader:
    """
    One reading; counts leaves over the whole tree.
    """

    leaves: int = 0

    def read(self, value: object, where: str, depth: int) -> Predicate:
        if depth > PREDICATE_DEPTH:
            raise bad_predicate(where, f"nested deeper than {PREDICATE_DEPTH} levels", example=_EXAMPLE)
        if not isinstance(value, Mapping):
            raise bad_predicate(where, "must be an object with a kind", accepted=KINDS, example=_EXAMPLE)
        kind, fields = _kind_of(value, where)
        rule = KINDS[kind]
        fields = _canonical_names(kind, rule, fields, where)
        self._require(kind, rule, fields, where)
        if kind in _JOINS:
            return self._composite(kind, fields, where, depth)
        self.leaves += 1
        if self.leaves > PREDICATE_LEAVES:
            raise bad_predicate(where, f"more than {PREDICATE_LEAVES} leaves in all", example=_EXAMPLE)
        if kind == "same":
            return read_relation(fields, where)
        given = {
            _OURS.get(name, name): checked(rule, name, field, f"{where}.{name}")
            for name, field in fields.items()
        }
        return _SIMPLE[kind](**given)

    def _composite(self, kind: str, fields: Mapping[str, object], where: str, depth: int) -> Predicate:
        if "predicate" in fields:
            return self._around(kind, fields, where, depth)
        parts = fields["predicates"]
        if not isinstance(parts, list | tuple) or not parts:
            wrong = "must be a list of predicates, not empty"
            raise bad_predicate(f"{where}.predicates", wrong, example=KINDS[kind].example)
        read = tuple(
            self.read(part, f"{where}.predicates[{place}]", depth + 1) for place, part in enumerate(parts)
        )
        if kind != "sequence":
            return AllOf(read) if kind == "allOf" else AnyOf(read)
        for place, part in enumerate(read):
            if isinstance(part, AllOf | AnyOf | Not | InOrder | Within) or not is_happening(part):
                raise _no_moment(f"{where}.predicates[{place}]", kind)
        return InOrder(tuple(part for part in read if not isinstance(part, _JOINED)))

    def _around(self, kind: str, fields: Mapping[str, object], where: str, depth: int) -> Predicate:
        part = self.read(fields["predicate"], f"{where}.predicate", depth + 1)
        if kind == "not":
            # denied twice is claimed: one tree for both, so that each rule judges them alike
            return part.predicate if isinstance(part, Not) and part.hold_ms is None else Not(part)
        ms = checked(KINDS[kind], "ms", fields.get("ms", COUNT_HOLD_MS), f"{where}.ms")
        assert isinstance(ms, int)
        if not is_happening(part, texts=kind == "never"):
            raise _no_moment(f"{where}.predicate", kind)
        if kind == "within":
            return Within(part, ms)
        if ms > NEVER_MS:
            raise bad_predicate(f"{where}.ms", f"is more than {NEVER_MS}", example=KINDS[kind].example)
        return Not(part, ms)

    def _require(self, kind: str, rule: KindRule, fields: Mapping[str, object], where: str) -> None:
        for name, field in rule.fields.items():
            if field.required and name not in fields:
                wrong = f"kind {kind!r} needs {name!r} ({field.meaning})"
                raise bad_predicate(where, wrong, accepted=rule.fields, example=rule.example)


def _no_moment(where: str, kind: str) -> Refusal:
    """
    The refusal of a part that has no moment at which it happens.
    """
    accepted = [*HAPPENINGS, *(["text"] if kind == "never" else [])]
    wrong = f"{kind!r} takes parts about what happens, and that something comes (no absence, no count of 0)"
    return bad_predicate(where, wrong, accepted=accepted, example=KINDS[kind].example)


def _kind_of(value: Mapping[object, object], where: str) -> tuple[str, dict[str, object]]:
    """
    The kind, and the fields without it.
    """
    fields = {str(name): field for name, field in value.items()}
    if "kind" in fields and "type" in fields:
        raise bad_predicate(where, "has both 'kind' and its other spelling 'type'", example=_EXAMPLE)
    if "kind" not in fields and "type" not in fields:
        return _bare(fields, where)
    kind = fields.pop("kind") if "kind" in fields else fields.pop("type")
    if not isinstance(kind, str) or kind not in KINDS:
        got = kind if isinstance(kind, str) else None
        raise bad_predicate(where, f"unknown kind {kind!r}", accepted=KINDS, got=got, example=_EXAMPLE)
    return kind, fields


def _bare(fields: Mapping[str, object], where: str) -> tuple[str, dict[str, object]]:
    """
    ``{"allOf": […]}`` and its like, which need no kind.
    """
    if len(fields) == 1:
        (name,) = fields
        if name in COMPOSITES:
            return name, {"predicate" if name == "not" else "predicates": fields[name]}
    raise bad_predicate(where, "has no kind", accepted=KINDS, example=_EXAMPLE)


def _canonical_names(
    kind: str, rule: KindRule, fields: Mapping[str, object], where: str
) -> dict[str, object]:
    """
    The fields under their canonical names; loose query fields of an element are gathered.
    """
    if kind == "element":
        fields = _lifted(fields, where)
    named: dict[str, object] = {}
    for name, field in fields.items():
        canonical = rule.aliases.get(name, name)
        if canonical in named or (canonical != name and canonical in fields):
            wrong = f"{canonical!r} is given twice, once as {name!r}"
            raise bad_predicate(where, wrong, accepted=rule.fields, example=rule.example)
        if canonical not in rule.fields:
            accepted = [*rule.fields, *(QUERY_FIELDS if kind == "element" else ())]
            wrong = f"unknown field {name!r} for kind {kind!r}"
            raise bad_predicate(where, wrong, accepted=accepted, got=name, example=rule.example)
        named[canonical] = field
    return named


def _lifted(fields: Mapping[str, object], where: str) -> Mapping[str, object]:
    loose = {name: field for name, field in fields.items() if name in QUERY_FIELDS}
    if not loose:
        return fields
    if "query" in fields:
        wrong = f"has a query and {', '.join(sorted(loose))} beside it"
        raise bad_predicate(where, wrong, example=KINDS["element"].example)
    kept = {name: field for name, field in fields.items() if name not in loose}
    return {"query": loose, **kept}
