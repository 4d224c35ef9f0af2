"""
Resources and prompts that the conformance suite reads (mcp.md §15).
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from reticle.model.content import image_block, resource_block, text_block
from reticle.ports import CallContext
from reticle.prompts.spec import Prompt, PromptArgument, PromptMessage
from reticle.resources.spec import Content, Listed, Resource, ResourceTemplate
from tests.conformance.fixture_rounds import PROMPT
from tests.conformance.fixture_tools import PNG


def static(uri: str, name: str, content: Content) -> Resource:
    """
    A resource that never changes.
    """

    async def read(_: CallContext) -> Content:
        return content

    return Resource(Listed(uri, name, name.capitalize(), f"The {name}.", content.mime_type), read)


async def read_template(_: CallContext, values: Mapping[str, str]) -> Content:
    """
    JSON about the id in the address.
    """
    data = {"id": values["id"], "templateTest": True, "data": f"Data for ID: {values['id']}"}
    return Content("application/json", json.dumps(data))


RESOURCES = (
    static("test://static-text", "static text", Content("text/plain", "The static text resource.")),
    static("test://static-binary", "static image", Content("image/png", blob=PNG)),
    static("test://watched-resource", "watched resource", Content("text/plain", "Nothing changes.")),
)
TEMPLATES = (
    ResourceTemplate(
        Listed("test://template/{id}/data", "template", "Template", "Data by id.", "application/json"),
        read_template,
    ),
)


async def make_simple(_: CallContext, __: Mapping[str, str]) -> list[PromptMessage]:
    """
    Words.
    """
    return [PromptMessage(text_block("This is a simple prompt for testing."))]


async def make_with_arguments(_: CallContext, given: Mapping[str, str]) -> list[PromptMessage]:
    """
    Both arguments again.
    """
    text = f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"
    return [PromptMessage(text_block(text))]


async def make_with_resource(_: CallContext, given: Mapping[str, str]) -> list[PromptMessage]:
    """
    A resource and words about it.
    """
    resource = resource_block(given["resourceUri"], "text/plain", "Embedded resource content for testing.")
    return [PromptMessage(resource), PromptMessage(text_block("Please process the embedded resource above."))]


async def make_with_image(_: CallContext, __: Mapping[str, str]) -> list[PromptMessage]:
    """
    An image and words about it.
    """
    image = image_block(PNG, "image/png")
    return [PromptMessage(image), PromptMessage(text_block("Please analyze the image above."))]


PROMPTS = (
    Prompt("test_simple_prompt", "Simple", "A prompt without arguments.", (), make_simple),
    Prompt(
        "test_prompt_with_arguments",
        "With arguments",
        "A prompt with two arguments.",
        (
            PromptArgument("arg1", "First.", required=True),
            PromptArgument("arg2", "Second.", required=True),
        ),
        make_with_arguments,
    ),
    Prompt(
        "test_prompt_with_embedded_resource",
        "With a resource",
        "A prompt that holds a resource.",
        (PromptArgument("resourceUri", "Its address.", required=True),),
        make_with_resource,
    ),
    Prompt("test_prompt_with_image", "With an image", "A prompt that holds an image.", (), make_with_image),
    PROMPT,
)
