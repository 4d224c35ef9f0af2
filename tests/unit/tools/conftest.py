"""
One page, one agent and one clock for the tests of tools.
"""

from __future__ import annotations

import pytest

from reticle.testing.toolcalls import Scene, open_scene


@pytest.fixture
def scene() -> Scene:
    """
    A connected page and nobody else.
    """
    return open_scene()
