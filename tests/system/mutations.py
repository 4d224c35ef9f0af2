"""
Agents that change things and look at things over every carrier, and remember what they were answered.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import attrs

from reticle.client import ClientError, connect
from tests.system.stdio import StdioClient

CAPABILITIES = ["observe", "read"]
NAME = "of a test that kills"
WAIT_SECONDS = 10.0


class Gone(Exception):
    """
    The daemon went away; whether the last call had an effect is not known.
    """


class Ask(Protocol):
    """
    One call; gives its flat result object. Raises ``Gone``.
    """

    def __call__(self, tool: str, arguments: Mapping[str, object]) -> Mapping[str, Any]:
        """
        Call and wait.
        """


@contextlib.contextmanager
def over_http(port: int, token: str) -> Iterator[Ask]:
    """
    Plain POSTs to the Streamable endpoint, without a session.
    """
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)
    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Authorization": f"Bearer {token}",
    }

    def ask(tool: str, arguments: Mapping[str, object]) -> Mapping[str, Any]:
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        try:
            link.request("POST", "/mcp", json.dumps(message), headers)
            body = link.getresponse().read()
        except (OSError, http.client.HTTPException) as fault:
            raise Gone from fault
        if body.startswith(b"{"):
            return flat(json.loads(body))
        # A stream: notices may come before the answer.
        events = [json.loads(line[6:]) for line in body.splitlines() if line.startswith(b"data: {")]
        answers = [event for event in events if event.get("id") == 1]
        if not answers:
            raise Gone
        return flat(answers[0])

    with contextlib.closing(link):
        yield ask


@contextlib.contextmanager
def over_sse(port: int, token: str) -> Iterator[Ask]:
    """
    A session of the old transport.
    """
    try:
        with connect(f"http://127.0.0.1:{port}/mcp/sse", token) as client:
            client.initialize("kill-test", "1")
            yield lambda tool, arguments: client.call(tool, dict(arguments)).fields
    except (ClientError, OSError) as fault:
        raise Gone from fault


@contextlib.contextmanager
def over_socket(path: Path, token: str) -> Iterator[Ask]:
    """
    Lines of JSON on the Unix socket.
    """
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as link:
        link.settimeout(WAIT_SECONDS)
        try:
            link.connect(str(path))
            with link.makefile("rwb") as stream:
                yield lambda tool, arguments: exchanged(stream, tool, arguments, token)
        except OSError as fault:
            raise Gone from fault


def exchanged(stream: Any, tool: str, arguments: Mapping[str, object], token: str) -> Mapping[str, Any]:
    """
    One line there and one back, as a result object that must be good. Raises ``Gone``.
    """
    envelope = {"schema_version": 1, "request_id": 1, "method": tool, "params": arguments}
    stream.write(json.dumps({**envelope, "capability_token": token}).encode() + b"\n")
    stream.flush()
    line = stream.readline()
    if not line.endswith(b"\n"):
        raise Gone
    answer = json.loads(line)
    assert answer["ok"], answer
    return {"audit_id": answer["audit_id"], **answer["data"]}


def over_stdio(front: StdioClient) -> Ask:
    """
    A front that outlives the daemons; what it could not bring to an end it says.
    """

    def ask(tool: str, arguments: Mapping[str, object]) -> Mapping[str, Any]:
        found = front.answer(front.ask("tools/call", {"name": tool, "arguments": dict(arguments)}), 60)
        if "result" not in found or "structuredContent" not in found["result"]:
            raise Gone
        fields: Mapping[str, Any] = found["result"]["structuredContent"]
        if "audit_id" not in fields:
            raise Gone
        return fields

    return ask


def flat(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    The result object of an answer that must be good.
    """
    assert "result" in message, message
    fields: Mapping[str, Any] = message["result"]["structuredContent"]
    assert fields["ok"], fields
    return fields


@attrs.define(eq=False)
class Remembered:
    """
    What agents were answered, over all lives of the daemon. ``tokens`` and ``repositories`` say what must be
    true now of each that was answered and not touched since: True counts, False has ended.
    """

    audit_ids: list[str] = attrs.field(factory=list)
    verdict_ids: list[str] = attrs.field(factory=list)
    tokens: dict[str, bool] = attrs.field(factory=dict)
    secrets: dict[str, str] = attrs.field(factory=dict)
    repositories: dict[str, bool] = attrs.field(factory=dict)


@attrs.define(eq=False)
class Administrator:
    """
    Changes tokens and repositories of its own, one change at a time.
    """

    remembered: Remembered
    folder: Path
    chance: random.Random
    _tokens: list[str] = attrs.field(factory=list)
    _repositories: list[str] = attrs.field(factory=list)
    _made: int = 0

    def step(self, ask: Ask) -> None:
        """
        One change, or one look. Raises ``Gone``.
        """
        steps: list[Callable[[Ask], Mapping[str, Any]]] = [self._create, self._add, self._look]
        steps += [self._revoke, self._rotate] if self._tokens else []
        steps += [self._remove] if self._repositories else []
        answer = self.chance.choice(steps)(ask)
        self.remembered.audit_ids.append(answer["audit_id"])

    def _create(self, ask: Ask) -> Mapping[str, Any]:
        arguments = {"capabilities": CAPABILITIES, "display_name": NAME, "expires_in": "1h"}
        return self._hold(ask("daemon.token.create", arguments))

    def _rotate(self, ask: Ask) -> Mapping[str, Any]:
        old = self._touched(self._tokens, self.remembered.tokens)
        answer = ask("daemon.token.rotate", {"token_id": old})
        self.remembered.tokens[old] = False
        return self._hold(answer)

    def _revoke(self, ask: Ask) -> Mapping[str, Any]:
        old = self._touched(self._tokens, self.remembered.tokens)
        answer = ask("daemon.token.revoke", {"token_id": old})
        self.remembered.tokens[old] = False
        return answer

    def _add(self, ask: Ask) -> Mapping[str, Any]:
        self._made += 1
        root = self.folder / f"repository-{self._made}"
        root.mkdir(parents=True)
        answer = ask("repo.add", {"path": str(root)})
        self._repositories.append(answer["repository_id"])
        self.remembered.repositories[answer["repository_id"]] = True
        return answer

    def _remove(self, ask: Ask) -> Mapping[str, Any]:
        old = self._touched(self._repositories, self.remembered.repositories)
        answer = ask("repo.remove", {"repository_id": old})
        self.remembered.repositories[old] = False
        return answer

    def _look(self, ask: Ask) -> Mapping[str, Any]:
        return ask("audit.list", {"limit": 5})

    def _hold(self, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        self._tokens.append(answer["token_id"])
        self.remembered.tokens[answer["token_id"]] = True
        self.remembered.secrets[answer["token_id"]] = answer["token"]
        return answer

    def _touched(self, mine: list[str], known: dict[str, bool]) -> str:
        """
        One that is about to end: until that is answered nothing is certain of it.
        """
        old = mine.pop(self.chance.randrange(len(mine)))
        del known[old]
        return old
