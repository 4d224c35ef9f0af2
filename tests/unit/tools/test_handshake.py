"""
What a shell asks first.
"""

from __future__ import annotations

import pytest

from reticle import __version__
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePages
from reticle.testing.toolcalls import answer_of, refusal_of
from reticle.tools.handshake import TOOLS

HELLO, DESCRIBE = TOOLS
CONTRACT = {"schema_version": 1, "methods_etag": "sha256:1", "methods": [{"method": "a"}]}


@pytest.fixture
def context() -> FakeContext:
    """
    A daemon with one method.
    """
    made = FakeContext(FakePages())
    made.told_contract = CONTRACT
    return made


@pytest.mark.parametrize(
    "client", [{}, {"supported_envelope": [2, 1]}, {"supported_framings": ["json"], "name": "any"}]
)
def test_a_greeting_tells_what_is_spoken(context: FakeContext, client: dict[str, object]) -> None:
    """
    A client learns version, envelope and the tag by which it notices other methods.
    """
    assert answer_of(HELLO, context, {"client": client}).fields == {
        "daemon_version": __version__,
        "envelope": 1,
        "framing": "json",
        "methods_etag": "sha256:1",
    }


@pytest.mark.parametrize("client", [{"supported_envelope": [2]}, {"supported_framings": ["cbor"]}])
def test_who_speaks_otherwise_is_told_so(context: FakeContext, client: dict[str, object]) -> None:
    """
    Two programs that do not fit part at once, with what to do.
    """
    refusal = refusal_of(HELLO, context, {"client": client})
    assert refusal.code == "version_incompatible"
    assert "Update" in refusal.recovery


def test_a_description_is_the_contract(context: FakeContext) -> None:
    """
    What the daemon says of its methods is what the contract file has.
    """
    assert answer_of(DESCRIBE, context, {}).fields == {
        "methods_etag": "sha256:1",
        "methods": [{"method": "a"}],
    }
