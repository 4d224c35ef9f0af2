"""
What a claim that does not hold speaks of, as words that may stand in the code that is at fault: addresses,
names of stores and keys, test ids, texts.

What failed weighs most, what held beside it less; the control that was used and the requests that were sent
count too, for they lead there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from typing import Final
from urllib.parse import urlsplit

from reticle.domain.json_text import read_json
from reticle.domain.requests import requests
from reticle.domain.served import kept_answers
from reticle.model.run_limits import CLAIM_WORDS
from reticle.model.verdict import Finding, Held, Outcome
from reticle.model.window import Window

_STEM: Final = 5
"""Letters by which words are told to be the same: ``archive`` and ``archived``, ``order`` and ``orders``."""

_SHORTEST: Final = 3
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAME: Final = re.compile(r"[A-Za-z][\w:.\-]*")
_JOINT: Final = re.compile(r"[-_:.]")
_ADDRESS: Final = re.compile(r"(?<![\w/])/[\w\-/]+")
_QUOTED: Final = re.compile(r"[\"“'`]([^\"”'`]{3,80})[\"”'`]")
_NAMES: Final = ("name", "testid", "text", "label", "id")
"""What a control is told by."""

_CONDITIONS: Final = re.compile(r"(?:\[[^\]]*\]|:[\w-]+(?:\([^)]*\))?)+$")
"""What a selector asks of its last element beside its name, class and id."""

_ATTRIBUTE: Final = re.compile(r"[\w)\]]\[[^\]]*\]$")
"""What a selector asks of the attributes of its last element, where that is told by more."""

_SELECTOR: Final = re.compile(r"data-testid|data-\w+(?==)|:[\w-]+(?:\([^)]*\))?")
"""What is a selector's own in it."""

_GRAMMAR: Final = frozenset(
    {"kind", "predicate", "predicates", "area", "operator", "channel", "ms", "role", "level"}
)
"""Fields whose values are the claim's grammar, not the app's."""

_CALLS: Final[Mapping[str, Sequence[str]]] = {
    "route": ("history.", "pushState", "replaceState", "location."),
    "cookies": ("document.cookie",),
    "local": ("localStorage",),
    "session": ("sessionStorage",),
    "indexeddb": ("indexedDB", ".transaction("),
    "stream": ("EventSource", "WebSocket", "getReader("),
    "dialog": ("confirm(", "alert(", "prompt("),
    "download": (".download", "createObjectURL"),
    "console": ("console.",),
    "focused": (".focus(",),
    "disabled": ("disabled",),
    "enabled": ("disabled",),
    "invalid": ("invalid",),
    "checked": ("checked", "aria-pressed"),
    "expanded": ("expanded", ".open"),
}
"""By what code does what a leaf is about, by its kind, area or state."""

_ATTRIBUTES: Final = frozenset(
    {"disabled", "enabled", "invalid", "checked", "mixed", "expanded", "required", "readonly"}
)
"""States that an element's attributes tell."""

_SHAPES: Final[Mapping[re.Pattern[str], Sequence[str]]] = {
    re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d|\b(?:19|20)\d\d\b"): (
        "date", "time", "moment", "zone", "utc", "astimezone", "strftime", "datetime", "timedelta",
        "toLocaleString", "DateTimeFormat", "toISOString",
    ),
    re.compile(r"[$€£¥]\s?\d|\d\s?[$€£¥]"): (
        "money", "currency", "cent", "price", "amount", "rate", "cost", "round", "quantize", "toFixed",
        "NumberFormat",
    ),
}  # fmt: skip
"""By what code a text of such a shape is made."""

_KEEPING: Final = ("Cache-Control", "max_age", "Expires", "etag", "caches", "serviceWorker")
"""By what code says how long an answer is kept."""

_SHAPED: Final = 0.3
_HELD_BESIDE: Final = 0.4
_FOLLOWING: Final = frozenset({"text", "element"})
_FOLLOWS: Final = 0.5
"""What fails of what is shown where a request fails too: it follows from what was asked."""

_CONTROL: Final = 0.5
_NAMED: Final = 1.0
_WRITE: Final = 0.6
_READ: Final = 0.25
_FOUND: Final = 0.6
_KEPT: Final = 1.0
_SENT_VALUE: Final = 1.0
_VALUES_READ: Final = 8


def stems(text: str) -> Iterator[str]:
    """
    The words of a text or a name, each by its first letters.
    """
    for word in _WORD.findall(text):
        if len(word) >= _SHORTEST:
            one = len(word) > _SHORTEST and word[-1] in "sS" and word[-2] not in "sS"
            yield (word[:-1] if one else word)[:_STEM].lower()


def paths(address: str) -> Iterator[str]:
    """
    What may stand in code of an address: its path, and the path without its last parts.
    """
    path = urlsplit(address).path
    while path.count("/") > 1:
        yield path
        path = path.rstrip("/").rpartition("/")[0] + "/"


