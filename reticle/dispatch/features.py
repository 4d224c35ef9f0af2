"""
What a server lists, and what it has beside tools: resources, prompts and the completion of their arguments.

Reading a resource and making a prompt are errands of the gate, with an audit row each; lists and completions
show what the caller could have anyway, and leave none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from reticle.dispatch.call import Call
from reticle.dispatch.completion import completion, values_of
from reticle.dispatch.errand import Errand
from reticle.dispatch.gate import Gate
from reticle.dispatch.permitted import PermittedPages
from reticle.dispatch.prompting import Prompts, prompt_entry, unknown_prompt
from reticle.dispatch.readable import Readable, resource_entry, template_entry, unknown_resource
from reticle.errors import PeerFault, Refusal
from reticle.mcp.down_convert import content_block, feature_entry
from reticle.mcp.paging import part_of
from reticle.mcp.strict_json import shorten
from reticle.mcp.versions import Revision
from reticle.model.codes import FaultCode, JsonRpcCode, RefusalCode
from reticle.model.completes import Completes
from reticle.model.ids import PageId
from reticle.model.limits import PEER_NAME_CHARS
from reticle.model.mcp import Notice, ResourceUpdated
from reticle.model.trust import Principal
from reticle.resources.spec import Listed

_NUMBERS: Final = {
    RefusalCode.TOKEN_INVALID: JsonRpcCode.TOKEN,
    RefusalCode.TOKEN_REVOKED: JsonRpcCode.TOKEN,
    RefusalCode.TOKEN_EXPIRED: JsonRpcCode.TOKEN,
    RefusalCode.CAPABILITY_MISSING: JsonRpcCode.TOKEN,
    RefusalCode.CAPABILITY_SCOPE_MISMATCH: JsonRpcCode.TOKEN,
    RefusalCode.CAPABILITY_EXPIRED: JsonRpcCode.TOKEN,
    RefusalCode.BAD_ARGUMENTS: JsonRpcCode.INVALID_PARAMS,
    RefusalCode.CANCELLED: JsonRpcCode.REQUEST_CANCELLED,
}


class Features:
    """
    Answers lists, reads and completions for whoever may; results are the fields of the newest revision's
    result, in an older revision's words where that is given.

    Args:
        gate: The one gate.
        readable: The resources.
        prompts: The prompts.
    """

    def __init__(self, *, gate: Gate, readable: Readable, prompts: Prompts) -> None:
        self._gate = gate
        self._readable = readable
        self._prompts = prompts

    @property
    def has_resources(self) -> bool:
        """
        Whether there are any for anybody.
        """
        return bool(self._readable)

    @property
    def has_prompts(self) -> bool:
        """
        Whether there are any for anybody.
        """
        return bool(self._prompts)

    @property
    def has_completions(self) -> bool:
        """
        Whether there are arguments to complete.
        """
        return self.has_resources or self.has_prompts

    def tools_list(
        self, principal: Principal, revision: Revision, cursor: str | None, repository_id: str | None = None
    ) -> dict[str, object]:
        """
        Of ``tools/list``, of one repository or of all; the tools are JSON text already. Raises ``PeerFault``
        ``bad_params`` for the cursor, as every list does.
        """
        return self._gate.tools(principal, revision, cursor, repository_id)

    def resources_list(
        self, principal: Principal, revision: Revision, cursor: str | None
    ) -> dict[str, object]:
        """
        Of ``resources/list``.
        """
        listed = self._readable.listed(self._gate.grants(principal), self._gate.visible(principal))
        return _listing("resources", listed, resource_entry, revision, cursor)

    def templates_list(
        self, principal: Principal, revision: Revision, cursor: str | None
    ) -> dict[str, object]:
        """
        Of ``resources/templates/list``.
        """
        listed = self._readable.templates(self._gate.grants(principal))
        return _listing("resourceTemplates", listed, template_entry, revision, cursor)

    def prompts_list(self, principal: Principal, revision: Revision, cursor: str | None) -> dict[str, object]:
        """
        Of ``prompts/list``.
        """
        listed = self._prompts.listed(self._gate.grants(principal))
        part = part_of(listed, cursor, scope="prompts", key=lambda prompt: prompt.name)
        return part.result("prompts", [feature_entry(prompt_entry(each), revision) for each in part.entries])

    async def read(self, call: Call) -> dict[str, object]:
        """
        Of ``resources/read``; ``call.name`` is the address.

        Raises:
            PeerFault: ``resource_unknown`` with the address, its number that of the newest revision; else the
                code of what was refused.
        """
        return dict(await self._serve(call, self._readable.errand(call.name)))

    def check_uri(self, principal: Principal, uri: str) -> None:
        """
        Before a client subscribes to an address, which may come to exist only later.

        Raises:
            PeerFault: ``resource_unknown`` for what can never be read by this principal, and for a page that
                one with grants for some repositories does not see now: it might become another's.
        """
        if not self._readable.may_exist(uri, self._gate.grants(principal)):
            raise unknown_resource(uri)
        named, pages = self._readable.page_of(uri), self._gate.visible(principal)
        if named is None or not isinstance(pages, PermittedPages):
            return
        if all(page.identity.page_id != named for page in pages.all()):
            raise unknown_resource(uri)

    def may_hear(self, principal: Principal, notice: Notice) -> bool:
        """
        Whether somebody who subscribed may be told now: a page may have been led to another repository's app
        since, and when that changes is that one's alone.
        """
        named = self._readable.page_of(notice.uri) if isinstance(notice, ResourceUpdated) else None
        pages = self._gate.visible(principal) if named is not None else None
        return not (isinstance(pages, PermittedPages) and pages.is_of_others(PageId(named or "")))

    async def get_prompt(self, call: Call, revision: Revision) -> dict[str, object]:
        """
        Of ``prompts/get``; ``call.arguments`` is a JSON object of texts.

        Raises:
            PeerFault: ``prompt_unknown``, ``bad_params``; else the code of what was refused.
        """
        fields = await self._serve(call, self._prompts.errand(call.name, call.arguments))
        messages = fields["messages"]
        assert isinstance(messages, list)
        worded = [{**each, "content": content_block(each["content"], revision)} for each in messages]
        return {**fields, "messages": worded}

    async def complete(  # noqa: PLR0917 - as the request has them
        self,
        principal: Principal,
        kind: str,
        name: str,
        argument: str,
        given: str,
        context: Mapping[str, str],
    ) -> dict[str, object]:
        """
        Of ``completion/complete``.

        Args:
            principal: Who asks; without the right to the prompt or resource there is none.
            kind: ``ref/prompt`` or ``ref/resource``.
            name: The prompt's name or the template's address.
            argument: Which argument.
            given: How its value begins.
            context: Other arguments that are settled; none of ours depend on each other.

        Raises:
            PeerFault: ``prompt_unknown``, ``resource_unknown``, ``bad_params`` for an argument that it does
                not have; ``storage_failed``.
        """
        del context
        if kind == "ref/prompt":
            arguments = self._prompt_arguments(principal, name)
        else:
            arguments = self._template_arguments(principal, name)
        if argument not in arguments:
            raise PeerFault(
                FaultCode.BAD_PARAMS,
                f'there is no argument "{shorten(argument, PEER_NAME_CHARS)}"',
                JsonRpcCode.INVALID_PARAMS,
            )
        try:
            pages, verdicts = self._gate.visible(principal), self._gate.verdicts(principal)
            values = await values_of(arguments[argument], pages, verdicts)
        except Refusal as refusal:
            raise as_fault(refusal) from None
        return completion(values, given)

    def _prompt_arguments(self, principal: Principal, name: str) -> Mapping[str, Completes | None]:
        prompt = self._prompts.find(name)
        if prompt is None or prompt.capability not in self._gate.grants(principal):
            raise unknown_prompt(name)
        return {each.name: each.completes for each in prompt.arguments}

    def _template_arguments(self, principal: Principal, uri: str) -> Mapping[str, Completes | None]:
        template = self._readable.template(uri)
        if template is None or template.capability not in self._gate.grants(principal):
            raise unknown_resource(uri)
        return {name: template.completes.get(name) for name in template.variables}

    async def _serve(self, call: Call, errand: Errand) -> Mapping[str, object]:
        try:
            return (await self._gate.serve(call, errand)).fields
        except Refusal as refusal:
            raise as_fault(refusal) from None


def as_fault(refusal: Refusal) -> PeerFault:
    """
    A refusal of what has no result to tell it in: its code, its next step and its details in ``data``.
    """
    number = next((number for code, number in _NUMBERS.items() if code == refusal.code), None)
    data = {"recovery": refusal.recovery, **refusal.details} if refusal.recovery else dict(refusal.details)
    return PeerFault(refusal.code, refusal.message, number or JsonRpcCode.INTERNAL_ERROR, data)


def _listing(
    name: str,
    listed: Sequence[Listed],
    worded: Callable[[Listed], dict[str, object]],
    revision: Revision,
    cursor: str | None,
) -> dict[str, object]:
    part = part_of(listed, cursor, scope=name, key=lambda each: each.uri)
    return part.result(name, [feature_entry(worded(each), revision) for each in part.entries])
