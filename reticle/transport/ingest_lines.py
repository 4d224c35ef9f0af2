"""
The lines of ``/ingest``: NDJSON from a probe, read into a ``FactBatch``.

Whoever may dial may send anything, so each line is read by itself and strictly typed; what cannot be read is
counted and costs nothing else. Texts and lists are cut to their limits, numbers to what a window can hold.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from reticle.domain.facts import mapping_of
from reticle.domain.secrets import without_secrets
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.server_facts import HELLO, FactBatch, FactKind, ProcessHello, ReportedFact
from reticle.model.server_limits import (
    CALL_WORDS_READ,
    CALLS_READ,
    FACT_LIST,
    FACT_TEXT_CHARS,
    INGEST_LINES,
)

_ID: Final = re.compile(r"[0-9a-f]{32}")
_LONGEST_SECONDS: Final = 1e10
_NAME_CHARS: Final = 200
_HINTS: Final = (
    "eyj", "k_live_", "k_test_", "sk-", "akia", "asia", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_",
    "glpat-", "xox", "ya29.", "dtok_", "-----begin", "bearer", "basic", "digest", "://", "cookie",
    "authorization", "passw", "passcode", "passphrase", "secret", "key", "token", "pwd", "jwt",
)  # fmt: skip
"""One of these is in every text that ``domain.secrets`` finds something in; a fiftieth of the work."""

_SHORT_CHARS: Final = 9
"""No known kind of secret is shorter."""

WORDS: Final[Mapping[FactKind, tuple[str, ...]]] = {
    FactKind.REQUEST_STARTED: ("method", "path", "query", "link"),
    FactKind.REQUEST_HANDLED: ("method", "path", "query", "link", "route", "view", "view_name"),
    FactKind.REQUEST_ABORTED: ("method", "path", "query", "link", "route", "view", "view_name", "why"),
    FactKind.REQUEST_DONE: (),
    FactKind.CALLS: (),
    FactKind.EXCEPTION: ("type", "message", "handled"),
    FactKind.LOG: ("level", "logger", "message", "file"),
    FactKind.WARNING: ("category", "message", "file"),
    FactKind.SQL: ("statement", "verb", "file", "tx", "failed"),
    FactKind.TRANSACTION: ("tx", "outcome", "file", "within"),
    FactKind.TEMPLATE: ("name", "file"),
    FactKind.MAIL: ("subject", "backend", "file"),
    FactKind.HTTP_OUT: ("method", "url", "file"),
    FactKind.TASK: ("name", "queue", "file"),
    FactKind.INJECTION: ("outcome", "reason", "directive", "path"),
    FactKind.GAP: (),
}
"""The texts of each kind."""

NUMBERS: Final[Mapping[FactKind, tuple[str, ...]]] = {
    FactKind.REQUEST_HANDLED: ("status", "ms", "request_bytes", "response_bytes", "head"),
    FactKind.REQUEST_ABORTED: ("status", "ms", "request_bytes", "response_bytes"),
    FactKind.REQUEST_DONE: ("ms",),
    FactKind.LOG: ("line",),
    FactKind.WARNING: ("line",),
    FactKind.SQL: ("rows", "ms", "line"),
    FactKind.TRANSACTION: ("line",),
    FactKind.TEMPLATE: ("line",),
    FactKind.MAIL: ("line",),
    FactKind.HTTP_OUT: ("status", "ms", "line"),
    FactKind.TASK: ("line",),
    FactKind.GAP: ("dropped", "bytes", "from_seq", "to_seq"),
}

LISTS: Final[Mapping[FactKind, tuple[str, ...]]] = {
    FactKind.SQL: ("tables",),
    FactKind.TRANSACTION: ("refused",),
    FactKind.MAIL: ("to",),
    FactKind.REQUEST_STARTED: ("chain",),
    FactKind.REQUEST_HANDLED: ("chain",),
}
"""Lists of texts."""

TRUTHS: Final[Mapping[FactKind, tuple[str, ...]]] = {
    FactKind.REQUEST_HANDLED: ("streamed", "working"),
    FactKind.TRANSACTION: ("dropped", "conflict"),
}
"""Yes or no."""


class _Line(msgspec.Struct):
    """
    What every fact has.
    """

    kind: str
    seq: int = 0
    mono: float = 0.0
    rid: str | None = None
    action: str | None = None


class _Hello(msgspec.Struct):
    """
    The first line.
    """

    v: int
    kind: str
    process: str
    mono: float
    wall: float
    pid: int | None = None
    framework: str = ""
    python: str = ""
    project: str = ""
    batch: int = 0
    unseen: list[str] = []


_read_line: Final = msgspec.json.Decoder(_Line).decode
_read_hello: Final = msgspec.json.Decoder(_Hello).decode
_read_any: Final = msgspec.json.Decoder(dict[str, Any]).decode


def read_batch(body: bytes, *, attested: bool) -> FactBatch:
    """
    The batch of one body.

    Raises:
        Refusal: ``bad_arguments`` where the first line is no hello of this version; nothing was taken then,
            and the same body will not be taken later.
    """
    lines = [line for line in body.split(b"\n") if line.strip()]
    hello = _hello(lines[0] if lines else b"")
    facts: list[ReportedFact] = []
    refused = max(len(lines) - 1 - INGEST_LINES, 0)
    for line in lines[1 : INGEST_LINES + 1]:
        fact = _fact(line)
        if fact is None:
            refused += 1
        else:
            facts.append(fact)
    return FactBatch(hello, facts, refused, attested)


def _hello(line: bytes) -> ProcessHello:
    try:
        told = _read_hello(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _no_hello(str(error)) from error
    if told.v != 1 or told.kind != HELLO:
        raise _no_hello("v must be 1 and kind hello")
    if not _ID.fullmatch(told.process):
        raise _no_hello("process must be 32 hex digits")
    if not (_is_time(told.mono) and _is_time(told.wall)):
        raise _no_hello("mono and wall must be seconds")
    return ProcessHello(
        process=told.process,
        pid=told.pid if told.pid is not None and 0 <= told.pid < 2**31 else None,
        framework=cut(told.framework, _NAME_CHARS),
        python=cut(told.python, _NAME_CHARS),
        project=cut(told.project, FACT_TEXT_CHARS),
        mono=told.mono,
        wall=told.wall,
        batch=max(told.batch, 0),
        unseen=tuple(cut(name, _NAME_CHARS) for name in told.unseen[:FACT_LIST]),
    )


def _no_hello(why: str) -> Refusal:
    return Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"The first line is no hello: {why[:_NAME_CHARS]}.",
        'Begin each batch with {"v":1,"kind":"hello","process":…,"mono":…,"wall":…}.',
    )


def _is_time(seconds: float) -> bool:
    return math.isfinite(seconds) and 0 <= seconds < _LONGEST_SECONDS


def _fact(line: bytes) -> ReportedFact | None:
    try:
        head, told = _read_line(line), _read_any(line)
        kind = FactKind(head.kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError):
        return None
    if not _is_time(head.mono) or not 0 <= head.seq < 2**53:
        return None
    rid = head.rid if head.rid is not None and _ID.fullmatch(head.rid) else None
    action = cut(head.action, _NAME_CHARS) if head.action else None
    return ReportedFact(kind, head.seq, head.mono, rid, action, fields_of(kind, told))


def fields_of(kind: FactKind, told: Mapping[str, object]) -> dict[str, object]:
    """
    What a fact of a kind may say, of what was told: known names alone, each of its type and within its limit.
    """
    fields: dict[str, object] = {}
    for name in WORDS[kind]:
        value = told.get(name)
        if isinstance(value, str):
            fields[name] = cut(value, FACT_TEXT_CHARS)
    for name in NUMBERS.get(kind, ()):
        number = _number(told.get(name))
        if number is not None:
            fields[name] = number
    for name in LISTS.get(kind, ()):
        fields[name] = _texts(told.get(name))
    fields.update((name, told[name]) for name in TRUTHS.get(kind, ()) if isinstance(told.get(name), bool))
    fields.update((name, read(told.get(name))) for name, read in _PLACED.get(kind, {}).items())
    if kind is FactKind.SQL and told.get("via"):
        fields["via"] = _frames(told["via"])
    if kind is FactKind.LOG and isinstance(told.get("exception"), Mapping):
        fields["exception"] = fields_of(FactKind.EXCEPTION, mapping_of(told["exception"]))
    if kind is FactKind.GAP:
        counted = {cut(name, _NAME_CHARS): _number(value) for name, value in _few(told.get("kinds"))}
        fields["kinds"] = {name: value for name, value in counted.items() if value is not None}
    return fields


def cut(text: str, limit: int) -> str:
    """
    A text without secrets, cut to its limit, without half surrogate pairs.
    """
    kept = text[: limit * 2]
    lowered = kept.lower()
    if len(text) >= _SHORT_CHARS and any(hint in lowered for hint in _HINTS):
        kept = without_secrets(kept).text
    return (kept if len(kept) <= limit else kept[: limit - 1] + "…").encode("utf-8", "replace").decode()


def _number(value: object) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) and abs(value) < 2**53 else None


def _texts(value: object, most: int = FACT_LIST) -> list[str]:
    listed = value if isinstance(value, list) else []
    return [cut(each, _NAME_CHARS) for each in listed[:most] if isinstance(each, str)]


def _few(value: object) -> list[tuple[str, object]]:
    pairs = list(mapping_of(value).items())[:FACT_LIST]
    return [(str(name), each) for name, each in pairs]


def _functions(value: object) -> list[dict[str, object]]:
    """
    Of what ran for a request.
    """
    return [
        {
            **placed,
            **{name: _number(told.get(name)) for name in ("last", "left", "before")},
            "function": cut(str(told.get("function", "")), _NAME_CHARS),
            "words": _texts(told.get("words"), CALL_WORDS_READ),
            "uses": _texts(told.get("uses")),
        }
        for told, placed in _with_place(value)
    ]


def _constants(value: object) -> list[dict[str, object]]:
    """
    Of what those functions use; each word has its line.
    """
    found: list[dict[str, object]] = []
    for told, placed in _with_place(value):
        words, lines = _texts(told.get("words"), CALL_WORDS_READ), told.get("lines")
        numbers = [_number(each) for each in (lines if isinstance(lines, list) else [])[: len(words)]]
        name = cut(str(told.get("name", "")), _NAME_CHARS)
        found.append({**placed, "name": name, "words": words[: len(numbers)], "lines": numbers})
    return found


def _unrun(value: object) -> list[dict[str, object]]:
    """
    Of functions that did not run where others did.
    """
    return [
        {
            **placed,
            "last": _number(told.get("last")),
            "function": cut(str(told.get("function", "")), _NAME_CHARS),
            "words": _texts(told.get("words"), CALL_WORDS_READ),
        }
        for told, placed in _with_place(value)
    ]


def _cookies(value: object) -> list[dict[str, object]]:
    """
    Of cookies that nobody reads.
    """
    return [
        {**placed, **{name: cut(str(told.get(name, "")), _NAME_CHARS) for name in ("name", "reads")}}
        for told, placed in _with_place(value)
    ]


def _places(value: object) -> list[dict[str, object]]:
    return [placed for _, placed in _with_place(value)]


def _with_place(value: object) -> Iterator[tuple[Mapping[str, object], dict[str, object]]]:
    for told in map(mapping_of, (value if isinstance(value, list) else [])[:CALLS_READ]):
        place, line = told.get("file"), _number(told.get("line"))
        if isinstance(place, str):
            yield told, {"file": cut(place, FACT_TEXT_CHARS), "line": line}


def _frames(value: object) -> list[dict[str, object]]:
    frames: list[dict[str, object]] = []
    for told in (value if isinstance(value, list) else [])[:FACT_LIST]:
        fields = mapping_of(told)
        place, line = fields.get("file"), _number(fields.get("line"))
        if isinstance(place, str):
            function = fields.get("function")
            frames.append(
                {
                    "file": cut(place, FACT_TEXT_CHARS),
                    "line": line,
                    "function": cut(function, _NAME_CHARS) if isinstance(function, str) else "",
                    "app": fields.get("app") is True,
                }
            )
    return frames


_PLACED: Final[Mapping[FactKind, Mapping[str, Callable[[object], list[dict[str, object]]]]]] = {
    FactKind.EXCEPTION: {"frames": _frames},
    FactKind.CALLS: {
        "functions": _functions,
        "constants": _constants,
        "unrun": _unrun,
        "at": _places,
        "answered": _places,
        "cookies": _cookies,
    },
}
"""Lists of places."""
