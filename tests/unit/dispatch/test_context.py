"""
What a tool gets to work with.
"""

from __future__ import annotations

from collections.abc import Mapping

from twisted.internet.defer import Deferred

from reticle.dispatch.call import Call, Caller
from reticle.errors import Refusal
from reticle.model.codes import Carrier
from reticle.model.mcp import Question
from reticle.model.trust import LOCAL
from reticle.ports import CallContext
from reticle.testing.gate import GateBench, NoArguments, scripted_tool
from reticle.tools.spec import ToolAnswer

CALL = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
    b'"params":{"name":"test_inner","_meta":{"progressToken":1}}}'
)


def test_an_inner_call_reports_to_the_same_client_and_raises_its_refusal() -> None:
    """
    A tool that calls another passes its progress on and sees its refusal with its code.
    """

    async def inner(context: CallContext, _: NoArguments) -> ToolAnswer:
        try:
            await context.call("test_refuse", {})
        except Refusal as refusal:
            await context.call("test_wait", {})
            return ToolAnswer({"seen": refusal.code})
        return ToolAnswer({})

    bench = GateBench([scripted_tool("test_inner", inner)])
    conversation, sink = bench.open()
    conversation.receive(CALL)
    assert [message["params"]["message"] for message in sink.take()] == ["waiting"]
    bench.waiting.waits[0].callback("x")
    progress, answer = sink.take()
    assert progress["params"]["message"] == "done"
    assert answer["result"]["structuredContent"]["seen"] == "no_session"
    assert [tool for tool, _ in bench.audit.decisions()] == ["test_refuse", "test_wait", "test_inner"]


def test_verdict_ids_are_fresh() -> None:
    """
    No two verdicts share an id.
    """
    ids: list[str] = []

    async def mint(context: CallContext, _: NoArguments) -> ToolAnswer:
        ids.extend((context.new_verdict_id(), context.new_verdict_id()))
        return ToolAnswer({})

    bench = GateBench([scripted_tool("test_inner", mint)])
    conversation, _ = bench.open()
    conversation.receive(CALL)
    assert len(set(ids)) == 2
    assert all(one.startswith("verdict_") for one in ids)


def test_a_forgotten_inner_call_is_still_recorded() -> None:
    """
    A tool that does not wait for what it called leaves a row of it all the same.
    """

    async def forget(context: CallContext, _: NoArguments) -> ToolAnswer:
        running = context.call("test_wait", {})
        assert isinstance(running, Deferred)
        return ToolAnswer({})

    bench = GateBench([scripted_tool("test_inner", forget)])
    conversation, _ = bench.open()
    conversation.receive(CALL)
    bench.waiting.waits[0].callback("late")
    assert bench.audit.decisions() == [("test_inner", "allowed"), ("test_wait", "allowed")]


class OneAnswer:
    """
    An ``Asker`` whose client says the number of the question.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []

    def can_ask(self, question: Question) -> bool:
        """
        Everything but folders.
        """
        return question.method != "roots/list"

    async def ask(self, questions: Mapping[str, Question]) -> Mapping[str, object]:
        """
        Count them.
        """
        self.asked.extend(questions)
        return dict.fromkeys(questions, len(self.asked))


def test_a_person_is_not_asked_the_same_twice_in_a_call() -> None:
    """
    A tool that begins anew gets the answer that it had; another question by the same name is put.
    """
    heard: list[object] = []
    sampling = Question("sampling/createMessage", {})

    async def ask(context: CallContext, _: NoArguments) -> ToolAnswer:
        first, other = Question("elicitation/create", {"message": "1"}), Question("elicitation/create", {})
        heard.append(await context.ask({"a": first}))
        heard.append(await context.ask({"a": first, "b": sampling}))
        heard.append(await context.ask({"a": other}))
        heard.extend((context.can_ask(sampling), context.can_ask(Question("roots/list", {}))))
        return ToolAnswer({})

    asker = OneAnswer()
    bench = GateBench([scripted_tool("test_inner", ask)])
    call = Call(Caller(LOCAL, Carrier.HTTP, "c1"), "test_inner", asker=asker)
    Deferred.fromCoroutine(bench.gate.call(call))
    assert heard == [{"a": 1}, {"a": 1, "b": 2}, {"a": 3}, True, False]
    assert asker.asked == ["a", "b", "a"]
