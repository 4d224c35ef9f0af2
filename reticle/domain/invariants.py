"""
Invariants: what must hold of an app whatever is done on it, declared once and judged on every action.

An invariant is a predicate about what is so now (elements, texts, state, relations, the address), or that
something does not happen (an error in the console, a failed request). One that held before an action and does
not hold after it is broken. Over an action's window alone an absence holds as long as nothing came; no action
is watched longer for it.
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.facts import brief
from reticle.domain.memo import once_per_window
from reticle.domain.predicate import Predicate, as_json, evaluate, parse, questions
from reticle.domain.predicate.absences import claims_absence
from reticle.domain.predicate.evaluate import evaluate_with
from reticle.domain.predicate.kinds import (
    AllOf,
    AnyOf,
    Element,
    InOrder,
    Not,
    Route,
    Same,
    State,
    Text,
    Within,
)
from reticle.domain.predicate.patterns import has_delta
from reticle.domain.predicate.timing import is_happening
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import INVARIANT_NAME_CHARS, INVARIANTS, NEVER_MS
from reticle.model.verdict import Held, InvariantOutcome, Outcome
from reticle.model.window import Invariant, InvariantSource, Question, Window

VERSION: Final = 1
"""Of the file's form; another one is not read."""

EXAMPLE: Final = '{"kind": "console", "level": "error", "absent": true}'
_KEYS: Final = frozenset({"name", "predicate"})


@attrs.frozen
class Judged:
    """
    One invariant over a window: whether it held before the action, and how it came out.
    """

    invariant: Invariant
    before: Held
    now: Outcome


def checked_invariant(name: object, predicate: object, source: InvariantSource) -> Invariant:
    """
    A declaration that can be judged.

    Raises:
        Refusal: ``bad_arguments`` for a name, ``bad_predicate`` for a predicate that is none, or that nothing
            can always meet.
    """
    if (
        not isinstance(name, str)
        or not name.strip()
        or len(name) > INVARIANT_NAME_CHARS
        or not name.isprintable()
    ):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"An invariant needs a name of 1 to {INVARIANT_NAME_CHARS} characters in one line.",
            "Give name, for example no-errors.",
        )
    read = parse(predicate)
    if not _can_always_hold(read):
        raise Refusal(
            RefusalCode.BAD_PREDICATE,
            f"Invariant {name!r} claims that something happens, which no action need bring about.",
            "An invariant is about what is so at any time (element, text, state, same, route) or that "
            f"something does not happen, such as {EXAMPLE}.",
        )
    return Invariant(name, as_json(read), source)


def declared(name: object, predicate: object, source: InvariantSource) -> Invariant:
    """
    A declaration from a file or an app: one that cannot be judged says why, and is told with each verdict.
    """
    try:
        return checked_invariant(name, predicate, source)
    except Refusal as refusal:
        return Invariant(brief(str(name), INVARIANT_NAME_CHARS), {}, source, brief(refusal.message, 200))


def invariants_in_json(text: str) -> Sequence[Invariant]:
    """
    The declarations of ``.reticle/invariants.json``, which people may have edited.

    Raises:
        Refusal: ``conflict`` for a file that is none.
    """
    try:
        fields = json.loads(text)
    except ValueError:
        fields = None
    listed = (
        fields.get("invariants") if isinstance(fields, dict) and fields.get("version") == VERSION else None
    )
    if not isinstance(listed, list):
        raise Refusal(
            RefusalCode.CONFLICT,
            ".reticle/invariants.json cannot be read: it is not of this version, or was damaged.",
            "Mend it, or remove it.",
        )
    return _listed(listed, "project")


def invariants_in_toml(text: str) -> Sequence[Invariant]:
    """
    The ``[[invariant]]`` tables of a project's ``reticle.toml``; ``predicate`` is a table, or JSON in a text.
    """
    try:
        listed = tomllib.loads(text).get("invariant", [])
    except tomllib.TOMLDecodeError as fault:
        return (Invariant("reticle.toml", {}, "settings", f"cannot be read: {brief(str(fault), 120)}"),)
    return _listed(listed if isinstance(listed, list) else [listed], "settings")


def invariants_of_app(told: Sequence[str]) -> Sequence[Invariant]:
    """
    What a page says must always hold of its app: each text is the JSON of one declaration.
    """
    return _listed([_as_object(text) for text in told], "app")


