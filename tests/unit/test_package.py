"""
The few names that an embedding application needs.
"""

from __future__ import annotations

import pytest

import reticle
from reticle.service import Daemon, make_service
from reticle.settings import Settings


def test_the_names_for_embedding_are_the_parts_themselves() -> None:
    """
    ``reticle.make_service`` and its companions are found although they are loaded late.
    """
    assert (reticle.Daemon, reticle.make_service, reticle.Settings) == (Daemon, make_service, Settings)
    assert [name for name in reticle.__all__ if not hasattr(reticle, name)] == []


def test_a_misspelt_name_is_an_attribute_error() -> None:
    """
    A typo is told as Python tells it.
    """
    with pytest.raises(AttributeError, match="module 'reticle' has no attribute 'make_servce'"):
        getattr(reticle, "make_servce")  # noqa: B009 - a typo that no type check should see
