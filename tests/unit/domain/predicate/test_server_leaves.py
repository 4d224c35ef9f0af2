"""
The kinds ``server``, ``sql`` and ``log``.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder


@pytest.mark.parametrize("kind", ["server", "sql", "log"])
def test_what_the_server_does_is_unknown_without_a_probe(kind: str) -> None:
    """
    A claim about the server is understood, and never a pass while nobody looks there.
    """
    told = evaluate(parse({"kind": kind}), WindowBuilder().click().build())
    assert told.held is Held.UNKNOWN
    assert told.failure == "no probe connected: what the app's server does is not seen"
