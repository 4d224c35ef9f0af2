"""
The table of resources.
"""

from __future__ import annotations

import pytest

from reticle.dispatch.readable import Readable, resource_entry, template_entry
from reticle.errors import LocalMisuse
from reticle.model.codes import Capability
from reticle.model.completes import Completes
from reticle.ports import CallContext
from reticle.resources.sessions import SESSIONS
from reticle.resources.snapshot import SNAPSHOT
from reticle.resources.spec import Content, Listed, Resource, ResourceTemplate
from reticle.testing.pages import FakePage, FakePages

OBSERVE = frozenset({Capability.OBSERVE})
PAGES = FakePages(FakePage("p1"))
DRIVING = Listed("t://drive", "drive", "Drive", "For drivers.", "text/plain")


async def read_nothing(_: CallContext) -> Content:
    """
    A resource's reader.
    """
    return Content("text/plain", "")


def readable(*more: Resource, templates: tuple[ResourceTemplate, ...] = ()) -> Readable:
    """
    The product's resources that need no store, and more.
    """
    return Readable([SESSIONS, *more], [SNAPSHOT, *templates])


def test_a_list_has_what_is_there_and_may_be_read() -> None:
    """
    Connected pages are listed beside what is always there; what a caller may not read is not.
    """
    table = readable(Resource(DRIVING, read_nothing, Capability.DRIVE))
    assert [listed.uri for listed in table.listed(OBSERVE, PAGES)] == [
        "reticle://sessions",
        "reticle://session/p1/snapshot",
    ]
    assert [listed.uri for listed in table.listed({Capability.DRIVE}, PAGES)] == ["t://drive"]
    assert [listed.uri for listed in table.templates(OBSERVE)] == ["reticle://session/{id}/snapshot"]
    assert table.templates(frozenset()) == []


def test_a_client_may_wait_for_what_is_not_there_yet() -> None:
    """
    The snapshot of a page that is just reloading can be subscribed to, nonsense cannot.
    """
    table = readable(Resource(DRIVING, read_nothing, Capability.DRIVE))
    assert table.may_exist("reticle://session/later/snapshot", OBSERVE)
    assert not table.may_exist("reticle://session/later", OBSERVE)
    assert not table.may_exist("t://drive", OBSERVE)


def test_what_cannot_be_a_table_is_refused_at_start() -> None:
    """
    Two resources of one address, or a template that completes what it lacks, never reach a client.
    """
    with pytest.raises(LocalMisuse):
        readable(SESSIONS)
    wrong = ResourceTemplate(DRIVING, lambda *_: None, completes={"id": Completes.PAGE})  # type: ignore[arg-type]  # never read
    with pytest.raises(LocalMisuse):
        readable(templates=(wrong,))


def test_entries_name_their_address_as_mcp_does() -> None:
    """
    A client tells an address from a template by the field it stands in.
    """
    assert resource_entry(DRIVING) == {
        "uri": "t://drive",
        "name": "drive",
        "title": "Drive",
        "description": "For drivers.",
        "mimeType": "text/plain",
    }
    assert template_entry(SNAPSHOT.listed)["uriTemplate"] == "reticle://session/{id}/snapshot"
    assert not Readable([], [])
