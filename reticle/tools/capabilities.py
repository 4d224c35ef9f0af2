"""
``reticle_capabilities``: what the app told reticle of itself: test ids, signals, stores, flows; from the page
as it is now, or from the contract that its project has of it.

Listed only while a page is connected that has told something; without one there is nothing to ask.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from reticle.model.codes import Capability, CommandName
from reticle.ports import CallContext, Pages
from reticle.tools.app_contract import saved_contract
from reticle.tools.arguments import PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import object_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer


class CapabilitiesArguments(PageArguments, frozen=True, kw_only=True):
    """
    Which page, and from where.
    """

    told_in_summary: ClassVar[frozenset[str]] = frozenset({"fromDisk"})

    fromDisk: Annotated[bool, Meta(description="As the project's contract has it.")] = False


async def capabilities(context: CallContext, arguments: CapabilitiesArguments) -> ToolAnswer:
    """
    What the page's app declared, and the test ids and signals that were seen there; or what was written down.

    Raises:
        Refusal: with ``fromDisk`` as ``reticle_contract_check``; what the directory and the page port raise.
    """
    page = await present_page(context, arguments.sessionId)
    if arguments.fromDisk:
        saved = await saved_contract(context, page)
        return ToolAnswer(
            {
                **saved.capabilities,
                "source": "disk",
                **told(generatedAt=saved.generated_at),
                **session_note(page),
            }
        )
    said = object_of(await page.ask(CommandName.CAPABILITIES, {}))
    names = ("testids", "signals", "stores", "flows")
    return ToolAnswer(
        {
            **{name: said.get(name, []) for name in names},
            "source": "live",
            **told(governance=said.get("governance"), truncated=said.get("truncated")),
            **session_note(page),
        }
    )


def some_page_declares(pages: Pages) -> bool:
    """
    Whether a connected page has told what it has.
    """
    return any(page.identity.has_capabilities for page in pages.all())


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_capabilities",
        title="Declared names",
        summary="Reads testids, signals, stores; fromDisk: saved.",
        arguments=CapabilitiesArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=capabilities,
        advertised_while=some_page_declares,
    ),
)
