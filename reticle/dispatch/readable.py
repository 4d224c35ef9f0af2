"""
The resources: which there are now, and how one is read by its address.
"""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

import attrs

from reticle.dispatch.errand import Errand
from reticle.errors import LocalMisuse, PeerFault
from reticle.mcp.strict_json import encode, shorten
from reticle.model.codes import Capability, FaultCode, JsonRpcCode
from reticle.model.completes import Completes
from reticle.model.limits import PEER_NAME_CHARS
from reticle.ports import CallContext, Pages
from reticle.resources.spec import Content, Listed, Resource, ResourceTemplate
from reticle.resources.uri_template import match
from reticle.tools.spec import ToolAnswer

READ = "resources/read"
"""What audit rows and metrics call the reading of any resource."""


@attrs.frozen(eq=False)
class _Found:
    """
    How an address is read, and by whom.
    """

    capability: Capability
    read: Callable[[CallContext], Awaitable[Content | None]]


class Readable:
    """
    All resources.

    Args:
        resources: Those that are always there.
        templates: Kinds of resources.

    Raises:
        LocalMisuse: Two resources with one address, or a template that completes what it does not have.
    """

    def __init__(self, resources: Sequence[Resource], templates: Sequence[ResourceTemplate]) -> None:
        self._resources = {resource.listed.uri: resource for resource in resources}
        self._templates = {template.listed.uri: template for template in templates}
        if len(self._resources) + len(self._templates) < len(resources) + len(templates):
            raise LocalMisuse("two resources have one address")
        for uri, template in self._templates.items():
            if not template.completes.keys() <= set(template.variables):
                raise LocalMisuse(f"{uri} completes what it does not have")

    def __bool__(self) -> bool:
        return bool(self._resources or self._templates)

    def listed(self, capabilities: AbstractSet[Capability], pages: Pages) -> Sequence[Listed]:
        """
        What there is to read now of these pages, as far as it is worth listing.
        """
        return list(self._listed(capabilities, pages))

    def templates(self, capabilities: AbstractSet[Capability]) -> Sequence[Listed]:
        """
        The kinds of addresses.
        """
        return [each.listed for each in self._templates.values() if each.capability in capabilities]

    def template(self, uri: str) -> ResourceTemplate | None:
        """
        The template that is written so.
        """
        return self._templates.get(uri)

    def errand(self, uri: str) -> Errand:
        """
        The reading of an address; what does not exist is found out only by whoever may look.
        """
        found = self._found(uri)

        async def read(context: CallContext) -> ToolAnswer:
            content = None if found is None else await found.read(context)
            if content is None:
                raise unknown_resource(uri)
            return ToolAnswer({"contents": [_worded(uri, content)]}, text=content.text or "")

        capability = Capability.OBSERVE if found is None else found.capability
        return Errand(READ, capability, read, sent=encode({"uri": uri}))

    def may_exist(self, uri: str, capabilities: AbstractSet[Capability]) -> bool:
        """
        Whether somebody with these capabilities can ever read that address.
        """
        found = self._found(uri)
        return found is not None and found.capability in capabilities

    def page_of(self, uri: str) -> str | None:
        """
        The name of the page that an address is about, whether there is such a page or not; None for others.
        """
        for template in self._templates.values():
            values = match(template.listed.uri, uri)
            if values is not None:
                named = [
                    value for name, value in values.items() if template.completes.get(name) is Completes.PAGE
                ]
                return named[0] if named else None
        return None

    def _found(self, uri: str) -> _Found | None:
        resource = self._resources.get(uri)
        if resource is not None:
            return _Found(resource.capability, resource.read)
        for template in self._templates.values():
            values = match(template.listed.uri, uri)
            if values is not None:
                return _Found(template.capability, partial(_read_of, template, values))
        return None

    def _listed(self, capabilities: AbstractSet[Capability], pages: Pages) -> Iterator[Listed]:
        for resource in self._resources.values():
            if resource.capability in capabilities:
                yield resource.listed
        for template in self._templates.values():
            if template.capability in capabilities:
                yield from template.present(pages)


def _read_of(
    template: ResourceTemplate, values: Mapping[str, str], context: CallContext
) -> Awaitable[Content | None]:
    return template.read(context, values)


def resource_entry(listed: Listed) -> dict[str, object]:
    """
    A resource in a list, in the words of the newest revision.
    """
    return {"uri": listed.uri, **_described(listed)}


def template_entry(listed: Listed) -> dict[str, object]:
    """
    A template in a list, in the words of the newest revision.
    """
    return {"uriTemplate": listed.uri, **_described(listed)}


def _described(listed: Listed) -> dict[str, object]:
    return {
        "name": listed.name,
        "title": listed.title,
        "description": listed.description,
        "mimeType": listed.mime_type,
    }


def _worded(uri: str, content: Content) -> dict[str, object]:
    if content.blob is not None:
        return {"uri": uri, "mimeType": content.mime_type, "blob": base64.b64encode(content.blob).decode()}
    return {"uri": uri, "mimeType": content.mime_type, "text": content.text or ""}


def unknown_resource(uri: str) -> PeerFault:
    """
    The number is that of the newest revision; handshake revisions have one of their own (MCP "Resources").
    """
    return PeerFault(
        FaultCode.RESOURCE_UNKNOWN,
        f"there is no resource {shorten(uri, PEER_NAME_CHARS)}",
        JsonRpcCode.INVALID_PARAMS,
        {"uri": uri},
    )
