"""
A panel that was ended stays ended.
"""

from __future__ import annotations

from reticle.model.codes import CommandName
from reticle.testing.bridge import refusal_of
from reticle.testing.published import PublishedPage, ask, read

ENDED = {"state": "ended"}


def test_an_ended_panel_is_told_again_after_whatever_revives_it(published: PublishedPage) -> None:
    """
    A person pressed End; an agent that goes on looking does not make the page say that it is at work.
    """
    published.on("presenter", {"applied": True})
    published.on("capabilities", {"testids": []})
    published.on("snapshot", {"tree": "", "status": {"route": "/"}})
    published.end.event("human.control", {"kind": "end"})
    assert published.asked == [("presenter", ENDED)]
    ask(published, CommandName.CAPABILITIES)
    read(published, "route")
    assert published.names()[1:] == ["capabilities", "presenter", "snapshot", "presenter"]
    assert published.asked[-1] == ("presenter", ENDED)
    refused = refusal_of(published.page.ask(CommandName.INSPECT, {"ref": "e9"}))
    assert refused.code == "unsupported_surface"
    assert published.names()[-2:] == ["inspect", "presenter"]


def test_a_panel_at_work_is_left_alone(published: PublishedPage) -> None:
    """
    A paused or resumed panel keeps its state by itself.
    """
    published.on("presenter", {"applied": True})
    published.on("capabilities", {"testids": []})
    for kind in ("pause", "resume"):
        published.end.event("human.control", {"kind": kind})
        ask(published, CommandName.CAPABILITIES)
    assert published.names() == ["presenter", "capabilities", "presenter", "capabilities"]


def test_a_page_that_goes_with_the_command_is_not_told(published: PublishedPage) -> None:
    """
    The agent hears what became of its command, not of ours.
    """

    def leave(_args: object) -> object:
        published.end.lose()
        return {"ok": True}

    published.on("presenter", {"applied": True})
    published.end.event("human.control", {"kind": "end"})
    published.on("capabilities", leave)
    asked = published.page.ask(CommandName.CAPABILITIES, {})
    published.bridge.clock.advance(10)
    assert refusal_of(asked).code == "session_gone"
