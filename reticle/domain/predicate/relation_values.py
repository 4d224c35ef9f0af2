"""
What stands on one side of a relation: a value, nothing, or what nobody can tell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import attrs

from reticle.domain.capture import DOM_BLIND_SPOTS, blind
from reticle.domain.facts import brief, flag_of, list_of, text_of, whole_of
from reticle.domain.json_text import read_json
from reticle.domain.predicate.bodies import REQUEST, RESPONSE, has_placeholder, is_unread, json_of
from reticle.domain.predicate.json_path import at_path
from reticle.domain.predicate.kinds import UNSET, Side
from reticle.domain.predicate.questions import answered, question_of_side
from reticle.domain.predicate.watching import unseen
from reticle.domain.predicate.whole_numbers import is_whole_part
from reticle.domain.requests import Request, requests
from reticle.domain.tooling import is_dev_tooling
from reticle.model.window import Reading, Window


@attrs.frozen
class Told:
    """
    The value. ``machine`` is set where a program wrote it, so that a number in it is read one way only.
    """

    value: object
    machine: bool = False


@attrs.frozen
class Missing:
    """
    There is none, as far as could be seen.
    """

    why: str


@attrs.frozen
class Untold:
    """
    Whether there is one, or what it is, cannot be told.
    """

    why: str


Reached: TypeAlias = Told | Missing | Untold


def read_side(side: Side, window: Window, readings: Sequence[Reading]) -> Reached:
    """
    What stands there by the window and the given readings.
    """
    match side.channel:
        case "literal":
            return Told(side.of, machine=True)
        case "response" | "request":
            return _in_body(side, window)
        case _:
            answer = _answer(side, readings)
            return answer if isinstance(answer, Untold) else _in_answer(side, answer, window)


def side_words(side: Side) -> str:
    """
    A side in a few words, such as ``state cart.total``.
    """
    if side.channel == "literal":
        return brief(json.dumps(side.of, ensure_ascii=False), 60)
    if isinstance(side.of, Mapping):
        named = ", ".join(f"{name} {value!r}" for name, value in side.of.items())
        return f"{side.channel} of ({brief(named, 60)})"
    beside = [part for part in (side.method, side.url_contains, side.path) if part is not None]
    where = f"{side.store}.{side.of}" if side.store is not None else str(side.of)
    return f"{side.channel} {where}" + (f" ({' '.join(beside)})" if beside else "")


def _answer(side: Side, readings: Sequence[Reading]) -> Mapping[str, object] | Untold:
    question = question_of_side(side)
    reading = None if question is None else answered(question, readings)
    if reading is None:
        return Untold("the page was not asked")
    if reading.error is not None or reading.answer is None:
        return Untold(f"the page could not be read: {brief(reading.error or 'no answer')}")
    if reading.answer.get("scopeMissing"):
        return Untold("the scope to look in is not on the page")
    return reading.answer


def _in_answer(side: Side, answer: Mapping[str, object], window: Window) -> Reached:
    match side.channel:
        case "count":
            return _number_shown(answer, window)
        case "state":
            return _in_store(side, answer)
        case "storage":
            return _kept(side, answer)
        case _:
            return _on_element(side, answer)


def _number_shown(answer: Mapping[str, object], window: Window) -> Reached:
    count = whole_of(answer, "visibleCount")
    if count is None:
        return Untold("the page's answer was not understood")
    spots = blind(window, DOM_BLIND_SPOTS)
    if spots:
        return Untold(
            f"{count} are seen, and more may be where the page cannot be looked into: {', '.join(spots)}"
        )
    return Told(count, machine=True)


def _on_element(side: Side, answer: Mapping[str, object]) -> Reached:  # noqa: PLR0911 -- each way of there being none
    count, shown = whole_of(answer, "count"), whole_of(answer, "visibleCount")
    if count is None or shown is None:
        return Untold("the page's answer was not understood")
    if count == 0:
        return Missing("is not on the page")
    text, value = text_of(answer, "text"), text_of(answer, "value")
    if text is None and value is None:
        return Untold(
            f"{count} elements fit, {shown} of them visible; name one" if count > 1 else "was not told"
        )
    if side.channel == "value" and value is None:
        return Untold("is no field")
    if side.channel != "value" and flag_of(answer, "visible") is not True:
        return Missing("is there, but hidden")
    if answer.get("cut"):
        return Untold("was cut, as it is too long to compare; name a smaller element")
    said = value if side.channel == "value" or (side.channel == "number" and value is not None) else text
    said = said or ""
    return Untold("was not sent (redacted)") if has_placeholder(said) else Told(said)


def _in_store(side: Side, answer: Mapping[str, object]) -> Reached:
    several = [str(name) for name in list_of(answer, "ambiguous")]
    if several:
        return Untold(f"several stores have it: {', '.join(several)}; name one with store")
    names = [str(name) for name in list_of(answer, "storeNames")]
    found = flag_of(answer, "found")
    if found is not True and not names:
        return Untold("the app registered no store, so its state cannot be seen")
    if found is not True and side.store is not None and side.store not in names:
        return Untold(f"there is no store {side.store!r}, only {', '.join(names[:8])}")
    if found is None:
        return Untold("the page's answer was not understood")
    return _whole(answer.get("value")) if found else Missing("does not exist")


def _kept(  # noqa: PLR0911 -- each way of there being none
    side: Side, answer: Mapping[str, object]
) -> Reached:
    found = flag_of(answer, "found")
    unread = [str(area) for area in list_of(answer, "unavailable")]
    if found is None or (not found and unread):
        return Untold("the storage could not be read" + (f": {', '.join(unread)}" if unread else ""))
    if not found:
        return Missing("is not stored")
    others = [str(area) for area in list_of(answer, "alsoIn")]
    if others:
        return Untold(f"is in {answer.get('area')} and in {', '.join(others)}; name one with area")
    text = answer.get("value")
    if answer.get("truncated") or has_placeholder(text):
        return Untold("was not sent whole (redacted or cut)")
    if side.path is None or not isinstance(text, str):
        return _whole(text)
    try:
        return _at(read_json(text), side.path)
    except ValueError:
        return Untold("is no JSON, so that it has no path")


def _in_body(side: Side, window: Window) -> Reached:
    """
    In the last such request that ended; a later one that is under way may be the one that is meant.
    """
    wanted = f"{side.method or 'a request'} …{side.url_contains}…"
    gap = unseen(window, "net")
    named = [one for one in requests(window) if _is_named(side, one, window)]
    ended = [one for one in named if one.ended is not None]
    waiting = next((one for one in named if one.ended is None), None)
    if waiting is not None:
        return Untold(f"{waiting.method} {waiting.url} has not been seen to answer")
    if gap is not None and (window.losses or not ended):
        return Untold(gap.why)
    if not ended:
        return Missing(f"has no request to be read from: no {wanted} ended")
    last = max(ended, key=lambda one: one.ended.seq if one.ended is not None else 0)
    key = RESPONSE if side.channel == "response" else REQUEST
    body = json_of(last, key)
    if body is UNSET:
        return Untold(
            f"of {last} was not recorded whole" if is_unread(last, key) else f"of {last} is no JSON"
        )
    return _at(body, str(side.of))


def _is_named(side: Side, one: Request, window: Window) -> bool:
    url = side.url_contains or ""
    if (one.before and window.action is not None) or (side.method or one.method).upper() != one.method:
        return False
    return (not url or is_whole_part(url, one.url)) and not is_dev_tooling(one.url)


def _at(body: object, path: str) -> Reached:
    """
    What stands at the path. Where a part of the whole was not sent, neither a lack nor a length is believed.
    """
    value = at_path(body, path)
    if (value is UNSET or path.rpartition(".")[2] == "length") and has_placeholder(body):
        return Untold("was not sent whole (redacted or cut)")
    return Missing("does not exist") if value is UNSET else _whole(value)


def _whole(value: object) -> Reached:
    return (
        Untold("was not sent whole (redacted or cut)")
        if has_placeholder(value)
        else Told(value, machine=True)
    )
