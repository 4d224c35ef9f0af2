"""
The real bridge, without sockets.
"""

from __future__ import annotations

import pytest

from reticle.testing.bridge import Bridge


@pytest.fixture
def bridge() -> Bridge:
    """
    An empty directory.
    """
    return Bridge()
