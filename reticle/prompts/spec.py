"""
What a prompt is: its arguments and the messages that it makes of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal

import attrs

from reticle.model.codes import Capability
from reticle.model.completes import Completes
from reticle.model.content import ContentBlock
from reticle.ports import CallContext


@attrs.frozen
class PromptArgument:
    """
    One argument; all arguments are texts. ``completes`` says what it names, if a client can complete it.
    """

    name: str
    description: str
    required: bool = False
    completes: Completes | None = None


@attrs.frozen
class PromptMessage:
    """
    One message of the conversation that the prompt begins.
    """

    content: ContentBlock
    role: Literal["user", "assistant"] = "user"


@attrs.frozen(eq=False)
class Prompt:
    """
    One prompt. ``make`` gets only declared arguments, the required ones among them, and raises ``Refusal``
    for what it cannot begin with.
    """

    name: str
    title: str
    description: str
    arguments: Sequence[PromptArgument]
    make: Callable[[CallContext, Mapping[str, str]], Awaitable[Sequence[PromptMessage]]]
    capability: Capability = Capability.OBSERVE
