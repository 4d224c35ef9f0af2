"""
Which state of a daemon follows which.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.daemon_life import DaemonLife, LifeState
from reticle.errors import LocalMisuse

INPUTS = ["attached", "drain", "stopped"]
PATHS = {
    LifeState.STARTING: [],
    LifeState.SERVING: ["attached"],
    LifeState.DRAINING: ["attached", "drain"],
    LifeState.STOPPED: ["drain", "stopped"],
}
TABLE = {
    (LifeState.STARTING, "attached"): LifeState.SERVING,
    (LifeState.STARTING, "drain"): LifeState.DRAINING,
    (LifeState.STARTING, "stopped"): LifeState.STOPPED,
    (LifeState.SERVING, "attached"): None,
    (LifeState.SERVING, "drain"): LifeState.DRAINING,
    (LifeState.SERVING, "stopped"): None,
    (LifeState.DRAINING, "attached"): LifeState.DRAINING,
    (LifeState.DRAINING, "drain"): LifeState.DRAINING,
    (LifeState.DRAINING, "stopped"): LifeState.STOPPED,
    (LifeState.STOPPED, "attached"): LifeState.STOPPED,
    (LifeState.STOPPED, "drain"): LifeState.STOPPED,
    (LifeState.STOPPED, "stopped"): LifeState.STOPPED,
}


@pytest.mark.parametrize(("state", "given_input"), TABLE)
def test_every_state_answers_every_input(state: LifeState, given_input: str) -> None:
    """
    Each input leads to the one state of the table, or is misuse that changes nothing.
    """
    life = DaemonLife()
    for step in PATHS[state]:
        getattr(life, step)()
    assert life.state is state
    expected = TABLE[state, given_input]
    if expected is None:
        with pytest.raises(LocalMisuse):
            getattr(life, given_input)()
        expected = state
    else:
        getattr(life, given_input)()
    assert life.state is expected


@pytest.mark.parametrize(
    ("state", "accepting", "draining"),
    [(LifeState.STARTING, False, False), (LifeState.SERVING, True, False),
     (LifeState.DRAINING, False, True), (LifeState.STOPPED, False, True)],
)  # fmt: skip
def test_only_a_serving_daemon_accepts(
    state: LifeState,
    accepting: bool,  # noqa: FBT001
    draining: bool,  # noqa: FBT001
) -> None:
    """
    Traffic is served between attaching and the begin of a stop, and never again after it.
    """
    life = DaemonLife()
    for step in PATHS[state]:
        getattr(life, step)()
    assert (life.accepting, life.draining) == (accepting, draining)


@given(st.lists(st.sampled_from(INPUTS), max_size=12))
def test_a_daemon_never_serves_again_once_a_stop_began(steps: list[str]) -> None:
    """
    Whatever happens in whatever order, nothing revives a stopping daemon.
    """
    life = DaemonLife()
    stopping = False
    for step in steps:
        try:
            getattr(life, step)()
        except LocalMisuse:
            assert life.state is LifeState.SERVING
        stopping = stopping or life.draining
        assert not (stopping and life.accepting)
