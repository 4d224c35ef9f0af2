"""
Recorded traffic of real page packages, played into the real bridge.

A recording is a file of JSON lines: ``{"ms", "conn", "from", "message"}``. ``from`` is ``page``, ``daemon``
(what the daemon of the recording sent) or ``net`` (an upgrade, a close, notes). Time passes as recorded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from reticle.bridge.dialect import Send
from reticle.bridge.page import BridgedPage
from reticle.bridge.published.dialect import PublishedDialect
from reticle.bridge.wire import CommandResult
from reticle.errors import Refusal
from reticle.model.codes import CommandName
from reticle.model.limits import SESSION_ID_CHARS
from reticle.model.page import PageIdentity
from reticle.testing.bridge import Bridge
from reticle.testing.sockets import PageEnd

ACTING = frozenset({"act", "act_sequence", "navigate", "refresh", "scroll"})
"""Commands that must not be sent twice."""

NAME_CHARS = 128


class RawDialect(PublishedDialect):
    """
    Sends a recorded command as it is: what is asked as ``ACT`` is ``{"name", "args"}``. What the bridge tells
    the panel of its own accord goes through.
    """

    async def ask(
        self, send: Send, identity: PageIdentity, command: CommandName, args: Mapping[str, object]
    ) -> object:
        """
        See ``Dialect``; gives the whole ``CommandResult``.
        """
        if command is not CommandName.ACT:
            return await super().ask(send, identity, command, args)
        name, given = args["name"], args["args"]
        assert isinstance(name, str)
        assert isinstance(given, Mapping)
        return await send(name, given, acts=name in ACTING)


@attrs.define
class Asked:
    """
    One recorded command, the socket it went to then and now, and what came of it here.
    """

    conn: int
    name: str
    went_to: int | None = None
    outcome: CommandResult | Refusal | None = None


def recorded(path: Path) -> list[dict[str, Any]]:
    """
    The lines of a recording.
    """
    return [json.loads(line) for line in path.read_text().splitlines()]


class Replay:
    """
    A bridge to which a recording happens.

    Args:
        lines: The recording.
        bridge: An empty bridge whose published pages speak ``RawDialect``.
        needs_token: Whether the recorded daemon asked for the pairing token.

    ``ends`` are the open sockets by their recorded number, ``closed`` how this daemon had closed the others,
    if it had; ``asked`` the recorded commands with what came of them here.
    """

    def __init__(
        self, lines: Sequence[Mapping[str, Any]], bridge: Bridge, *, needs_token: bool = False
    ) -> None:
        self.bridge = bridge
        self.ends: dict[int, PageEnd] = {}
        self.asked: list[Asked] = []
        self.closed: dict[int, tuple[int, str] | None] = {}
        self._needs_token = needs_token
        self._ours: dict[str, list[str]] = {}
        self._from_the_recording: set[str] = set()
        self._names: dict[int, str] = {}
        self._lines = lines
        self._at = 0
        self._now = lines[0]["ms"]

    def run(self, until: int | None = None) -> Replay:
        """
        Go on to the end, or to the first line after ``until`` (the recording's milliseconds).
        """
        while self._at < len(self._lines) and (until is None or self._lines[self._at]["ms"] <= until):
            line = self._lines[self._at]
            self._at += 1
            self._wait(line["ms"])
            self._happens(line)
        if until is not None:
            self._wait(until)
        return self

    def told(self, conn: int) -> list[tuple[str, dict[str, Any]]]:
        """
        What this daemon sent to a socket of its own accord: names and args.
        """
        sent = self.ends[conn].commands()
        own = (each for each in sent if each["id"] not in self._from_the_recording)
        return [(each["name"], each["args"]) for each in own]

    def pages(self) -> dict[str, BridgedPage]:
        """
        All pages there ever were, by name.
        """
        return {name: self.bridge.page(name) for name in dict.fromkeys(self.bridge.changed)}

    def wait(self, seconds: float) -> Replay:
        """
        Let time pass in which nothing was recorded.
        """
        self.bridge.clock.advance(seconds)
        return self

    def _wait(self, ms: int) -> None:
        self.bridge.clock.advance(max(ms - self._now, 0) / 1000)
        self._now = max(ms, self._now)

    def _happens(self, line: Mapping[str, Any]) -> None:
        conn, message = line["conn"], line["message"]
        match line["from"]:
            case "page":
                self._said(conn, message)
            case "daemon":
                self._sent(conn, message)
            case _ if "upgrade" in message:
                self._dial(conn, message["origin"])
            case _ if "closed" in message and conn in self.ends:
                end = self.ends.pop(conn)
                self.closed[conn] = end.writer.closed
                end.lose(message["closed"])
            case _ if "recorder_trimmed_identical_events" in message:
                for _ in range(message["recorder_trimmed_identical_events"]):
                    self._happens(self._lines[self._at - 2])
            case _:
                pass

    def _dial(self, conn: int, origin: str) -> None:
        self.ends[conn] = self.bridge.dial(origin=origin, needs_token=self._needs_token)

    def _said(self, conn: int, message: object) -> None:
        if conn not in self.ends:
            return  # the tail of a socket whose beginning is in another recording
        if isinstance(message, dict) and message.get("kind") == "command_result":
            message = {**message, "id": self._our_id(str(message["id"]))}
        elif isinstance(message, dict) and message.get("kind") == "hello":
            self._names[conn] = str(message["sessionId"])[:SESSION_ID_CHARS]
        self.ends[conn].say(message)

    def _sent(self, conn: int, message: object) -> None:
        if not isinstance(message, Mapping) or not _is_command(message):
            return  # noise that the recording tried; this daemon never sends such
        if conn not in self._names:
            return
        before = {number: len(end.writer.sent) for number, end in self.ends.items()}
        page = self.bridge.page(self._names[conn])
        answer = page.ask(CommandName.ACT, {"name": message["name"], "args": message.get("args", {})})
        asked = Asked(conn, message["name"])
        self.asked.append(asked)
        for number, end in self.ends.items():
            for command in end.commands()[before[number] :]:
                asked.went_to = number
                self._ours.setdefault(str(message["id"]), []).append(command["id"])
                self._from_the_recording.add(command["id"])
        _follow(answer, asked)

    def _our_id(self, recorded_id: str) -> str:
        ours = self._ours.get(recorded_id, [])
        return ours.pop(0) if ours else recorded_id


def _follow(answer: Deferred[object], asked: Asked) -> None:
    def came(result: object) -> None:
        assert isinstance(result, CommandResult)
        asked.outcome = result

    def refused(failure: Failure) -> None:
        failure.trap(Refusal)
        assert isinstance(failure.value, Refusal)
        asked.outcome = failure.value

    answer.addCallbacks(came, refused)


def _is_command(message: Mapping[str, Any]) -> bool:
    name, args = message.get("name"), message.get("args", {})
    named = isinstance(name, str) and 0 < len(name) <= NAME_CHARS
    return message.get("kind") == "command" and named and isinstance(args, dict)
