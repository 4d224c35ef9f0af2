"""
The relay for pages behind servers without WebSockets: long polls and posts to ``/__reticle__/poll``.

The page posts JSON: ``{"open": true}`` gets ``{"id": …}``; with that id ``send`` (a list of messages) is
passed on, and the answer has the daemon's ``messages`` and, at the end, ``closed`` with a code. ``hold`` asks
to wait for the first message. It lives in one process: behind several workers a page that reaches another is
told 410 and opens anew.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from typing import Any, Final, Protocol

from reticle.probe import own_paths, script, visitors
from reticle.probe.insertion.candidates import Lookup
from reticle.probe.limits import RELAY_HOLD_SECONDS, RELAY_MESSAGE_BYTES, RELAY_PAGES
from reticle.probe.own_paths import Served
from reticle.probe.quiet import own_work
from reticle.probe.relay_frames import Closed
from reticle.probe.relay_line import RelayLine

BODY_BYTES: Final = RELAY_MESSAGE_BYTES + 65_536
"""One message of the greatest size in its JSON."""

_PAUSE_MS: Final = 250
"""Between questions to a server that answers one at a time, which a held one would block."""


class Line(Protocol):
    """
    What is needed of a connection to the daemon (``RelayLine``).
    """

    @property
    def is_abandoned(self) -> bool: ...  # noqa: D102 - as there

    def send(self, texts: list[str]) -> None: ...  # noqa: D102 - as there

    def take(self, hold_seconds: float) -> tuple[list[str], Closed | None]: ...  # noqa: D102 - as there

    def close(self) -> None: ...  # noqa: D102 - as there


class PollRelay:
    """
    The pages that this process relays for.

    Args:
        dial: Opens a line to the daemon; raises OSError where there is none.
    """

    def __init__(self, dial: Callable[[], Line]) -> None:
        self._dial = dial
        self._lines: dict[str, Line] = {}
        self._lock = threading.Lock()

    def answer(self, method: str, header: Lookup, peer: str | None, body: bytes, *, can_wait: bool) -> Served:
        """
        Answer one post of a page; may wait, as long as ``can_wait`` and the page ask for it.
        """
        refusal = refused(method, header, peer)
        if refusal is not None:
            return refusal
        try:
            asked = json.loads(body)
        except ValueError:
            asked = None
        if not isinstance(asked, dict) or len(body) > BODY_BYTES:
            return Served.plain(400, "no JSON object")
        with own_work():
            return self._open() if asked.get("open") is True else self._go_on(asked, can_wait=can_wait)

    def after_fork(self) -> None:
        """
        The parent's lines are not the child's.
        """
        self._lines, self._lock = {}, threading.Lock()

    def _open(self) -> Served:
        with self._lock:
            for name, line in list(self._lines.items()):
                if line.is_abandoned:
                    del self._lines[name]
                    line.close()
            if len(self._lines) >= RELAY_PAGES:
                return Served.plain(429, "this process relays for as many pages as it may")
            try:
                line = self._dial()
            except OSError:
                return Served.plain(503, "no reticle daemon answers")
            name = os.urandom(16).hex()
            self._lines[name] = line
        return _json({"id": name})

    def _go_on(self, asked: dict[str, Any], *, can_wait: bool) -> Served:
        name = asked.get("id")
        line = self._lines.get(name) if isinstance(name, str) else None
        texts = asked.get("send", [])
        if line is None:
            return Served.plain(410, "this process knows no such page")
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            return Served.plain(400, "send is a list of texts")
        line.send(texts)
        wants = asked.get("hold") is True
        if not wants and asked.get("close") is not True:
            # only one question at a time takes messages, or two answers would change their order
            return _json({"messages": [], "closed": None})
        messages, closed = line.take(RELAY_HOLD_SECONDS if wants and can_wait else 0)
        if asked.get("close") is True or closed is not None:
            self._lines.pop(str(name), None)
            line.close()
        told: dict[str, Any] = {"messages": messages, "closed": closed and closed._asdict()}
        if wants and not can_wait:
            told["pauseMs"] = _PAUSE_MS
        return _json(told)


def refused(method: str, header: Lookup, peer: str | None) -> Served | None:
    """
    Why nothing is relayed for this visitor; None where it may.
    """
    if (stranger := own_paths.refused(peer, header)) is not None:
        return stranger
    if not visitors.is_same_origin(header):
        return Served.plain(403, "only pages of this app's own origin")
    if method != "POST":
        return Served.plain(405, "only POST")
    if (header("content-type") or "").partition(";")[0].strip().lower() != "application/json":
        return Served.plain(415, "only application/json")
    length = header("content-length") or ""
    if length.isdecimal() and int(length) > BODY_BYTES:
        return Served.plain(413, "a message beyond the limit")
    return None


def _json(value: object) -> Served:
    body = json.dumps(value).encode("ascii")
    return Served(200, own_paths.head("application/json", body), body)


def _dial() -> RelayLine:
    known = script.copy.current()
    if known is None:
        raise ConnectionRefusedError("no daemon answers")
    return RelayLine(known.bridge)


relay: Final = PollRelay(_dial)
"""The one of this process."""

os.register_at_fork(after_in_child=relay.after_fork)
