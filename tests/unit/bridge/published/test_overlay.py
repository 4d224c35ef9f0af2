"""
What of an answer is the packages' own panel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticle.model.codes import CommandName
from reticle.testing.published import BUTTON, PublishedPage, ask, read

PAUSE = {**BUTTON, "ref": "e40", "name": "Pause"}
TYPING = {**BUTTON, "ref": "e41", "role": "generic", "name": "", "text": 'Typing into textbox "Ada"'}


def in_the_panel(*elements: Mapping[str, object]) -> Any:
    """
    What the packages' panel holds: the given elements, and what always stands in it.
    """

    def answer(query: Mapping[str, Any]) -> object:
        if query["scope"] != "[data-reticle-hud]":
            return {"matched": False, "count": 0, "elements": []}
        return {"matched": True, "count": len(elements), "elements": list(elements)}

    return answer


def test_the_packages_panel_is_nobodys_button(published: PublishedPage) -> None:
    """
    Of two Pause buttons the app's is found, and with none of the app's there is none.
    """
    published.panel = in_the_panel(PAUSE)
    published.on("match", {"count": 2, "elements": [{**BUTTON, "name": "Pause"}, PAUSE]})
    found = ask(published, CommandName.QUERY, role="button", name="Pause")
    assert (found["count"], [each["ref"] for each in found["elements"]]) == (1, ["e5"])
    published.on("match", {"count": 1, "elements": [PAUSE]})
    assert ask(published, CommandName.MATCH, query={"role": "button", "name": "Pause"})["matched"] is False


def test_words_that_only_the_panel_says_are_not_on_the_page(published: PublishedPage) -> None:
    """
    The panel repeats what the agent typed and said; that proves nothing of the app.
    """
    published.panel = in_the_panel(TYPING)
    published.on("match", {"count": 1, "elements": [TYPING]})
    reading = read(published, "text", contains="Ada")
    assert reading.answer is not None
    assert (reading.answer["matched"], reading.answer["count"]) == (False, 0)


def test_without_a_panel_nothing_is_taken_for_its_part(published: PublishedPage) -> None:
    """
    A scope that is not there becomes the whole page: the app's own button must not vanish with it.
    """
    button = {**BUTTON, "name": "Pause"}

    def whole_page(query: Mapping[str, Any]) -> object:
        found = [button] if query.get("name") == "Pause" else []
        return {"matched": bool(found), "count": len(found), "elements": found}

    published.panel = whole_page
    published.on("match", {"count": 1, "elements": [button]})
    assert ask(published, CommandName.QUERY, role="button", name="Pause")["count"] == 1
