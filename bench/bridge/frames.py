"""
What the pages of the benchmark say: hellos, and streams of masked frames that are only sent.

The events are of the kinds that a busy page makes, each padded to one size as JSON. They are numbered as our
script does it, so the daemon's account of losses has its work.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from websockets.frames import Frame, Opcode

DOCUMENT = "k3v9x0ab"
SCRIPT_BATCH = 500
SCRIPT_BATCH_CHARS = 786_432
"""``LIMIT.BATCH_EVENTS`` and ``LIMIT.BATCH_CHARS`` of the page script: the most that one message holds."""


@dataclass(frozen=True)
class Talk:
    """
    How the pages talk: each of ``pages`` says ``events`` of ``size`` bytes, ``batch`` of them per message as
    our script does it, or one per frame (None) as the published packages do it.
    """

    pages: int
    events: int
    size: int
    batch: int | None
    published: bool = False
    repeat: int = 1
    rate: int = 0

    @property
    def total(self) -> int:
        """
        Events of all pages.
        """
        return self.pages * self.events * self.repeat


_KINDS: Sequence[tuple[str, dict[str, Any], str]] = (
    ("dom.added", {"role": "listitem", "name": "Row 41", "text": ""}, "text"),
    ("dom.text", {"text": "", "old": "7 items in the cart"}, "text"),
    ("net.pending", {"id": "n41", "method": "GET", "url": "", "initiator": "fetch"}, "url"),
    ("dom.attr", {"attr": "class", "value": "", "old": "row"}, "value"),
    ("console.log", {"message": ""}, "message"),
    (
        "net.request",
        {
            "id": "n41",
            "method": "GET",
            "url": "/r",
            "status": 200,
            "ok": True,
            "durationMs": 12,
            "responseBody": "",
        },
        "responseBody",
    ),
    ("state.change", {"store": "cart", "path": "items.41.count", "value": "", "old": 2}, "value"),
    ("dom.removed", {"role": "listitem", "name": ""}, "name"),
)
_WORDS = '{"id": 41, "title": "An ordinary row of the shop", "price": 1290, "tags": ["blue", "grün"]}, '


def event(number: int, size: int, *, published: bool = False) -> str:
    """
    One event as JSON of ``size`` bytes.
    """
    kind, data, filled = _KINDS[number % len(_KINDS)]
    whole: dict[str, Any] = {"seq": number + 1, "t": number // 4, "type": kind, "documentId": DOCUMENT}
    if published:
        whole = {"t": number // 4, "type": kind, "sessionId": "bench"}
    whole["data"] = dict(data)
    if kind.startswith("dom."):
        whole["ref"] = "e41"
    least = len(_json(whole))
    text, words = "", _WORDS * (size // len(_WORDS) + 1)
    # Quotes inside of a text take two bytes: take less until it fits, then fill up.
    take = size - least
    while len(_json(words[:take])) - 2 > size - least:
        take -= 1
    text = words[:take]
    text += "." * (size - least - (len(_json(text)) - 2))
    whole["data"][filled] = text
    return _json(whole).decode()


def messages(talk: Talk) -> Iterator[bytes]:
    """
    The messages of one page behind its hello.
    """
    if talk.batch is None:
        for number in range(talk.events):
            yield b'{"kind":"event","event":%b}' % event(number, talk.size, published=talk.published).encode()
        return
    most = min(talk.batch, SCRIPT_BATCH_CHARS // talk.size)
    for first in range(0, talk.events, most):
        batch = [event(number, talk.size) for number in range(first, min(first + most, talk.events))]
        yield b'{"kind":"events","events":[%b]}' % ",".join(batch).encode()


def stream(talk: Talk) -> bytes:
    """
    The messages as masked frames.
    """
    return b"".join(Frame(Opcode.TEXT, message).serialize(mask=True) for message in messages(talk))


def hellos(talk: Talk) -> bytes:
    """
    One hello per page and line, each page one that was never there before.
    """
    life = secrets.token_hex(4)
    lines = []
    for number in range(talk.pages):
        hello: dict[str, Any] = {
            "kind": "hello",
            "protocolVersion": 1,
            "sessionId": f"bench-{life}-{number}",
            "url": f"http://localhost:8000/{number}",
            "title": "Bench",
        }
        if not talk.published:
            hello.update(script="reticle", documentId=DOCUMENT)
        lines.append(_json(hello) + b"\n")
    return b"".join(lines)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
