"""
Tools that run as tasks of the tasks extension (mcp.md §15.3).
"""

from __future__ import annotations

from reticle.errors import Refusal
from reticle.model.codes import TaskSupport
from reticle.ports import CallContext
from reticle.tools.spec import Tool, ToolAnswer
from tests.conformance.fixture_rounds import NAME, greet_person
from tests.conformance.fixture_tools import Answers, Given, fixture, form, said, texts

COMPUTE = {
    "type": "object",
    "properties": {"seconds": {"type": "number"}, "label": {"type": "string"}},
    "required": [],
}


async def greet(_: CallContext, given: Given) -> ToolAnswer:
    """
    At once.
    """
    return said(f"Hello, {given['name']}!")


async def compute_slowly(context: CallContext, given: Given) -> ToolAnswer:
    """
    As long as it is told.
    """
    await context.clock.sleep(float(given.get("seconds", 1)))
    return said(f"Computed {given.get('label', 'it')}.")


async def fail_after_a_while(context: CallContext, _: Given) -> ToolAnswer:
    """
    A tool's own failure.
    """
    await context.clock.sleep(1.0)
    raise Refusal("page_error", "The job failed.")


async def break_protocol(context: CallContext, _: Given) -> ToolAnswer:
    """
    A failure that is no tool's own.
    """
    await context.clock.sleep(0.2)
    raise ZeroDivisionError("as the suite wants it")


async def confirm_delete(context: CallContext, given: Given) -> ToolAnswer:
    """
    One question inside the task.
    """
    sure = form(f"Delete {given['filename']}?", {"confirm": {"type": "boolean"}}, ["confirm"])
    answers: Answers = await context.ask({"confirm": sure})
    deleted = answers["confirm"].get("content", {}).get("confirm") is True
    return said(f"{'Deleted' if deleted else 'Kept'} {given['filename']}.")


async def ask_two(context: CallContext, _: Given) -> ToolAnswer:
    """
    Two questions that wait together.
    """
    sure = form("Are you sure?", {"confirm": {"type": "boolean"}}, ["confirm"])
    answers: Answers = await context.ask({"name": NAME, "confirm": sure})
    return said(f"Got {answers}.")


async def greet_slowly(context: CallContext, given: Given) -> ToolAnswer:
    """
    A question first, then work that is worth a task.
    """
    greeting = await greet_person(context, given)
    await context.clock.sleep(1.0)
    return greeting


TOOLS: tuple[Tool, ...] = (
    fixture("greet", greet, texts("name")),
    fixture("slow_compute", compute_slowly, COMPUTE, task_support=TaskSupport.OPTIONAL),
    fixture("failing_job", fail_after_a_while, task_support=TaskSupport.REQUIRED),
    fixture("protocol_error_job", break_protocol, task_support=TaskSupport.REQUIRED),
    fixture("confirm_delete", confirm_delete, texts("filename"), task_support=TaskSupport.REQUIRED),
    fixture("multi_input", ask_two, task_support=TaskSupport.REQUIRED),
    fixture("test_tool_with_task", greet_slowly, task_support=TaskSupport.REQUIRED, asks_first=True),
)
