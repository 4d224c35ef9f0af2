"""
What an app declares of itself.
"""

from __future__ import annotations

import attrs

from reticle.model.codes import CommandName
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.tokens import a_repository
from reticle.testing.toolcalls import answer_of, open_scene, refusal_of
from reticle.tools.app_contract import TOOLS as CONTRACT
from reticle.tools.capabilities import TOOLS, some_page_declares


def test_an_agent_learns_the_names_that_it_can_rely_on() -> None:
    """
    Test ids, signals, stores and flows come as the app declared them.
    """
    scene = open_scene()
    declared = {"testids": ["save"], "signals": ["order.placed"], "stores": ["cart"], "flows": []}
    scene.page.answer(CommandName.CAPABILITIES, {**declared, "governance": {"owner": "shop"}})
    fields = answer_of(TOOLS[0], scene.context, {}).fields
    assert {name: fields[name] for name in declared} == declared
    assert fields["governance"] == {"owner": "shop"}
    assert (fields["source"], "truncated" in fields) == ("live", False)


def test_what_was_saved_is_read_without_the_page() -> None:
    """
    The contract on disk is told with its time, also when the app has changed since; without one that is said.
    """
    scene = open_scene()
    scene.context.repositories.keep(a_repository("shop", ["http://localhost:8000"]))
    assert refusal_of(TOOLS[0], scene.context, {"fromDisk": True}).code == "not_found"
    scene.page.answer(CommandName.CAPABILITIES, {"testids": ["save"], "governance": {"owner": "shop"}})
    saved = answer_of(CONTRACT[0], scene.context, {}).fields
    scene.page.answer(CommandName.CAPABILITIES, {"testids": ["store"]})
    assert answer_of(TOOLS[0], scene.context, {"fromDisk": True}).fields == {
        "testids": ["save"], "signals": [], "stores": [], "flows": [], "governance": {"owner": "shop"},
        "source": "disk", "generatedAt": saved["generatedAt"],
    }  # fmt: skip


def test_it_is_offered_while_some_page_has_declared_something() -> None:
    """
    No agent pays for a tool that has nothing to say.
    """
    page = FakePage("p1")
    pages = FakePages(FakePage("p2"), page)
    assert not some_page_declares(pages)
    page._identity = attrs.evolve(page.identity, has_capabilities=True)
    assert some_page_declares(pages)
