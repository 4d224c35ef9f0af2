"""
What an app declares of itself.
"""

from __future__ import annotations

import attrs

from reticle.model.codes import CommandName
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.toolcalls import answer_of, open_scene
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
    assert "truncated" not in fields


def test_it_is_offered_while_some_page_has_declared_something() -> None:
    """
    No agent pays for a tool that has nothing to say.
    """
    page = FakePage("p1")
    pages = FakePages(FakePage("p2"), page)
    assert not some_page_declares(pages)
    page._identity = attrs.evolve(page.identity, has_capabilities=True)
    assert some_page_declares(pages)
