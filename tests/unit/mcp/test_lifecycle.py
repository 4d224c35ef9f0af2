"""
The table of a conversation's life.
"""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from reticle.mcp.lifecycle import CLOSED, FRESH, INITIALIZING, READY, Handshake, Lifecycle, build_lifecycle

STATES = {"fresh": FRESH, "initializing": INITIALIZING, "ready": READY, "closed": CLOSED}
TABLE = [
    ("fresh", "initialize", "initializing", "2025-03-26"),
    ("fresh", "initialized", "fresh", None),
    ("fresh", "close", "closed", None),
    ("initializing", "initialize", "initializing", None),
    ("initializing", "initialized", "ready", None),
    ("initializing", "close", "closed", None),
    ("ready", "initialize", "ready", None),
    ("ready", "initialized", "ready", None),
    ("ready", "close", "closed", None),
    ("closed", "initialize", "closed", None),
    ("closed", "initialized", "closed", None),
    ("closed", "close", "closed", None),
]


def state_of(life: Lifecycle) -> str:
    """
    The machine's state by name.
    """
    return str(life.__automat_transitioner__._state.name)  # type: ignore[attr-defined]  # no public way


@pytest.mark.parametrize(("state", "happens", "then", "settled"), TABLE)
def test_every_state_answers_every_input(state: str, happens: str, then: str, settled: str | None) -> None:
    """
    A conversation never meets an input it has no answer for, and only a first handshake settles a revision.
    """
    life = build_lifecycle(Handshake(), STATES[state])
    if happens == "initialize":
        revision = life.initialize("2025-03-26")
        assert (None if revision is None else revision.name) == settled
    else:
        getattr(life, happens)()
    assert state_of(life) == then


class AnyLife(RuleBasedStateMachine):
    """
    Inputs in any order.
    """

    def __init__(self) -> None:
        super().__init__()
        self.handshake = Handshake()
        self.life = build_lifecycle(self.handshake)
        self.settled: list[str] = []

    @rule(requested=st.sampled_from(["2024-11-05", "2025-06-18", "nonsense", 7]))
    def initialize(self, requested: object) -> None:
        """
        A handshake.
        """
        revision = self.life.initialize(requested)
        if revision is not None:
            self.settled.append(revision.name)

    @rule()
    def initialized(self) -> None:
        """
        The client is ready.
        """
        self.life.initialized()

    @rule()
    def close(self) -> None:
        """
        The peer is gone.
        """
        self.life.close()

    @invariant()
    def one_handshake_at_most(self) -> None:
        """
        A revision is settled once and stays.
        """
        assert len(self.settled) <= 1
        assert not self.settled or self.handshake.revision.name == self.settled[0]
        assert state_of(self.life) in STATES


def test_any_life() -> None:
    """
    Whatever a client sends in whatever order, a conversation is in one of its four states.
    """
    run_state_machine_as_test(AnyLife)
