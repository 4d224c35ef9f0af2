"""
The tools that the conformance suite calls on every server: contents, waits, questions (mcp.md §15).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from reticle.errors import Refusal
from reticle.model.codes import Capability, LogLevel, TaskSupport
from reticle.model.content import audio_block, image_block, resource_block
from reticle.model.mcp import Question
from reticle.ports import CallContext
from reticle.tools.spec import BroughtArguments, Tool, ToolAnnotations, ToolAnswer

Given = Mapping[str, Any]
Run = Callable[[CallContext, Given], Awaitable[ToolAnswer]]

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
WAV = (
    b"RIFF$\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00"
    b"\x10\x00data\x00\x00\x00\x00"
)
NOTHING: Mapping[str, object] = {"type": "object", "properties": {}}

# The answers to questions are the client's and may be anything.
Answers = Any


def fixture(
    name: str,
    run: Run,
    schema: Mapping[str, object] = NOTHING,
    *,
    task_support: TaskSupport = TaskSupport.FORBIDDEN,
    asks_first: bool = False,
) -> Tool:
    """
    A tool of the fixture.
    """
    return Tool(
        name=name,
        title=name.replace("_", " ").capitalize(),
        summary=f"Does what the conformance suite wants of {name}.",
        arguments=BroughtArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True),
        run=run,
        brought_schema=schema,
        task_support=task_support,
        asks_first=asks_first,
    )


def texts(*names: str) -> Mapping[str, object]:
    """
    A schema of texts that are all needed.
    """
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": list(names),
    }


def form(message: str, properties: Mapping[str, object], required: Sequence[str] = ()) -> Question:
    """
    A form for the person at the client.
    """
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Question("elicitation/create", {"message": message, "requestedSchema": schema})


def sampling(prompt: str) -> Question:
    """
    A word with the client's model.
    """
    message = {"role": "user", "content": {"type": "text", "text": prompt}}
    return Question("sampling/createMessage", {"messages": [message], "maxTokens": 100})


def said(text: str, *blocks: Mapping[str, object]) -> ToolAnswer:
    """
    An answer in words, with what is shown beside them.
    """
    return ToolAnswer({}, text=text, blocks=blocks)


def showing(text: str, *blocks: Mapping[str, object]) -> Run:
    """
    A tool that always shows the same.
    """

    async def show(_: CallContext, __: Given) -> ToolAnswer:
        return said(text, *blocks)

    return show


async def log_three_times(context: CallContext, _: Given) -> ToolAnswer:
    """
    Three messages while the call runs.
    """
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        context.log(LogLevel.INFO, text, "fixture")
        await context.clock.sleep(0.05)
    return said("logged")


async def fail(_: CallContext, __: Given) -> ToolAnswer:
    """
    Refuse.
    """
    raise Refusal("page_error", "This tool intentionally returns an error for testing")


async def report_progress(context: CallContext, _: Given) -> ToolAnswer:
    """
    Three steps, further apart than progress is held back.
    """
    for done in (0, 50, 100):
        context.progress(done, 100, f"step {done}")
        await context.clock.sleep(0.3)
    return said("done")


async def ask_model(context: CallContext, given: Given) -> ToolAnswer:
    """
    Give what the client's model says.
    """
    answers: Answers = await context.ask({"answer": sampling(str(given["prompt"]))})
    return said(f"LLM response: {answers['answer']['content']}")


async def ask_person(context: CallContext, given: Given) -> ToolAnswer:
    """
    Give what the client's person says.
    """
    properties = {"username": {"type": "string", "description": "Your name"}, "email": {"type": "string"}}
    answers: Answers = await context.ask({"answer": form(str(given["message"]), properties, ["username"])})
    return said(f"User response: {answers['answer']}")


DEFAULTS: Mapping[str, object] = {
    "name": {"type": "string", "description": "Name", "default": "John Doe"},
    "age": {"type": "integer", "description": "Age", "default": 30},
    "score": {"type": "number", "description": "Score", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "description": "Verified", "default": True},
}
CHOICES = [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)]
ENUMS: Mapping[str, object] = {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": CHOICES},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option 1", "Option 2"]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": CHOICES}},
}


def asking(message: str, properties: Mapping[str, object]) -> Run:
    """
    A tool that shows a form.
    """

    async def ask(context: CallContext, _: Given) -> ToolAnswer:
        answers: Answers = await context.ask({"form": form(message, properties)})
        return said(f"Elicitation completed: {answers['form']}")

    return ask


SCHEMA_2020_12: Mapping[str, object] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADER_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"}},
    "required": ["region"],
}

EMBEDDED = resource_block("test://embedded-resource", "text/plain", "This is an embedded resource content.")

TOOLS: tuple[Tool, ...] = (
    # The first one has to be callable without arguments.
    fixture("test_simple_text", showing("This is a simple text response for testing.")),
    fixture("test_image_content", showing("An image:", image_block(PNG, "image/png"))),
    fixture("test_audio_content", showing("A sound:", audio_block(WAV, "audio/wav"))),
    fixture("test_embedded_resource", showing("A resource:", EMBEDDED)),
    fixture(
        "test_multiple_content_types",
        showing(
            "Multiple content types test:",
            image_block(PNG, "image/png"),
            resource_block("test://mixed-content-resource", "application/json", '{"test":"data"}'),
        ),
    ),
    fixture("test_tool_with_logging", log_three_times),
    fixture("test_logging_tool", log_three_times),
    fixture("test_error_handling", fail),
    fixture("test_tool_with_progress", report_progress),
    fixture("test_sampling", ask_model, texts("prompt")),
    fixture("test_elicitation", ask_person, texts("message")),
    fixture("test_elicitation_sep1034_defaults", asking("Review the defaults.", DEFAULTS)),
    fixture("test_elicitation_sep1330_enums", asking("Choose.", ENUMS)),
    fixture("json_schema_2020_12_tool", showing("It was valid."), SCHEMA_2020_12),
    fixture("test_x_mcp_header", showing("The header was right."), HEADER_SCHEMA),
)
