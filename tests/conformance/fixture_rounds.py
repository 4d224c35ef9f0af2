"""
What the conformance suite wants to be asked in the middle of a request (mcp.md §15.1, §15.2).
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.model.content import text_block
from reticle.model.mcp import Question
from reticle.ports import CallContext
from reticle.prompts.spec import Prompt, PromptMessage
from reticle.tools.spec import Tool, ToolAnswer
from tests.conformance.fixture_tools import Answers, Given, Run, fixture, form, said, sampling

NAME = form("What is your name?", {"name": {"type": "string"}}, ["name"])
CONFIRM = form("Go on?", {"ok": {"type": "boolean"}}, ["ok"])
ROOTS = Question("roots/list", {})
CAPITAL = sampling("What is the capital of France?")


async def greet_person(context: CallContext, _: Given) -> ToolAnswer:
    """
    One form.
    """
    answers: Answers = await context.ask({"user_name": NAME})
    return said(f"Hello, {answers['user_name'].get('content', {}).get('name', 'stranger')}!")


def asking_once(key: str, question: Question, text: str) -> Run:
    """
    A tool that asks one question and says what came of it.
    """

    async def ask(context: CallContext, _: Given) -> ToolAnswer:
        answers: Answers = await context.ask({key: question})
        return said(f"{text}: {answers[key]}")

    return ask


async def ask_three_at_once(context: CallContext, _: Given) -> ToolAnswer:
    """
    A form, the model and the folders in one round.
    """
    questions = {"user_name": NAME, "greeting": sampling("Greet the user."), "client_roots": ROOTS}
    answers: Answers = await context.ask(questions)
    return said(f"All inputs: {answers}")


async def ask_twice(context: CallContext, _: Given) -> ToolAnswer:
    """
    Two rounds, the second after the first.
    """
    first: Answers = await context.ask({"step1": NAME})
    colour = form("Your favourite colour?", {"color": {"type": "string"}}, ["color"])
    second: Answers = await context.ask({"step2": colour})
    return said(f"Two rounds: {first} {second}")


async def ask_what_is_possible(context: CallContext, _: Given) -> ToolAnswer:
    """
    Whatever the client can be asked.
    """
    questions = {"user_name": NAME, "capital_question": CAPITAL, "client_roots": ROOTS}
    possible = {key: question for key, question in questions.items() if context.can_ask(question)}
    answers: Answers = await context.ask(possible or {"user_name": NAME})
    return said(f"Asked: {sorted(answers)}")


async def make_asking_prompt(context: CallContext, _: Mapping[str, str]) -> list[PromptMessage]:
    """
    A prompt that needs to know something first.
    """
    about = form("What is it about?", {"context": {"type": "string"}}, ["context"])
    answers: Answers = await context.ask({"user_context": about})
    content = answers["user_context"].get("content", {})
    return [PromptMessage(text_block(f"Context: {content.get('context', 'none')}"))]


PROMPT = Prompt(
    "test_input_required_result_prompt", "Asking prompt", "Asks before it is made.", (), make_asking_prompt
)

TOOLS: tuple[Tool, ...] = (
    fixture("test_missing_capability", asking_once("capital_question", CAPITAL, "Sampled")),
    fixture("test_streaming_elicitation", greet_person),
    fixture("test_input_required_result_elicitation", greet_person),
    fixture("test_input_required_result_sampling", asking_once("capital_question", CAPITAL, "Sampled")),
    fixture("test_input_required_result_list_roots", asking_once("client_roots", ROOTS, "Roots")),
    fixture("test_input_required_result_request_state", asking_once("confirm", CONFIRM, "state-ok")),
    fixture("test_input_required_result_multiple_inputs", ask_three_at_once),
    fixture("test_input_required_result_multi_round", ask_twice),
    fixture("test_input_required_result_tampered_state", asking_once("confirm", CONFIRM, "state-ok")),
    fixture("test_input_required_result_capabilities", ask_what_is_possible),
)
