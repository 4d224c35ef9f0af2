"""
Which animations run on a page.
"""

from __future__ import annotations

from reticle.model.codes import Capability, CommandName
from reticle.testing.pages import Asked
from reticle.testing.toolcalls import Scene, answer_of
from reticle.tools.animations import REDUCED, TOOLS

ANIMATIONS = TOOLS[0]
SPINNER = {
    "kind": "animation", "name": "spin", "state": "running", "currentMs": 0, "durationMs": 900,
    "endless": True, "target": {"ref": "e4", "role": "img", "name": "Loading"}, "pseudo": "::before",
}  # fmt: skip
FADE = {
    "kind": "transition", "name": "opacity", "state": "running", "currentMs": 20, "durationMs": 300,
    "endsInMs": 280, "target": {"ref": "e5", "role": "dialog", "name": ""},
}  # fmt: skip
PROGRESS = {
    "kind": "script", "name": "bar", "state": "paused", "driver": "scroll",
    "target": {"ref": "e6", "role": None, "name": ""},
}  # fmt: skip


def test_each_animation_is_told_with_its_element_and_end(scene: Scene) -> None:
    """
    What ends, what never does, and what is moved by scrolling are told apart.
    """
    scene.page.answer(CommandName.ANIMATIONS, {"animations": [SPINNER, FADE, PROGRESS], "count": 3})
    answer = answer_of(ANIMATIONS, scene.context, {})
    assert answer.fields["animations"] == [SPINNER, FADE, PROGRESS]
    assert answer.text == (
        '- animation spin: running, endless, 900 ms each, on img "Loading" (ref=e4)::before\n'
        "- transition opacity: running, ends in 280 ms, on dialog (ref=e5)\n"
        "- script bar: paused, driven by scroll, on element (ref=e6)\n"
        "count 3"
    )
    assert scene.page.asked == [Asked(CommandName.ANIMATIONS, {})]


def test_nothing_that_runs_is_an_empty_list(scene: Scene) -> None:
    """
    Where the browser asks for reduced motion, that is said beside it.
    """
    scene.page.answer(CommandName.ANIMATIONS, {"animations": [], "count": 0, "reducedMotion": True})
    answer = answer_of(ANIMATIONS, scene.context, {})
    assert answer.fields == {"animations": [], "count": 0, "note": REDUCED}


def test_many_are_counted(scene: Scene) -> None:
    """
    A list that is cut keeps the number of all.
    """
    scene.page.answer(CommandName.ANIMATIONS, {"animations": [FADE], "count": 400, "truncated": True})
    fields = answer_of(ANIMATIONS, scene.context, {}).fields
    assert (fields["count"], fields["truncated"]) == (400, True)


def test_it_only_looks() -> None:
    """
    Who may observe may ask for it.
    """
    assert (ANIMATIONS.capability, ANIMATIONS.acts, ANIMATIONS.advertised) == (
        Capability.OBSERVE,
        False,
        False,
    )
