"""
Whether one claim is another one or a stronger one: wherever the first holds, the second does.

Used where a claim was demanded and something else was shown (``domain.work.verdict_gate``). A "no" means
only that it is not known to be stronger, so every rule here is one that the evaluation bears out
(``evaluate``), and whatever is not named here is compared as it is written:

- a part of ``allOf`` is enough, of ``anyOf`` all are needed, and the other way round for what follows;
- a field less is weaker, and so is a shorter part of an address, a message or a text that was found;
- exactly so many of something are at least one; none of something is none of what is narrower;
- a pattern is weaker where every value that fits the other fits it;
- soon, or in an order, is at all; never, for longer, is never.

A text is not compared by its parts, unless a ``scope`` says where it is looked for: one that came up and went
counts too, and a shorter one may be another one's (``passing``).
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import attrs

from reticle.domain.predicate.canonical import as_json
from reticle.domain.predicate.kinds import (
    UNSET,
    AllOf,
    Animation,
    AnyOf,
    Console,
    Dialog,
    Download,
    Element,
    InOrder,
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
from reticle.domain.predicate.pattern_implies import pattern_implies, same_value
from reticle.domain.predicate.whole_claims import met_doubtfully
from reticle.domain.predicate.whole_messages import is_whole_in_message
from reticle.domain.predicate.whole_numbers import is_whole_part, met_as_part

Weaker: TypeAlias = Callable[[object, object], bool]
"""Whether a field's second value asks for no more than its first."""


def implies(strong: Predicate, weak: Predicate) -> bool:
    """
    Whether ``weak`` holds in every window in which ``strong`` does; False where that is not known.
    """
    return _Comparison().implies(strong, weak)


@attrs.define
class _Comparison:
    """
    One comparison; each pair of parts is looked at once, however they are nested.
    """

    _known: dict[tuple[int, int], bool] = attrs.Factory(dict)

    def implies(self, strong: Predicate, weak: Predicate) -> bool:
        pair = id(strong), id(weak)
        if pair not in self._known:
            self._known[pair] = self._compared(strong, weak)
        return self._known[pair]

    def _compared(self, strong: Predicate, weak: Predicate) -> bool:  # noqa: PLR0911 -- one arm per join
        if _same(strong, weak):
            return True
        match weak:
            case AllOf(predicates=parts):
                return all(self.implies(strong, part) for part in parts)
            case AnyOf(predicates=parts) if any(self.implies(strong, part) for part in parts):
                return True
        match strong:
            case AllOf(predicates=parts):
                return any(self.implies(part, weak) for part in parts)
            case AnyOf(predicates=parts):
                return all(self.implies(part, weak) for part in parts)
            case Within(predicate=part, ms=ms):
                if isinstance(weak, Within):
                    return _stays(part) and ms <= weak.ms and _same(part, weak.predicate)
                return _stays(part) and self.implies(part, weak)
            case InOrder(predicates=parts):
                return any(_stays(part) and self.implies(part, weak) for part in parts)
            case Not():
                return isinstance(weak, Not) and _denies_more(strong, weak)
            case _:
                return type(strong) is type(weak) and _leaf_implies(strong, weak)


def _same(one: Predicate, other: Predicate) -> bool:
    """
    Whether two are written alike; 1 and true are not, which Python calls equal.
    """
    return type(one) is type(other) and _text(one) == _text(other)


def _text(predicate: Predicate) -> str:
    return json.dumps(as_json(predicate), sort_keys=True, default=repr)


def _stays(part: Predicate) -> bool:
    """
    Whether it is a leaf that goes on to hold whatever else happens: what happened early, or in an order,
    happened, which cannot be said of "exactly so often".
    """
    lasting = Net | Signal | Console | Route | Storage | Stream | Perf | Animation
    return isinstance(part, lasting) and _at_least_one(part)


def _at_least_one(leaf: Predicate) -> bool:
    return getattr(leaf, "count", None) is None and not getattr(leaf, "absent", False)


def _denies_more(strong: Not, weak: Not) -> bool:
    if weak.hold_ms is not None and (strong.hold_ms is None or strong.hold_ms < weak.hold_ms):
        return False
    denied, part = strong.predicate, weak.predicate
    if _same(denied, part):
        return True
    return (
        strong.hold_ms is None
        and isinstance(denied, AnyOf)
        and any(_same(each, part) for each in denied.predicates)
    )


