"""
The two ends of a page socket in memory: what the bridge writes, and a page that a test drives by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from reticle.model.browser import Attestation
from reticle.ports import PageLink, PageLinks

SERVED_SCRIPT = "5e12ed5c12170000"
"""The content hash of the page script that a made-up daemon serves and its pages run."""


class FakeSocketWriter:
    """
    Provides ``ports.SocketWriter``; remembers what was sent and how it was closed.
    """

    def __init__(self, on_sent: Callable[[], None] = lambda: None) -> None:
        self._on_sent = on_sent
        self.sent: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self.unsent = 0

    def send_text(self, payload: bytes) -> None:
        """
        See ``ports.SocketWriter``.
        """
        if self.closed is None:
            self.sent.append(payload)
            self._on_sent()

    def close(self, code: int, reason: str) -> None:
        """
        See ``ports.SocketWriter``.
        """
        if self.closed is None:
            self.closed = (int(code), reason)

    def unsent_bytes(self) -> int:
        """
        See ``ports.SocketWriter``.
        """
        return self.unsent


class PageEnd:
    """
    A page's end of one socket, without the socket: says what it is told to and sees what it is sent.

    Args:
        links: Where it dials.
        origin: The Origin of its upgrade.
        needs_token: Whether the upgrade was not trusted by loopback.
        answers: Answers commands at once, from name and args to a result, or to an error by raising
            ``LookupError``; commands that neither this nor ``on`` knows are answered by the test.
    """

    def __init__(
        self,
        links: PageLinks,
        *,
        origin: str = "http://localhost:8000",
        needs_token: bool = False,
        attested: Attestation | None = None,
        answers: Callable[[str, Mapping[str, Any]], object] | None = None,
    ) -> None:
        self._answers = answers
        self._results: dict[str, object] = {}
        self._answered = 0
        self._seq = 0
        self._document: str | None = None
        self.writer = FakeSocketWriter(self._answer_all)
        self.link: PageLink | None = links.admit(
            self.writer, origin, needs_token=needs_token, attested=attested
        )

    def say(self, message: object) -> None:
        """
        Send one message.
        """
        self.say_raw(json.dumps(message).encode())

    def say_raw(self, payload: bytes) -> None:
        """
        Send one message as it is.
        """
        assert self.link is not None
        self.link.texts_received([payload])

    def hello(
        self,
        session_id: str = "s1",
        document_id: str | None = "doc00001",
        *,
        own: bool = True,
        **fields: object,
    ) -> None:
        """
        Introduce itself, as our own page script unless ``own`` is False.
        """
        self._document = document_id
        message: dict[str, object] = {
            "kind": "hello",
            "protocolVersion": 1,
            "sessionId": session_id,
            "url": "http://localhost:8000/",
            "title": "Shop",
            "adapters": [],
            "hasCapabilities": False,
        }
        if own:
            message.update(script="reticle", contract=SERVED_SCRIPT, documentId=document_id)
        self.say({**message, **fields})

    def event(self, event_type: str, fields: Mapping[str, object] | None = None, **more: object) -> None:
        """
        Report one event; own scripts count theirs.
        """
        self._seq += 1
        event: dict[str, object] = {
            "seq": self._seq,
            "t": self._seq,
            "type": event_type,
            "data": fields or {},
        }
        if self._document is not None:
            event["documentId"] = self._document
        self.say({"kind": "event", "event": {**event, **more}})

    def on(self, name: str, result: object) -> None:
        """
        Answer a command with this result at once, from now on.
        """
        self._results[name] = result

    def commands(self) -> list[dict[str, Any]]:
        """
        The commands that were sent to it, as ``{"kind", "id", "name", "args"}``.
        """
        return [json.loads(payload) for payload in self.writer.sent]

    def answer(self, result: object, *, number: int = -1) -> None:
        """
        Answer a command with a result, the newest one unless told otherwise.
        """
        self.say(
            {"kind": "command_result", "id": self.commands()[number]["id"], "ok": True, "result": result}
        )

    def refuse(self, error: str, *, number: int = -1, **fields: object) -> None:
        """
        Answer a command with an error.
        """
        command_id = self.commands()[number]["id"]
        self.say({"kind": "command_result", "id": command_id, "ok": False, "error": error, **fields})

    def lose(self, code: int = 1001) -> None:
        """
        The socket is gone.
        """
        assert self.link is not None
        self.link.socket_closed(code, "")

    def _answer_all(self) -> None:
        while self._answered < len(self.writer.sent):
            command = self.commands()[self._answered]
            self._answered += 1
            answer = {"kind": "command_result", "id": command["id"], "ok": True}
            if command["name"] in self._results:
                self.say({**answer, "result": self._results[command["name"]]})
            elif self._answers is not None:
                try:
                    answer["result"] = self._answers(command["name"], command["args"])
                except LookupError as error:
                    answer.update(ok=False, error=str(error.args[0]))
                self.say(answer)