def _made(name: str) -> Iterator[str]:
    """
    What may stand in code of a name that is made of a fixed part and what differs: ``order-${id}``.
    """
    if _NAME.fullmatch(name):
        yield from (name[: found.end()] for found in _JOINT.finditer(name))


class ClaimWords:
    """
    ``phrases`` are looked for as they are, ``words`` by their stems; both with how much they weigh.
    """

    def __init__(self) -> None:
        self._phrases: dict[str, float] = {}
        self._words: dict[str, float] = {}

    @property
    def phrases(self) -> Mapping[str, float]:
        """
        The heaviest ones.
        """
        return _heaviest(self._phrases)

    @property
    def words(self) -> Mapping[str, float]:
        """
        The heaviest ones.
        """
        return _heaviest(self._words)

    def add_leaf(self, leaf: Mapping[str, object], weight: float) -> None:
        """
        A leaf of a claim: its texts, and by what code does such a thing.
        """
        for text, share in _texts(leaf):
            self.add(text, weight * share)
            for term in (term for shape, code in _SHAPES.items() if shape.search(text) for term in code):
                self.add(term, weight * _SHAPED)
        status = leaf.get("status")
        if isinstance(status, int):
            self.add_exact(str(status), weight)
        for field in ("kind", "area", "state"):
            for call in _CALLS.get(str(leaf.get(field)), ()):
                self._phrases[call] = max(self._phrases.get(call, 0.0), weight)

    def add_exact(self, phrase: str, weight: float) -> None:
        """
        What stands in code as it is, such as a status.
        """
        self._phrases[phrase] = max(self._phrases.get(phrase, 0.0), weight)

    def add(self, text: str, weight: float) -> None:
        """
        A text or name that is spoken of.
        """
        said = list(paths(text)) if text.startswith("/") else [text, *_made(text)]
        for phrase in filter(lambda phrase: len(phrase) >= _SHORTEST, said):
            self._phrases[phrase] = max(self._phrases.get(phrase, 0.0), weight)
        for word in stems(text if "[" not in text else _SELECTOR.sub(" ", text)):
            self._words[word] = max(self._words.get(word, 0.0), weight)


def words_of(
    claim: Mapping[str, object],
    outcome: Outcome,
    findings: Sequence[Finding],
    window: Window,
    named: Sequence[str] = (),
) -> ClaimWords:
    """
    The words of a claim (canonical JSON), of what contradicts it, and of the window's action; ``named`` is
    what else the elements are called that failed parts are about.
    """
    said = ClaimWords()
    sending = fails_at_sending(claim, outcome)
    for leaf, came in leaves_with(claim, outcome):
        follows = sending and leaf.get("kind") in _FOLLOWING
        weight = _HELD_BESIDE if came.held is Held.YES else _FOLLOWS if follows else 1.0
        said.add_leaf(leaf, weight)
        if came.held is not Held.YES and isinstance(leaf.get("status"), int):
            for status in _statuses(leaf, window):
                said.add_exact(status, weight)
    for name in named:
        said.add(name, _NAMED)
    _contradicted(said, findings)
    _asked(said, claim, outcome, window)
    if kept_answers(window):
        for term in _KEEPING:
            said.add(term, _KEPT)
    return said


def _statuses(leaf: Mapping[str, object], window: Window) -> Iterator[str]:
    """
    How requests were answered that a leaf may mean.
    """
    address = str(leaf.get("urlContains", ""))
    for one in requests(window):
        if not one.before and one.status is not None and address in one.url:
            yield str(one.status)


def _asked(said: ClaimWords, claim: Mapping[str, object], outcome: Outcome, window: Window) -> None:
    """
    What was asked of servers, and the control that was used.
    """
    sending = fails_at_sending(claim, outcome)
    for one in requests(window):
        if not one.before and one.mutating and sending:
            for sent in _sent_values(one.answer.get("requestBody")):
                said.add(sent, _SENT_VALUE)
        if not one.before and one.initiator != "document":
            for path in paths(one.url):
                said.add(path, (_WRITE if one.mutating else _READ) * (1.0 if sending or one.failed else 0.5))
    action = window.action
    if action is not None:
        effect = {} if action.effect is None else action.effect.fields
        for field in _NAMES:
            for value in (action.target.get(field), effect.get(field)):
                if isinstance(value, str):
                    said.add(value, _CONTROL)


def _sent_values(body: object) -> Iterator[str]:
    """
    The short texts of a JSON body: what they were sent to, or what knows them, may speak of them.
    """
    if isinstance(body, str):
        try:
            body = read_json(body)
        except ValueError:
            return
    values = body.values() if isinstance(body, Mapping) else ()
    yield from [one for one in values if isinstance(one, str) and _NAME.fullmatch(one)][:_VALUES_READ]


