"""
One page, one agent and one clock for the tests of tools.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.testing.clock import FakeClock
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages


@attrs.frozen
class Scene:
    """
    A connected page and a context that sees it.
    """

    clock: FakeClock
    page: FakePage
    context: FakeContext


@pytest.fixture
def scene() -> Scene:
    """
    A page of the app at its start, and nobody else.
    """
    clock = FakeClock()
    page = FakePage(clock=clock.reactor)
    return Scene(clock, page, FakeContext(FakePages(page), clock=clock))