def _leaf_implies(strong: Predicate, weak: Predicate) -> bool:  # noqa: PLR0911 -- one arm per kind
    match strong, weak:
        case Element(), Element():
            return _element_implies(strong, weak)
        case Text(), Text():
            return _text_implies(strong, weak)
        case State(), State():
            return _state_implies(strong, weak)
        case Storage(), Storage() if not _same_or_free(strong, weak):
            return False
        case Route(), Route():
            return _route_implies(strong, weak)
        case Settled(), Settled():
            return strong.quiet_ms >= weak.quiet_ms
        case _:
            return _counted_implies(strong, weak)


def _counted_implies(strong: Predicate, weak: Predicate) -> bool:
    """
    Leaves about what happens, whose fields each narrow down what is counted.
    """
    rules = _FIELDS.get(type(strong))
    if rules is None or getattr(strong, "since", None) != getattr(weak, "since", None):
        return False
    if getattr(strong, "absent", False) != getattr(weak, "absent", False):
        return False
    if getattr(strong, "absent", False):
        return isinstance(strong, Console) and _narrower(weak, strong, rules)
    many, wanted = getattr(strong, "count", None), getattr(weak, "count", None)
    if wanted == 0 and many == 0:
        return _none_of(strong, weak)
    return wanted is None and many != 0 and _narrower(strong, weak, rules)


def _narrower(strong: object, weak: object, rules: Mapping[str, Weaker]) -> bool:
    return all(weaker(getattr(strong, name), getattr(weak, name)) for name, weaker in rules.items())


def _none_of(strong: Predicate, weak: Predicate) -> bool:
    """
    None of something is none of what has more asked of it beside, where both are looked for alike.
    """
    if not isinstance(strong, Net | Signal):
        return False
    named = ("method", "url_contains") if isinstance(strong, Net) else ("name",)
    fields = [
        field.name for field in attrs.fields(type(strong)) if field.name not in {"count", "since", *named}
    ]
    return all(same_value(getattr(strong, name), getattr(weak, name)) for name in named) and all(
        _dropped(getattr(weak, name), getattr(strong, name)) for name in fields
    )


def _same_or_free(strong: Storage, weak: Storage) -> bool:
    """
    What was written with a value was written; one that says neither is about both.
    """
    free = weak.removed is None and weak.equals is UNSET
    return free or strong.removed == weak.removed


_MET: Final = frozenset({
    "present", "visible", "enabled", "disabled", "checked", "mixed", "expanded", "focused", "invalid",
    "required", "readonly", "inViewport",
})  # fmt: skip
"""States in which an element is there for somebody."""

_WIDENS: Final = frozenset({"name", "attrs", "scope"})
"""Query fields that narrow down, whatever else the query has: without one it finds no less."""


def _element_implies(strong: Element, weak: Element) -> bool:
    if strong.absent or weak.absent:
        return False
    if not all(same_value(strong.query.get(name, UNSET), value) for name, value in weak.query.items()):
        return False
    if not {*strong.query} - {*weak.query} <= _WIDENS:
        return False
    alike = strong.state == weak.state
    if (
        not alike
        and not (strong.state in _MET and weak.state in {None, "present"})
        and weak.state != "attached"
    ):
        return False
    if weak.style is None:
        return True
    return alike and strong.style is not None and _patterns(strong.style, weak.style)


def _text_implies(strong: Text, weak: Text) -> bool:
    if strong.absent != weak.absent or strong.scope != weak.scope or strong.visible != weak.visible:
        return False
    if strong.absent:
        return not strong.exact and not weak.exact and _is_part_of(weak.contains, strong.contains)
    if any(part(weak.contains, [strong.contains]) is not None for part in (met_as_part, met_doubtfully)):
        return False
    lies_in_wait = strong.scope is None and strong.visible is not False
    return not lies_in_wait and not weak.exact and _is_part_of(strong.contains, weak.contains)


def _is_part_of(whole: str, part: str) -> bool:
    """
    Whether a text that holds the first holds the second, as the page folds them.
    """
    one, other = (" ".join(unicodedata.normalize("NFC", each).split()) for each in (whole, part))
    return one.isprintable() and other.isprintable() and other in one


def _state_implies(strong: State, weak: State) -> bool:
    if strong.path != weak.path or strong.store != weak.store:
        return False
    there: object = {"$exists": True}
    return pattern_implies(*(there if leaf.equals is UNSET else leaf.equals for leaf in (strong, weak)))