def failed_queries(claim: Mapping[str, object], outcome: Outcome) -> Iterator[Mapping[str, object]]:
    """
    The elements that failed parts of a claim (canonical JSON) are about, without the text they should have;
    then the parts of the page that such a text should stand in, by as much of their selector as may be there.
    """
    around: list[Mapping[str, object]] = []
    for leaf, came in leaves_with(claim, outcome):
        query = leaf.get("query")
        if leaf.get("kind") == "element" and came.held is not Held.YES and isinstance(query, Mapping):
            named = {name: value for name, value in query.items() if name not in {"text", "value", "attrs"}}
            if named:
                yield named
        scope = leaf.get("scope")
        if came.held is not Held.YES and isinstance(scope, str):
            bare = _CONDITIONS.sub("", scope)
            around += [
                {"self": True, "scope": each} for each in (scope, bare) if each and each[-1] not in " >+~"
            ]
    yield from (one for number, one in enumerate(around) if one not in around[:number])


def leaves_with(
    claim: Mapping[str, object], outcome: Outcome
) -> Iterator[tuple[Mapping[str, object], Outcome]]:
    """
    The leaves of a claim, each with how it came out; where that is not told, with how the whole did.
    """
    parts = claim.get("predicates", [claim["predicate"]] if "predicate" in claim else None)
    if not isinstance(parts, list | tuple):
        yield claim, outcome
        return
    same = len(parts) == len(outcome.children)
    for number, part in enumerate(parts):
        if isinstance(part, Mapping):
            yield from leaves_with(part, outcome.children[number] if same else outcome)


def fails_at_sending(claim: Mapping[str, object], outcome: Outcome) -> bool:
    """
    Whether a part about requests failed: else what was sent is as it should be.
    """
    return any(
        leaf.get("kind") == "net" and came.held is not Held.YES for leaf, came in leaves_with(claim, outcome)
    )


def fails_in_code_alone(claim: Mapping[str, object], outcome: Outcome) -> bool:
    """
    Whether how an element is written says nothing about what failed: what was sent, or where the focus is.
    """
    failed = [leaf for leaf, came in leaves_with(claim, outcome) if came.held is not Held.YES]
    return fails_at_sending(claim, outcome) or all(leaf.get("state") == "focused" for leaf in failed)


def fails_by_status(claim: Mapping[str, object], outcome: Outcome, window: Window) -> bool:
    """
    Whether a request was answered with another success than was claimed: then it did what it should, and only
    what is said of it is wrong.
    """
    for leaf, came in leaves_with(claim, outcome):
        wanted = leaf.get("status")
        if came.held is not Held.YES and isinstance(wanted, int) and str(wanted)[0] == "2":
            told = set(_statuses(leaf, window)) - {str(wanted)}
            if told and all(status[0] == "2" for status in told):
                return True
    return False


def fails_by_attribute(claim: Mapping[str, object], outcome: Outcome) -> bool:
    """
    Whether all that failed is what an element's own attributes say, which are written where it is.
    """
    failed = [(leaf, came) for leaf, came in leaves_with(claim, outcome) if came.held is not Held.YES]
    return all(_is_by_attribute(leaf, came) for leaf, came in failed)


def _is_by_attribute(leaf: Mapping[str, object], came: Outcome) -> bool:
    query, scope = leaf.get("query"), leaf.get("scope")
    if isinstance(query, Mapping):
        asked = bool(query.get("attrs")) if leaf.get("state") is None else leaf["state"] in _ATTRIBUTES
        return asked and not leaf.get("absent")
    # nothing was read in a part of the page that is not there by its attribute
    return isinstance(scope, str) and came.held is Held.UNKNOWN and _ATTRIBUTE.search(scope) is not None


def _heaviest(terms: Mapping[str, float]) -> Mapping[str, float]:
    return dict(nlargest(CLAIM_WORDS, terms.items(), key=lambda term: term[1]))


def _contradicted(said: ClaimWords, findings: Sequence[Finding]) -> None:
    for finding in findings:
        text = f"{finding.claim} {finding.counter}"
        for path in _ADDRESS.findall(text):
            said.add(path, _FOUND)
        for quoted in _QUOTED.findall(text):
            said.add(quoted, _FOUND)


def _texts(value: object, field: str = "") -> Iterator[tuple[str, float]]:
    """
    The texts of a leaf, each with its share: keys and names of fields weigh as values do.
    """
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key in _GRAMMAR:
                continue
            if field and field not in _QUERIES and not str(key).startswith("$"):
                yield str(key), 1.0
            yield from _texts(inner, field if field in _HOLDERS else key)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, field)
    elif isinstance(value, str) and value:
        yield value, 0.3 if field == "method" else 1.0


_QUERIES: Final = frozenset({"query", "target", "within"})
"""Fields that hold a query, whose own fields are the grammar's."""


_HOLDERS: Final = frozenset({"body", "requestBody", "dataMatches", "equals"})