def invariants_text(invariants: Sequence[Invariant]) -> str:
    """
    The file of a project's invariants, sorted by name.
    """
    listed = [
        {"name": one.name, "predicate": dict(one.predicate)}
        for one in sorted(invariants, key=lambda one: one.name)
    ]
    return json.dumps({"version": VERSION, "invariants": listed}, indent=1, ensure_ascii=False) + "\n"


def asked_of_page(claim: Predicate, invariants: Sequence[Invariant]) -> Sequence[Question]:
    """
    What the live page must be asked to judge a claim, and the invariants beside it.
    """
    asked = list(questions(claim))
    for one in invariants:
        if one.fault is None:
            asked += [question for question in questions(_predicate(one)) if question not in asked]
    return tuple(asked)


@once_per_window
def judged_invariants(window: Window) -> tuple[Judged, ...]:
    """
    Every invariant that can be judged, over a window in which somebody acted and that ended with its page in
    sight.
    """
    if window.connection_lost or not (window.action is not None or _acted_in(window)):
        return ()
    watched = attrs.evolve(window, closed_t_ms=max(window.closed_t_ms, window.opened_t_ms + NEVER_MS))
    nothing = attrs.evolve(
        watched, events=(), losses=(), open_requests_before=(), blind_spots={}, new_document=False
    )
    found = []
    for one in window.invariants:
        if one.fault is None:
            predicate = _predicate(one)
            before = evaluate_with(predicate, nothing, window.before).held
            found.append(Judged(one, before, evaluate(predicate, watched)))
    return tuple(found)


def invariant_outcomes(window: Window) -> tuple[InvariantOutcome, ...]:
    """
    How each came out, for the record.
    """
    return tuple(
        InvariantOutcome(one.invariant.name, one.invariant.source, one.before, one.now.held)
        for one in judged_invariants(window)
    )


def invariant_notes(window: Window) -> Sequence[str]:
    """
    What is to be known of the invariants that are not broken by the action, and do not hold for certain.
    """
    faulty = [f"invariant {one.name!r} is not judged: {one.fault}" for one in window.invariants if one.fault]
    notes = []
    for one in judged_invariants(window):
        if one.now.held is Held.UNKNOWN:
            notes.append(
                f"invariant {one.invariant.name!r} cannot be told: {brief(one.now.failure or '', 120)}"
            )
        elif one.now.held is Held.NO and one.before is Held.NO:
            notes.append(f"invariant {one.invariant.name!r} was broken before the action already")
    return [*faulty, *notes]


def _acted_in(window: Window) -> bool:
    return any(at >= window.opened_t_ms for at in window.acted_at)


def _listed(listed: Sequence[object], source: InvariantSource) -> Sequence[Invariant]:
    found: dict[str, Invariant] = {}
    for each in listed[:INVARIANTS]:
        fields = each if isinstance(each, Mapping) else {}
        name = fields.get("name", "?")
        unknown = sorted(str(key) for key in fields if key not in _KEYS)
        if unknown:
            why = f"has the unknown field {unknown[0]!r}; it has name and predicate"
            one = Invariant(brief(str(name), INVARIANT_NAME_CHARS), {}, source, why)
        else:
            one = declared(name, _as_object(fields.get("predicate")), source)
        found[one.name] = one
    return tuple(found.values())


def _as_object(predicate: object) -> object:
    if not isinstance(predicate, str):
        return predicate
    try:
        return json.loads(predicate)
    except ValueError:
        return predicate


def _can_always_hold(predicate: Predicate) -> bool:  # noqa: PLR0911 -- one arm per kind
    """
    Whether no action is needed for it to hold.
    """
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts):
            return all(map(_can_always_hold, parts))
        case Not(hold_ms=int()):
            return True
        case Not(predicate=part):
            return is_happening(part) or _can_always_hold(part)
        case State(equals=pattern):
            return not has_delta(pattern)
        case Same():
            return predicate.is_read_from_page
        case Route(pathname=None, contains=None):
            return False
        case Element() | Text() | Route():
            return True
        case InOrder() | Within():
            return False
        case _:
            return claims_absence(predicate)


def _predicate(one: Invariant) -> Predicate:
    return _parsed(json.dumps(one.predicate, sort_keys=True))


@functools.lru_cache(256)
def _parsed(text: str) -> Predicate:
    return parse(json.loads(text))
