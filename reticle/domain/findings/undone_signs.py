"""
The part of a write's answer in which the server says that the write was not done, whatever its status.

``{"saved": false}``, ``{"deletedCount": 0}``, ``{"result": {"sent": false}}``: a past participle of a write
is off. The same words are ordinary data too (``"archived": false`` of an order that was saved), so it matters
where they stand: not in a record, which has an id or other values beside them, not where the request sent the
very field, not beside something that was done or is under way, not where the claim says that it is not so
("2 done", "Unpublished"), and a word that is often a record's only where the address, the method or the claim
names its verb.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.facts import mapping_of, url_parts
from reticle.domain.findings.deeds import (
    AROUND,
    BY_METHOD,
    COMES_LATER,
    DEEDS,
    EXPLAINS,
    IDENTITY,
    NEVER_CERTAIN,
    NOT_OF_DELETION,
    NOT_OF_REPLACING,
    OF_RECORDS,
    REFUSALS,
    STATES,
    TAKES_AWAY,
    UNDER_WAY,
)
from reticle.domain.json_text import read_json
from reticle.domain.predicate.network import body_text
from reticle.domain.requests import Request
from reticle.domain.words import speaks_of_later, speaks_of_success

_GIVES_BACK: Final = re.compile(r"(?i)restor|recover|undelet|reinstat|put.?back")
_UNDOES: Final = re.compile(
    r"(?i)(?<![a-z])(?:un(?:do|save|publish|send|book|accept|confirm|approve|apply|check|mark|complet|finish|"
    r"delete|register|place|star|like|pin)|incomplete|toggle|bookmark|favou?rite|"
    r"likes?(?![a-z])|wish|follow|subscri|declin|reject|refus|deny|revoke|cancel|withdraw|re-?open|reset|"
    r"search|query|count|stats|check(?!-?out)|valid|preview|exists)"
)
"""An address of what takes something back, of what turns it round, or of a question."""

_DELETES: Final = re.compile(r"(?i)delet|remov|destroy|clear|empty|discard")
_NOT_SO: Final = r"(?<!\b0 )(?<!\bno )(?<!\bnot )(?<!\bbe )(?<!\bfrom )(?<!\blonger )"
"""A claim that has one of these before a participle does not say that it was done."""

_ENVELOPES: Final = ("result", "data", "response", "payload")
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MUTATION: Final = re.compile(r"\bmutation\b")
_VERBS: Final = re.compile(
    r"(?:save|store|delete|remove|update|create|send|add|submit|apply|commit|accept)(?![a-z])"
)


@attrs.frozen
class Undone:
    """
    What an answer says was not done, and the field that says so; ``certain`` where nothing else can be meant.
    """

    sign: str
    certain: bool
    field: str = ""


def undone(one: Request, claimed: Sequence[str]) -> Undone | None:
    """
    What the answer to a write says was not done; None where it says no such thing.

    Args:
        one: The write, which was answered with success.
        claimed: The texts that are claimed to be shown.
    """
    body = one.answer.get("responseBody")
    if isinstance(body, str):
        try:
            body = read_json(body)
        except ValueError:
            return None
    address = url_parts(one.url).path
    if not one.mutating or _UNDOES.search(address):
        return None
    told = _of_body(body, one, address, claimed) if isinstance(body, Mapping) else None
    if told is not None or not any(speaks_of_success(text) for text in claimed):
        return told
    if isinstance(body, Mapping):
        is_no = body.get("result") is False and _is_plain(body, ())
        return Undone('{"result": false}', certain=False, field="result") if is_no else None
    return Undone("false", certain=False) if body is False else None


def _of_body(body: Mapping[str, object], one: Request, address: str, claimed: Sequence[str]) -> Undone | None:
    sent = body_text(one, "requestBody") or ""
    asked = _Asked(one.method, address, sent, tuple(text.lower() for text in claimed))
    if '"query"' in sent and ("data" in body or "errors" in body):
        return _of_mutation(body, asked) if _MUTATION.search(sent) else None
    return next(filter(None, (_of_answer(level, asked) for level in _levels(body))), None)


@attrs.frozen
class _Asked:
    """
    What the write was about, and what is claimed to have come of it.
    """

    method: str
    address: str
    sent: str
    claimed: tuple[str, ...]

    @property
    def deletes(self) -> bool:
        """
        Whether it is to take something away.
        """
        return self.method == "DELETE" or _DELETES.search(self.address) is not None

    def names(self, deed: str) -> bool:
        """
        Whether the address or the claim names the verb of a deed, or the method alone means it.
        """
        if deed in BY_METHOD.get(self.method, frozenset()):
            return True
        if self._claims_it(deed):
            return True
        if deed in OF_RECORDS:
            return self._in_address(OF_RECORDS[deed])
        return self.has(DEEDS[deed])

    def expects_not(self, deed: str) -> bool:
        """
        Whether it is as it should be that this was not done.
        """
        if self.deletes and deed in NOT_OF_DELETION:
            return True
        if self.method in {"PUT", "PATCH"} and deed in NOT_OF_REPLACING:
            return True
        if deed in TAKES_AWAY and any(_GIVES_BACK.search(text) for text in (self.address, *self.claimed)):
            return True
        if self._claims_it(deed):
            return False
        if deed in COMES_LATER and any(speaks_of_later(text) for text in self.claimed):
            return True
        counted = "\\d" if deed in STATES else "\\b0"
        return self._claims(rf"(?<![a-z])(?:un|not |no longer |removed? from |{counted} ){deed}(?![a-z])")

    def has(self, verb: str) -> bool:
        """
        Whether the address or the claim has a word that begins so.
        """
        return self._in_address(verb) or self._claims(rf"(?<![a-z])(?:{verb})")

    def _in_address(self, verb: str) -> bool:
        parted = self.address.replace("_", "-")
        return re.search(rf"(?i)(?<![a-z])(?:{verb})", parted) is not None

    def _claims_it(self, deed: str) -> bool:
        counted = r"(?<!\d )" if deed in STATES else ""
        return self._claims(rf"(?<![a-z]){_NOT_SO}{counted}{deed}(?![a-z])")

    def _claims(self, words: str) -> bool:
        return any(re.search(words, text) is not None for text in self.claimed)


def _levels(body: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    yield body
    for name in _ENVELOPES:
        inner = mapping_of(body.get(name))
        if inner:
            yield inner


def _of_answer(body: Mapping[str, object], asked: _Asked) -> Undone | None:
    if any(name.lower() in IDENTITY for name in map(str, body)):
        return None
    deeds = {str(name): deed for name in body if (deed := _deed(str(name))) is not None}
    off = [name for name in deeds if body[name] is False or _is_nothing(body[name])]
    if not deeds:
        return _refusal(body, asked)
    if any(_plain(name) in UNDER_WAY and _is_some(value) for name, value in body.items()):
        return None
    if len(off) < len(deeds) or (len(off) > 1 and _is_summary(body, deeds, asked)):
        return None
    for name in off:
        deed = deeds[name]
        if f'"{name}"' in asked.sent or f"{name}=" in asked.sent:
            continue
        if asked.expects_not(deed):
            continue
        named, plain = asked.names(deed), _is_plain(body, deeds)
        if not named and (deed in OF_RECORDS or not plain):
            continue
        sign = json.dumps({name: body[name]})
        certain = named and plain and body[name] is False and deed not in NEVER_CERTAIN
        return Undone(sign, certain=certain, field=name)
    return None


def _is_summary(body: Mapping[str, object], deeds: Mapping[str, str], asked: _Asked) -> bool:
    """
    Whether an answer counts several deeds of which none is claimed: a synchronisation may find nothing to do.
    """
    counted = all(body[name] is not False for name in deeds)
    return counted and not any(deed in text for deed in deeds.values() for text in asked.claimed)


def _refusal(body: Mapping[str, object], asked: _Asked) -> Undone | None:
    """
    A field that says that the write failed, in an answer of nothing else.
    """
    for name in map(str, body):
        word = _only_word(name) or ""
        if word not in REFUSALS or body[name] is not True or not _is_plain(body, (name,)):
            continue
        if f'"{name}"' in asked.sent or f"{name}=" in asked.sent or asked.has(REFUSALS[word]):
            continue
        return Undone(json.dumps({name: True}), certain=False, field=name)
    return None


def _only_word(name: str) -> str | None:
    words = [word.lower() for word in _WORDS.findall(name)]
    left = [word for word in words if word not in AROUND]
    return left[0] if len(left) == 1 else None


def _deed(name: str) -> str | None:
    """
    The participle that a field is named by.
    """
    word = _only_word(name)
    return word if word in DEEDS or word in OF_RECORDS else None


def _is_nothing(value: object) -> bool:
    """
    Whether a count, or a list of what was done, has none.
    """
    return value == [] or (isinstance(value, int) and not isinstance(value, bool) and value == 0)


def _is_some(value: object) -> bool:
    return bool(value) and not isinstance(value, Mapping | list)


def _is_plain(body: Mapping[str, object], deeds: Collection[str]) -> bool:
    """
    Whether an answer has no values beside that are a record's.
    """
    return all(
        name in deeds or isinstance(value, Mapping | list) or _plain(name) in EXPLAINS
        for name, value in body.items()
    )


def _plain(name: object) -> str:
    return str(name).replace("_", "").lower()


def _of_mutation(body: Mapping[str, object], asked: _Asked) -> Undone | None:
    """
    A mutation of GraphQL whose own answer is no, or has one that is.
    """
    for name, answer in mapping_of(body.get("data")).items():
        if _UNDOES.search(_CAMEL.sub("-", str(name))):
            continue
        if answer is False and _VERBS.match(str(name)):
            return Undone(f'{{"{name}": false}}', certain=False, field=str(name))
        told = _of_answer(mapping_of(answer), asked)
        if told is not None:
            return attrs.evolve(told, sign=f"{name}: {told.sign}")
    return None
