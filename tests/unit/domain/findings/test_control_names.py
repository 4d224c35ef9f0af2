"""
What the control of an action is called.
"""

from __future__ import annotations

import attrs

from reticle.domain.findings.control_names import control_names
from reticle.testing.windows import WindowBuilder


def test_a_control_is_named_by_its_target_and_its_effect() -> None:
    """
    A click by test id on "Stop" is one on what is called "stop-button" and "Stop".
    """
    window = WindowBuilder().click("Stop").build()
    assert list(control_names(window)) == ["Stop"]
    assert window.action is not None
    by_id = attrs.evolve(window, action=attrs.evolve(window.action, target={"testid": "stop-button"}))
    assert list(control_names(by_id)) == ["stop-button", "Stop"]
    assert list(control_names(attrs.evolve(window, action=None))) == []
