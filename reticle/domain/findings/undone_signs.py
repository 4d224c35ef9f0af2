"""
The part of a write's answer in which the server says that the write was not done, whatever its status.

``{"saved": false}``, ``{"deletedCount": 0}``, ``{"result": {"sent": false}}``: a past participle of a write
is off. The same words are ordinary data too (``"archived": false`` of an order that was saved), so it matters
where they stand: not in a record, which has an id or other values beside them, not where the request sent the
very field, not beside something that was done, and a word that is often a record's only where the address,
the method or the claim names its verb.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.facts import mapping_of, url_parts
from reticle.domain.json_text import read_json
from reticle.domain.predicate.network import body_text
from reticle.domain.requests import Request
from reticle.domain.words import speaks_of_success

_DEEDS: Final[Mapping[str, str]] = {
    "saved": "sav(?:e|ing)",
    "stored": "stor(?:e(?!s?/)|ing)|save",
    "persisted": "persist|save",
    "written": "writ|save",
    "updated": "updat|edit|chang|save",
    "upserted": "upsert|save",
    "modified": "modif|updat|edit|chang",
    "affected": "updat|delet|remov|save",
    "inserted": "insert|add(?!r)|creat",
    "created": "creat|add(?!r)",
    "added": "add(?!r)|creat",
    "sent": "send|sent|mail|messag|notif",
    "delivered": "deliver|send|sent",
    "submitted": "submit|send",
    "applied": "apply|applied",
    "committed": "commit",
    "processed": "process",
    "executed": "execut|run(?![a-z])",
    "imported": "import",
    "uploaded": "upload",
}
"""Participles that only speak of a write, and how an address or a claim names its verb."""

_OF_RECORDS: Final[Mapping[str, str]] = {
    "deleted": "delet|remov",
    "removed": "remov|delet",
    "destroyed": "destroy|delet|remov",
    "accepted": "accept",
    "confirmed": "confirm",
    "approved": "approv",
    "placed": "place|order|checkout",
    "booked": "book|reserv",
    "registered": "regist|sign-?up",
    "published": "publish",
    "done": "done|finish|complet",
    "completed": "complet|finish",
    "finished": "finish|complet",
}
"""Participles that are as often what a record is."""

_BY_METHOD: Final[Mapping[str, frozenset[str]]] = {
    "DELETE": frozenset({"deleted", "removed", "destroyed", "affected"}),
    "PUT": frozenset({"saved", "stored", "updated", "persisted", "written", "applied"}),
    "PATCH": frozenset({"saved", "stored", "updated", "persisted", "written", "applied"}),
    "POST": frozenset(),
}
_NOT_OF_DELETION: Final = frozenset(_DEEDS) - {"affected", "applied", "committed", "processed", "executed"}
"""After a deletion it is right that nothing is saved."""

_AROUND: Final = frozenset(
    [
        "is",
        "was",
        "were",
        "be",
        "been",
        "has",
        "have",
        "num",
        "number",
        "count",
        "total",
        "n",
        "of",
        "rows",
        "row",
        "records",
        "record",
        "items",
        "item",
        "docs",
        "documents",
        "entries",
        "successfully",
    ]
)
"""What stands beside a participle in a field's name: ``isSaved``, ``deleted_count``, ``rowsAffected``."""

_EXPLAINS: Final = frozenset(
    [
        "message",
        "msg",
        "reason",
        "detail",
        "details",
        "title",
        "description",
        "error",
        "errors",
        "warning",
        "warnings",
        "code",
        "status",
        "statuscode",
        "ok",
        "success",
        "acknowledged",
        "result",
        "timestamp",
        "time",
        "date",
        "requestid",
        "traceid",
        "correlationid",
        "duration",
        "took",
    ]
)
"""What stands beside it in an answer that is about the write and no record."""

_IDENTITY: Final = frozenset({"id", "_id", "uuid", "pk", "slug", "guid", "key", "href", "self"})
_REFUSALS: Final[Mapping[str, str]] = {
    "failed": "fail",
    "failure": "fail",
    "rejected": "reject",
    "refused": "refus",
    "declined": "declin",
    "denied": "den(?:y|ied)",
    "aborted": "abort",
}
"""What stands in an answer as true where the write was not done, and the stem by which it was asked for."""

