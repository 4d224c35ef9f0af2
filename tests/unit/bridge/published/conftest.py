"""
A page of the published packages, in memory.
"""

from __future__ import annotations

import pytest

from reticle.testing.published import PublishedPage


@pytest.fixture
def published() -> PublishedPage:
    """
    A connected page.
    """
    return PublishedPage()
