"""
A page that says it is dark and is not.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from reticle.domain.findings.theme_unheeded import find
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import VerifiedReason
from reticle.model.window import Pending, Unheeded, Window
from reticle.testing.windows import WindowBuilder

CLAIM = {"kind": "signal", "name": "theme.switched"}


def switched(unheeded: str | None = "dark", **pending: Any) -> Window:
    """
    A button switched the theme.
    """
    told = None if unheeded is None else Unheeded(unheeded)
    window = WindowBuilder().click("Dark mode").signal("theme.switched").build()
    return attrs.evolve(window, pending=Pending(0, unheeded=told, **pending))


@pytest.mark.parametrize(("scheme", "texts"), [("dark", "dark on light"), ("light", "light on dark")])
def test_a_switch_that_no_colour_follows_holds_a_pass_back(scheme: str, texts: str) -> None:
    """
    The button says that dark mode is on, and the page is as bright as before.
    """
    window = switched(scheme)
    (finding,) = find(window, parse(CLAIM))
    assert (finding.kind, finding.detail) == ("theme-unheeded", {"scheme": scheme})
    assert finding.counter == f"no colour of it changed, and its texts are {texts}"
    assert decide(parse(CLAIM), window).reason is VerifiedReason.EVIDENCE_INCOMPLETE


@pytest.mark.parametrize(
    ("window", "claim"),
    [
        (switched(None), CLAIM),
        (switched(animations=1), CLAIM),
        (switched(loads=1), CLAIM),
        (attrs.evolve(switched(), pending=None), CLAIM),
        (attrs.evolve(switched(), action=None), CLAIM),
        (switched(), {"kind": "element", "query": {"role": "main"}, "style": {"color": "rgb(1, 1, 1)"}}),
    ],
)
def test_what_still_changes_or_is_claimed_is_let_be(window: Window, claim: dict[str, Any]) -> None:
    """
    A transition, a style sheet under way, a claim about colours: no doubt.
    """
    assert find(window, parse(claim)) == ()