_UNDOES: Final = re.compile(
    r"(?i)(?<![a-z])(?:un(?:do|save|publish|send|book|accept|confirm|approve|apply)|toggle|bookmark|favou?rite|"
    r"likes?(?![a-z])|wish|follow|subscri|declin|reject|refus|deny|revoke|cancel|withdraw|re-?open|reset|"
    r"search|query|count|stats|check(?!-?out)|valid|preview|exists)"
)
"""An address of what takes something back, of what turns it round, or of a question."""

_DELETES: Final = re.compile(r"(?i)delet|remov|destroy|clear|empty|discard")
_ENVELOPES: Final = ("result", "data", "response", "payload")
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
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
        if deed in _BY_METHOD.get(self.method, frozenset()):
            return True
        verb = _DEEDS.get(deed) or _OF_RECORDS[deed]
        return self.has(verb) or any(deed in text for text in self.claimed)

    def has(self, verb: str) -> bool:
        """
        Whether the address or the claim has a word that begins so.
        """
        named = re.compile(rf"(?i)(?<![a-z])(?:{verb})")
        return any(named.search(text) is not None for text in (self.address.replace("_", "-"), *self.claimed))


def _levels(body: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    yield body
    for name in _ENVELOPES:
        inner = mapping_of(body.get(name))
        if inner:
            yield inner


def _of_answer(body: Mapping[str, object], asked: _Asked) -> Undone | None:
    if any(name.lower() in _IDENTITY for name in map(str, body)):
        return None
    deeds = {str(name): deed for name in body if (deed := _deed(str(name))) is not None}
    off = [name for name in deeds if body[name] is False or _is_nothing(body[name])]
    if not deeds:
        return _refusal(body, asked)
    if len(off) < len(deeds) or (len(off) > 1 and _is_summary(body, deeds, asked)):
        return None
    for name in off:
        deed = deeds[name]
        if f'"{name}"' in asked.sent or f"{name}=" in asked.sent:
            continue
        if asked.deletes and deed in _NOT_OF_DELETION:
            continue
        named, plain = asked.names(deed), _is_plain(body, deeds)
        if not named and (deed in _OF_RECORDS or not plain):
            continue
        sign = json.dumps({name: body[name]})
        return Undone(sign, certain=named and plain and body[name] is False, field=name)
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
        if word not in _REFUSALS or body[name] is not True or not _is_plain(body, (name,)):
            continue
        if f'"{name}"' in asked.sent or f"{name}=" in asked.sent or asked.has(_REFUSALS[word]):
            continue
        return Undone(json.dumps({name: True}), certain=False, field=name)
    return None


def _only_word(name: str) -> str | None:
    words = [word.lower() for word in _WORDS.findall(name)]
    left = [word for word in words if word not in _AROUND]
    return left[0] if len(left) == 1 else None


def _deed(name: str) -> str | None:
    """
    The participle that a field is named by.
    """
    word = _only_word(name)
    return word if word in _DEEDS or word in _OF_RECORDS else None


def _is_nothing(value: object) -> bool:
    """
    Whether a count, or a list of what was done, has none.
    """
    return value == [] or (isinstance(value, int) and not isinstance(value, bool) and value == 0)


def _is_plain(body: Mapping[str, object], deeds: Collection[str]) -> bool:
    """
    Whether an answer has no values beside that are a record's.
    """
    return all(
        name in deeds or isinstance(value, Mapping | list) or _plain(name) in _EXPLAINS
        for name, value in body.items()
    )


def _plain(name: object) -> str:
    return str(name).replace("_", "").lower()


def _of_mutation(body: Mapping[str, object], asked: _Asked) -> Undone | None:
    """
    A mutation of GraphQL whose own answer is no, or has one that is.
    """
    for name, answer in mapping_of(body.get("data")).items():
        if answer is False and _VERBS.match(str(name)):
            return Undone(f'{{"{name}": false}}', certain=False, field=str(name))
        told = _of_answer(mapping_of(answer), asked)
        if told is not None:
            return attrs.evolve(told, sign=f"{name}: {told.sign}")
    return None
