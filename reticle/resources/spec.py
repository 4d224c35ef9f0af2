"""
What a resource is: an address, what stands in a list of it, how it is read.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

import attrs

from reticle.model.codes import Capability
from reticle.model.completes import Completes
from reticle.ports import CallContext, Pages
from reticle.resources.uri_template import variables


@attrs.frozen
class Content:
    """
    What is read: text, or bytes that are none.
    """

    mime_type: str
    text: str | None = None
    blob: bytes | None = None


@attrs.frozen
class Listed:
    """
    A resource as it stands in a list; ``name`` is for programs, ``title`` for people.
    """

    uri: str
    name: str
    title: str
    description: str
    mime_type: str


@attrs.frozen(eq=False)
class Resource:
    """
    A resource that is always there. ``read`` raises ``Refusal`` for what it cannot read now.
    """

    listed: Listed
    read: Callable[[CallContext], Awaitable[Content]]
    capability: Capability = Capability.OBSERVE


@attrs.frozen(eq=False)
class ResourceTemplate:
    """
    Resources of one kind; ``listed.uri`` is a template (RFC 6570, level 1).

    ``read`` gets the variables of an address and gives None when there is no such resource. ``present`` gives
    those that are worth a place in the list of resources now.
    """

    listed: Listed
    read: Callable[[CallContext, Mapping[str, str]], Awaitable[Content | None]]
    present: Callable[[Pages], Sequence[Listed]] = lambda _pages: ()
    completes: Mapping[str, Completes] = attrs.field(factory=dict)
    capability: Capability = Capability.OBSERVE

    @property
    def variables(self) -> Sequence[str]:
        """
        The names in the template.
        """
        return variables(self.listed.uri)
