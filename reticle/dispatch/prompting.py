"""
The prompts: which there are, and how one is made.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec

from reticle.dispatch.errand import Errand
from reticle.errors import LocalMisuse, PeerFault
from reticle.mcp.strict_json import encode, shorten
from reticle.model.codes import Capability, FaultCode, JsonRpcCode
from reticle.model.limits import PEER_NAME_CHARS
from reticle.ports import CallContext
from reticle.prompts.spec import Prompt
from reticle.tools.spec import ToolAnswer

GET = "prompts/get"
"""What audit rows and metrics call the making of any prompt."""

_GIVEN: Final = msgspec.json.Decoder(dict[str, str])


class Prompts:
    """
    All prompts.

    Raises:
        LocalMisuse: Two prompts with one name.
    """

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        self._prompts = {prompt.name: prompt for prompt in prompts}
        if len(self._prompts) < len(prompts):
            raise LocalMisuse("two prompts have one name")

    def __bool__(self) -> bool:
        return bool(self._prompts)

    def listed(self, capabilities: AbstractSet[Capability]) -> Sequence[Prompt]:
        """
        The prompts that these capabilities allow.
        """
        return [prompt for prompt in self._prompts.values() if prompt.capability in capabilities]

    def find(self, name: str) -> Prompt | None:
        """
        The prompt of that name.
        """
        return self._prompts.get(name)

    def errand(self, name: str, arguments: bytes) -> Errand:
        """
        The making of a prompt.
        """
        prompt = self._prompts.get(name)

        def begin(context: CallContext) -> Awaitable[ToolAnswer]:
            if prompt is None:
                raise unknown_prompt(name)
            return _make(prompt, context, _given(prompt, arguments))

        capability = Capability.OBSERVE if prompt is None else prompt.capability
        return Errand(
            GET, capability, begin, sent=encode({"name": name, "arguments": msgspec.Raw(arguments)})
        )


async def _make(prompt: Prompt, context: CallContext, given: Mapping[str, str]) -> ToolAnswer:
    messages = await prompt.make(context, given)
    worded = [{"role": message.role, "content": message.content} for message in messages]
    return ToolAnswer({"description": prompt.description, "messages": worded}, text="")


def prompt_entry(prompt: Prompt) -> dict[str, object]:
    """
    A prompt in a list, in the words of the newest revision.
    """
    return {
        "name": prompt.name,
        "title": prompt.title,
        "description": prompt.description,
        "arguments": [
            {"name": each.name, "description": each.description, "required": each.required}
            for each in prompt.arguments
        ],
    }


def unknown_prompt(name: str) -> PeerFault:
    """
    The fault of a name that no prompt has.
    """
    return PeerFault(
        FaultCode.PROMPT_UNKNOWN,
        f'there is no prompt "{shorten(name, PEER_NAME_CHARS)}"',
        JsonRpcCode.INVALID_PARAMS,
    )


def _given(prompt: Prompt, arguments: bytes) -> Mapping[str, str]:
    """
    Raises:
        PeerFault: ``bad_params`` for what is no text, not declared, or missing (MCP "Prompts").
    """
    try:
        given = _GIVEN.decode(arguments)
    except msgspec.MsgspecError as failure:
        raise _bad(str(failure)) from None
    declared = [each.name for each in prompt.arguments]
    strange = [shorten(name, PEER_NAME_CHARS) for name in given if name not in declared]
    missing = [each.name for each in prompt.arguments if each.required and not given.get(each.name)]
    if strange or missing:
        wrong = f"needs {', '.join(missing)}" if missing else f"does not take {', '.join(strange[:5])}"
        raise _bad(f"the prompt {prompt.name} {wrong}; it takes {', '.join(declared) or 'nothing'}")
    return given


def _bad(message: str) -> PeerFault:
    return PeerFault(FaultCode.BAD_PARAMS, shorten(message), JsonRpcCode.INVALID_PARAMS)
