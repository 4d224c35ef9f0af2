"""
What the control of an action is called.
"""

from __future__ import annotations

from collections.abc import Iterator

from reticle.domain.facts import text_of
from reticle.model.window import Window


def control_names(window: Window) -> Iterator[str]:
    """
    The name, the text and the test id that the action's target has, as far as they were told.
    """
    action = window.action
    if action is not None:
        effect = {} if action.effect is None else action.effect.fields
        for fields in (action.target, effect):
            yield from (said for name in ("name", "text", "testid") if (said := text_of(fields, name)))
