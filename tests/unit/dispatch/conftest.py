"""
Everything that an exchange sends in these tests is held to the schema of its revision.
"""

from __future__ import annotations

import json

import attrs
import mcp_types.methods as schema
import pytest

from reticle.dispatch.exchange import Exchange
from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import Message, Request
from reticle.model.mcp import RoutingHeaders
from reticle.ports import ReplySink

VERSION = "2026-07-28"
OF_EXTENSIONS = frozenset({"notifications/tasks"})


@attrs.frozen(eq=False)
class HeldToSchema:
    """
    Passes on what is answered, if the revision's own types can read it.
    """

    method: str
    replies: ReplySink

    def tell(self, message: bytes) -> None:
        """
        A notification, one of this revision.
        """
        told = json.loads(message)
        if told["method"] not in OF_EXTENSIONS:
            schema.parse_server_notification(told["method"], VERSION, told.get("params"))
        self.replies.tell(message)

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        A result of this method, or an error with its number.
        """
        answer = json.loads(message)
        assert (fault is not None) == ("error" in answer)
        if fault is not None:
            assert answer["error"].keys() == {"code", "message", "data"}
            assert answer["error"]["code"] not in {-32002, -32042}
        elif (self.method, VERSION) in schema.SERVER_RESULTS and answer["result"]["resultType"] != "task":
            schema.validate_server_result(self.method, VERSION, answer["result"])
        self.replies.answer(message, fault)

    def done(self) -> None:
        """
        Nothing follows.
        """
        self.replies.done()


def method_of(body: bytes) -> str:
    """
    The method of a request, or nothing.
    """
    try:
        message = json.loads(body)
    except ValueError:
        return ""
    return str(message.get("method")) if isinstance(message, dict) else ""


@pytest.fixture(autouse=True)
def _held_to_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    receive, take = Exchange.receive, Exchange.take

    def held_receive(self: Exchange, body: bytes, headers: RoutingHeaders | None, replies: ReplySink) -> None:
        receive(self, body, headers, HeldToSchema(method_of(body), replies))

    def held_take(self: Exchange, message: Message, replies: ReplySink) -> None:
        method = message.method if isinstance(message, Request) else ""
        take(self, message, HeldToSchema(method, replies))

    monkeypatch.setattr(Exchange, "receive", held_receive)
    monkeypatch.setattr(Exchange, "take", held_take)
