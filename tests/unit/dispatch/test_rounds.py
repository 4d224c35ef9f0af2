"""
Questions of a 2026-07-28 call: it ends, and comes again with the answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import REQUEST_STATE_SECONDS
from reticle.model.mcp import Question
from reticle.model.trust import LOCAL, PAIRING
from reticle.ports import CallContext
from reticle.testing.gate import EchoArguments, GateBench, NoArguments, scripted_tool
from reticle.testing.modern import EVERYTHING, modern_request, send_modern
from reticle.tools.spec import ToolAnswer


def form(name: str) -> Question:
    """
    Asks for one text.
    """
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    return Question("elicitation/create", {"message": f"Your {name}?", "requestedSchema": schema})


SAMPLE = Question("sampling/createMessage", {"messages": [], "maxTokens": 10})


async def greet(context: CallContext, _: NoArguments) -> ToolAnswer:
    """
    Asks twice, one after the other.
    """
    first: Any = await context.ask({"name": form("name")})
    second: Any = await context.ask({"color": form("color")})
    return ToolAnswer({"said": f"{first['name']['content']['name']} {second['color']['content']['color']}"})


async def whisper(context: CallContext, arguments: EchoArguments) -> ToolAnswer:
    """
    Asks two things at once.
    """
    answers: Any = await context.ask({"a": form("a"), "b": form("b")})
    return ToolAnswer({"said": [answers["a"]["content"]["a"], answers["b"]["content"]["b"], arguments.text]})


async def careful(context: CallContext, _: NoArguments) -> ToolAnswer:
    """
    Asks a model, or goes on without.
    """
    try:
        await context.ask({"sample": SAMPLE})
    except Refusal as refusal:
        return ToolAnswer({"without": refusal.code})
    return ToolAnswer({"asked": True})


async def needy(context: CallContext, _: NoArguments) -> ToolAnswer:
    """
    Cannot do without a model.
    """
    await context.ask({"sample": SAMPLE})
    return ToolAnswer({})


async def outer(context: CallContext, _: NoArguments) -> ToolAnswer:
    """
    Calls another tool, and would take any refusal of it for an answer.
    """
    try:
        answer = await context.call("test_greet", {})
    except Refusal as refusal:
        return ToolAnswer({"swallowed": refusal.code})
    return ToolAnswer({"inner": answer.fields["said"]})


def bench() -> GateBench:
    """
    A gate with tools that ask.
    """
    return GateBench(
        [
            scripted_tool("test_greet", greet),
            scripted_tool("test_whisper", whisper, EchoArguments),
            scripted_tool("test_careful", careful),
            scripted_tool("test_needy", needy),
            scripted_tool("test_outer", outer),
        ]
    )


def call(
    name: str,
    responses: object = None,
    state: object = None,
    *,
    capabilities: Mapping[str, object] = EVERYTHING,
    arguments: Mapping[str, object] | None = None,
) -> bytes:
    """
    One round of a call.
    """
    params: dict[str, object] = {"name": name, "arguments": arguments or {}}
    if responses is not None:
        params["inputResponses"] = responses
    if state is not None:
        params["requestState"] = state
    return modern_request("tools/call", params, capabilities=capabilities)


def accept(**content: object) -> dict[str, object]:
    """
    A filled form.
    """
    return {"action": "accept", "content": content}


def test_questions_come_round_by_round() -> None:
    """
    A tool that asks twice gets both answers, though each round is a request of its own.
    """
    gate = bench()
    first = send_modern(gate, call("test_greet")).result()
    assert first["resultType"] == "input_required"
    assert first["inputRequests"] == {
        "name": {"method": "elicitation/create", "params": form("name").params},
    }
    second = send_modern(
        gate, call("test_greet", {"name": accept(name="Ann")}, first["requestState"])
    ).result()
    assert list(second["inputRequests"]) == ["color"]
    assert second["requestState"] != first["requestState"]
    third = send_modern(
        gate, call("test_greet", {"color": accept(color="red")}, second["requestState"])
    ).result()
    assert third["resultType"] == "complete"
    assert third["structuredContent"]["said"] == "Ann red"
    assert "requestState" not in third
    assert [row.decision for row in gate.audit.rows] == ["cancelled:input_required"] * 2 + ["allowed"]


def test_answers_without_a_state_count() -> None:
    """
    A client that brings all answers at once needs no state.
    """
    responses = {"name": accept(name="Ann"), "color": accept(color="red"), "unknown": accept(x=1)}
    assert (
        send_modern(bench(), call("test_greet", responses)).result()["structuredContent"]["said"] == "Ann red"
    )


@pytest.mark.parametrize("answer", [42, None, {}, {"action": "accept"}, accept(name=3), accept(other="x")])
def test_a_malformed_answer_is_asked_again(answer: object) -> None:
    """
    A value of the wrong form never reaches a tool.
    """
    result = send_modern(bench(), call("test_greet", {"name": answer})).result()
    assert list(result["inputRequests"]) == ["name"]


def test_a_part_of_the_answers_leaves_the_rest_open() -> None:
    """
    What was answered is not asked again, what was not is.
    """
    gate, arguments = bench(), {"text": "x"}
    first = send_modern(gate, call("test_whisper", {"a": accept(a="1")}, arguments=arguments)).result()
    assert list(first["inputRequests"]) == ["b"]
    answered = call("test_whisper", {"b": accept(b="2")}, first["requestState"], arguments=arguments)
    assert send_modern(gate, answered).result()["structuredContent"]["said"] == ["1", "2", "x"]


def test_a_state_cannot_be_carried_elsewhere() -> None:
    """
    Answers of one call are not taken for another's, another principal's, or after their time.
    """
    gate = bench()
    arguments = {"text": "x"}
    state = send_modern(gate, call("test_whisper", {"a": accept(a="1")}, arguments=arguments)).result()[
        "requestState"
    ]
    for body, principal in (
        (call("test_greet", None, state), LOCAL),
        (call("test_whisper", None, state, arguments={"text": "y"}), LOCAL),
        (call("test_whisper", None, state, arguments=arguments), PAIRING),
        (call("test_whisper", None, state + "-TAMPERED", arguments=arguments), LOCAL),
    ):
        error = send_modern(gate, body, principal=principal).error()
        assert (error["code"], error["data"]["code"]) == (-32602, "state_invalid")
    gate.clock.advance(REQUEST_STATE_SECONDS)
    late = send_modern(gate, call("test_whisper", None, state, arguments=arguments))
    assert late.error()["data"]["code"] == "state_invalid"


def test_a_tool_that_can_do_without_does() -> None:
    """
    A client that cannot be asked gets an answer all the same.
    """
    result = send_modern(bench(), call("test_careful", capabilities={"elicitation": {}})).result()
    assert result["structuredContent"]["without"] == RefusalCode.CANNOT_ASK


def test_a_tool_that_cannot_do_without_names_what_it_needs() -> None:
    """
    A client learns which capability the call needs.
    """
    error = send_modern(bench(), call("test_needy", capabilities={"elicitation": {}})).error()
    assert error["code"] == -32021
    assert error["data"]["requiredCapabilities"] == {"sampling": {}}


def test_a_question_inside_another_call_reaches_the_client() -> None:
    """
    No tool that calls another can swallow the other's question.
    """
    gate = bench()
    asked = send_modern(gate, call("test_outer")).result()
    assert list(asked["inputRequests"]) == ["name"]
    responses = {"name": accept(name="Ann"), "color": accept(color="red")}
    assert (
        send_modern(gate, call("test_outer", responses)).result()["structuredContent"]["inner"] == "Ann red"
    )