def _route_implies(strong: Route, weak: Route) -> bool:
    """
    One that names no address is about a change, which being somewhere is not.
    """
    if strong.since != weak.since or (weak.pathname is None and weak.contains is None):
        return False
    if weak.pathname not in {None, strong.pathname}:
        return False
    known = [each for each in (strong.pathname, strong.contains) if each is not None]
    return weak.contains is None or any(is_whole_part(weak.contains, each) for each in known)


def _dropped(strong: object, weak: object) -> bool:
    """
    The same, or not asked for.
    """
    return weak is None or weak is UNSET or same_value(strong, weak)


def _exactly(strong: object, weak: object) -> bool:
    return same_value(strong, weak)


def _part(strong: object, weak: object) -> bool:
    """
    A shorter part of the same, or not asked for.
    """
    return weak is None or (isinstance(strong, str) and isinstance(weak, str) and weak in strong)


def _part_in_any_case(strong: object, weak: object) -> bool:
    return weak is None or (
        isinstance(strong, str) and isinstance(weak, str) and weak.lower() in strong.lower()
    )


def _part_of_address(strong: object, weak: object) -> bool:
    """
    Without an address, requests of development tools do not count, with one they do.
    """
    return (strong is None and weak is None) or (weak is not None and _part_with_numbers(strong, weak))


def _part_with_numbers(strong: object, weak: object) -> bool:
    """
    As ``_part``, with numbers at its ends as they are: "/orders/1" is no part of "/orders/12".
    """
    return weak is None or (isinstance(strong, str) and isinstance(weak, str) and is_whole_part(weak, strong))


def _part_of_message(strong: object, weak: object) -> bool:
    """
    As ``_part``, with numbers at its ends as they are written: "Cost 2" is no part of "Cost 2.50".
    """
    return weak is None or (
        isinstance(strong, str) and isinstance(weak, str) and is_whole_in_message(weak, strong)
    )


def _any_case(strong: object, weak: object) -> bool:
    return weak is None or (
        isinstance(strong, str) and isinstance(weak, str) and strong.upper() == weak.upper()
    )


def _patterns(strong: object, weak: object) -> bool:
    if weak is None:
        return True
    if not isinstance(strong, Mapping) or not isinstance(weak, Mapping):
        return False
    return all(name in strong and pattern_implies(strong[name], pattern) for name, pattern in weak.items())


def _pattern(strong: object, weak: object) -> bool:
    return weak is UNSET or (strong is not UNSET and pattern_implies(strong, weak))


_GRAVITY: Final = {"warning": 1, "error": 2, "critical": 3}


def _level(strong: object, weak: object) -> bool:
    return weak is None or _GRAVITY.get(str(strong), 0) >= _GRAVITY.get(str(weak), 4)


def _direction(strong: object, weak: object) -> bool:
    return strong == weak or (weak is None and strong in {"in", "out"})


def _ran(strong: object, weak: object) -> bool:
    return bool(strong) == bool(weak)


_FIELDS: Final[Mapping[type, Mapping[str, Weaker]]] = {
    Net: {
        "method": _any_case,
        "url_contains": _part_of_address,
        "status": _dropped,
        "ok": _dropped,
        "body_contains": _part_of_message,
        "body": _patterns,
        "body_schema": _dropped,
        "request_body": _patterns,
    },
    Console: {"level": _dropped, "contains": _part_of_message},
    Signal: {"name": _dropped, "data_matches": _patterns},
    Animation: {"name": _dropped, "target": _dropped, "completed": _ran},
    Storage: {"area": _dropped, "key": _dropped, "store": _dropped, "equals": _dropped},
    Stream: {
        "transport": _dropped,
        "direction": _direction,
        "url_contains": _part_with_numbers,
        "contains": _part_of_message,
    },
    Perf: {"metric": _exactly, "value": _pattern},
    Dialog: {"dialog": _dropped, "contains": _part_of_message},
    Download: {"state": _exactly, "contains": _part_of_message},
    Server: {
        "method": _any_case,
        "route": _dropped,
        "url_contains": _part_with_numbers,
        "status": _dropped,
        "exception": _part,
    },
    Sql: {"verb": _dropped, "table": _dropped},
    Log: {"level": _level, "contains": _part_of_message},
    Mail: {"to": _part_in_any_case, "subject": _part_of_message},
}
