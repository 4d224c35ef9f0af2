"""
Whether a claim that does not hold speaks against the page or against its server: what was asked may not be as
claimed, or what was answered may not be, or the page may not show what it was told.

It says where to look first and decides nothing.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import parse_qsl

from reticle.domain.claim_words import leaves_with
from reticle.domain.facts import text_of, url_parts
from reticle.domain.json_text import read_json
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate.network import body_text
from reticle.domain.requests import Request
from reticle.domain.server_places import is_asked_too_often, is_made_by_server
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_DATA: Final = frozenset({"net", "state", "storage", "signal", "rows"})
_SHOWN: Final = ("text", "element", "state", "signal", "storage", "rows")
_VALUES: Final = ("text", "equals", "value", "contains", "matches", "name", "values")
_OFFERS: Final = frozenset(
    {"button", "menuitem", "tab", "checkbox", "radio", "switch", "combobox", "textbox"}
)
"""Roles of what a page offers to do: an answer has data, and what is done with it the page decides."""


class Lean(enum.Enum):
    """Against whom a claim speaks that does not hold; ``MADE``: the server made what the page shows."""

    PAGE = "page"
    SERVER = "server"
    MADE = "made by the server"
    OPEN = "open"


def leaning(claim: Mapping[str, object], outcome: Outcome, window: Window, found: Sequence[str] = ()) -> Lean:
    """
    Against whom the failed parts of a claim speak, as far as they agree.

    Args:
        claim: As canonical JSON.
        outcome: The claim's.
        window: What was seen.
        found: What stands where something else was claimed.
    """
    asked = [one for one in own_requests(window) if one.ended is not None]
    if not asked or is_asked_too_often(outcome):
        return Lean.PAGE
    if is_made_by_server(window, outcome):
        return Lean.MADE
    bodies = _Bodies(asked)
    failed = [(leaf, came) for leaf, came in leaves_with(claim, outcome) if came.held is not Held.YES]
    sent = {_sent(leaf, came, asked) for leaf, came in failed if leaf.get("kind") == "net"}
    knows = bodies.any and not any(leaf.get("kind") in _DATA for leaf, _ in failed)
    shown = {
        Lean.PAGE
        if _is_unseen(came, window) or _is_asked_otherwise(leaf, asked) or (knows and _is_offered(leaf))
        else _shown(leaf, came, bodies, found)
        for leaf, came in failed
        if leaf.get("kind") in _SHOWN
    }
    led = {Lean.PAGE for leaf, _ in failed if leaf.get("kind") == "route" and not _is_left(asked)}
    right = {
        text for leaf, came in leaves_with(claim, outcome) if came.held is Held.YES for text in _texts(leaf)
    }
    if not sent and any(text in right for text in found if _NUMBER.fullmatch(text)):
        return Lean.PAGE  # what is shown raw is a number that was answered as claimed
    leans = (sent or led or shown) - {Lean.OPEN}
    return leans.pop() if len(leans) == 1 else Lean.OPEN


def _is_left(asked: Sequence[Request]) -> bool:
    """
    Whether a server was asked for a document: it may have led elsewhere.
    """
    return any(one.initiator == "document" for one in asked)


def _is_unseen(came: Outcome, window: Window) -> bool:
    """
    Whether what was claimed is in the document, and nobody can see it: it was answered.
    """
    told = (text_of(reading.answer or {}, "unseen") for reading in window.after)
    return came.failure is not None and any(why in came.failure for why in told if why)


def _is_offered(leaf: Mapping[str, object]) -> bool:
    """
    Whether a part says that something is not to be offered.
    """
    query = leaf.get("query")
    return bool(leaf.get("absent")) and isinstance(query, Mapping) and query.get("role") in _OFFERS


def _is_asked_otherwise(leaf: Mapping[str, object], asked: Sequence[Request]) -> bool:
    """
    Whether a text names a number of what was asked for, and all that asked for it by that name asked for
    another: ``Page 1 of 3`` of ``?page=2``.
    """
    given: dict[str, set[str]] = {}
    for name, value in (pair for one in asked for pair in parse_qsl(url_parts(one.url).query)):
        if value.isdigit() and len(name) > 1:
            given.setdefault(name.lower(), set()).add(value)
    said = [(name, re.findall(rf"\b{re.escape(name)}\W{{0,2}}(\d+)", text, re.IGNORECASE))
            for name in given for text in _texts(leaf)]  # fmt: skip
    return any(numbers and not given[name] & set(numbers) for name, numbers in said)


def _shown(leaf: Mapping[str, object], came: Outcome, bodies: _Bodies, found: Sequence[str]) -> Lean:
    query = leaf.get("query")
    if leaf.get("state") is not None and leaf.get("kind") == "element":
        lean = Lean.PAGE  # focus, what is checked, what is disabled: the page's own doing
    elif not bodies.any:
        lean = Lean.OPEN
    elif isinstance(query, Mapping) and bodies.tells_numbers(str(query.get("testid", ""))) is False:
        lean = Lean.SERVER  # the page was not told of it
    else:
        lean = _told([bodies.tell(text) for text in _texts(leaf)], leaf, came, bodies, found)
    return lean


def _told(
    told: Sequence[bool | None],
    leaf: Mapping[str, object],
    came: Outcome,
    bodies: _Bodies,
    found: Sequence[str],
) -> Lean:
    """
    By whether the server told what is claimed, and what stands there instead.
    """
    if leaf.get("absent") or leaf.get("count") == 0 or "not" in came.assertion:
        return Lean.SERVER if any(one is True for one in told) else Lean.OPEN
    if told and all(one is True for one in told):
        return Lean.PAGE
    if not told or any(told) or not found:
        return Lean.OPEN
    if leaf.get("kind") == "state" or not leaf.get("scope", leaf.get("query")):
        return Lean.OPEN  # what was found stands elsewhere
    # what stands there instead was told as it is, or the page made it otherwise of the same numbers
    if any(bodies.tell(text) for text in found):
        return Lean.SERVER
    claimed = {number for text in _texts(leaf) for number in _NUMBER.findall(text)}
    shown = {number for text in found for number in _NUMBER.findall(text)}
    is_pages = (not claimed or claimed & shown) and not _is_told_otherwise(leaf, bodies, found)
    return Lean.PAGE if is_pages else Lean.OPEN


def _is_told_otherwise(leaf: Mapping[str, object], bodies: _Bodies, found: Sequence[str]) -> bool:
    """
    Whether a word of what is claimed was told, and stands there, in another spelling: an id, not the name.
    """
    spelt = {word.casefold() for text in _texts(leaf) for word in _WORD.findall(text)}
    same = [word for text in found for word in _WORD.findall(text) if word.casefold() in spelt]
    return any(bodies.tell(word) for word in same)


def _sent(leaf: Mapping[str, object], came: Outcome, asked: Sequence[Request]) -> Lean:
    """
    Of a part about requests: the server's where all that is claimed of the request itself is so.
    """
    address, method = str(leaf.get("urlContains", "")), leaf.get("method")
    same = [one for one in asked if (method in (None, one.method)) and address in one.url]
    if not same or came.final:
        return Lean.PAGE
    wanted = leaf.get("requestBody")
    if isinstance(wanted, Mapping) and not any(_has(wanted, one.answer.get("requestBody")) for one in same):
        return Lean.PAGE
    return Lean.SERVER


def _has(wanted: Mapping[str, object], sent: object) -> bool:
    """
    Whether a body has what is claimed of it, by plain values alone: what has an operator is taken to be so.
    """
    if isinstance(sent, str):
        try:
            sent = read_json(sent)
        except ValueError:
            return True
    if not isinstance(sent, Mapping):
        return True
    return all(
        isinstance(value, Mapping) or "." in str(key) or sent.get(key) == value
        for key, value in wanted.items()
    )


class _Bodies:
    """
    The words and numbers of what was answered.
    """

    def __init__(self, asked: Sequence[Request]) -> None:
        text = " ".join(filter(None, map(body_text, asked)))
        self.any = bool(text)
        self._text = text
        self._numbers = {form for found in _NUMBER.findall(text) for form in _forms(found)}

    def tell(self, text: str) -> bool | None:
        """
        Whether a text was told; None where nothing says so or otherwise.
        """
        if len(text) > 1 and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", self._text):
            return True
        return self.tells_numbers(text)

    def tells_numbers(self, text: str) -> bool | None:
        """
        Whether the numbers in a text were told; None where it has none.
        """
        numbers = _NUMBER.findall(text)
        if not numbers or all(len(one) == 1 for one in numbers):  # digits stand in every answer
            return None
        return all(any(form in self._numbers for form in _forms(one)) for one in numbers)


def _forms(number: str) -> Iterator[str]:
    """
    How a number may be written: ``7.40`` is 740 cents.
    """
    bare = number.replace(",", "")
    yield bare
    if "." in bare:
        yield bare.replace(".", "").lstrip("0")
        yield bare.rstrip("0").rstrip(".")
    else:
        yield f"{bare}00"


def _texts(value: object, field: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, field)
    elif isinstance(value, int | float) and not isinstance(value, bool) and field in _VALUES:
        yield str(value)
    elif isinstance(value, str) and value and field in _VALUES:
        yield value
