"""
Where conversations come from.
"""

from __future__ import annotations

from reticle.model.trust import PAIRING
from reticle.ports import CallContext
from reticle.testing.gate import GateBench, NoArguments, scripted_tool
from reticle.tools.spec import ToolAnswer

BODY = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_who"}}'


def test_each_conversation_has_its_own_name_and_principal() -> None:
    """
    What a tool remembers of one agent is never shown to another.
    """

    async def who(context: CallContext, _: NoArguments) -> ToolAnswer:
        return ToolAnswer({"who": context.principal.name, "conversation": context.conversation_id})

    bench = GateBench([scripted_tool("test_who", who)])
    opened = [bench.open(), bench.open(PAIRING)]
    told = []
    for conversation, sink in opened:
        conversation.receive(BODY)
        conversation.receive(BODY)
        told.append([message["result"]["content"][0]["text"] for message in sink.take()])
    assert told == [
        ["who: local\nconversation: conversation_1"] * 2,
        ["who: pairing\nconversation: conversation_2"] * 2,
    ]
    assert [row.principal for row in bench.audit.rows] == ["local", "local", "pairing", "pairing"]
