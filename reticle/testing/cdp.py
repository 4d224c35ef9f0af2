"""
A browser's end of a conversation, in memory: a test reads what was asked of it and says what it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import msgspec
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.task import Clock

from reticle.browser.conversation import Conversation


@attrs.frozen
class Command:
    """
    One command that reached the browser.
    """

    number: int
    method: str
    params: Mapping[str, Any]
    session_id: str = ""


class ScriptedBrowser:
    """
    Answers every command at once with what ``answers`` has for its method, else with an empty result; those
    in ``refusals`` with that error, and those in ``silent`` not at all.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.commands: list[Command] = []
        self.answers: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {}
        self.refusals: dict[str, str] = {}
        self.silent: set[str] = set()
        self.threads = 0
        self.conversation = Conversation(self._take, self.clock, self._in_thread)

    def methods(self) -> list[str]:
        """
        What was asked, in order.
        """
        return [command.method for command in self.commands]

    def asked(self, method: str) -> list[Mapping[str, Any]]:
        """
        The parameters of each command of that name.
        """
        return [command.params for command in self.commands if command.method == method]

    def tell(self, method: str, params: Mapping[str, object], session_id: str = "") -> None:
        """
        An event.
        """
        named = {"sessionId": session_id} if session_id else {}
        self.conversation.received(msgspec.json.encode({"method": method, "params": params, **named}))

    def _take(self, payload: bytes) -> None:
        asked = msgspec.json.decode(payload)
        command = Command(asked["id"], asked["method"], asked["params"], asked.get("sessionId", ""))
        self.commands.append(command)
        if command.method in self.silent:
            return
        answer: Mapping[str, Any]
        if command.method in self.refusals:
            answer = {"error": {"code": -32000, "message": self.refusals[command.method]}}
        else:
            scripted = self.answers.get(command.method)
            answer = {"result": {} if scripted is None else scripted(command.params)}
        # later than the call that asked, as bytes from elsewhere come
        self.clock.callLater(0, self._answer, command.number, answer)
        self.clock.advance(0)

    def _answer(self, number: int, answer: Mapping[str, Any]) -> None:
        self.conversation.received(msgspec.json.encode({"id": number, **answer}))

    def _in_thread(self, call: Callable[..., Any], *args: Any, **named: Any) -> Deferred[Any]:
        self.threads += 1
        return maybeDeferred(call, *args, **named)
