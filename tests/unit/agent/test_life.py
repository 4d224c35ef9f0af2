"""
Which state of an agent follows which.
"""

from __future__ import annotations

import pytest

from reticle.agent.life import AgentLife, AgentState
from reticle.errors import LocalMisuse

INPUTS = ["start", "stop", "rest", "end"]
PATHS = {
    AgentState.IDLE: [],
    AgentState.RUNNING: ["start"],
    AgentState.STOPPING: ["start", "stop"],
    AgentState.RESTING: ["start", "rest"],
    AgentState.OVER: ["start", "end"],
}
TABLE = {
    (AgentState.IDLE, "start"): AgentState.RUNNING,
    (AgentState.IDLE, "stop"): AgentState.OVER,
    (AgentState.RUNNING, "stop"): AgentState.STOPPING,
    (AgentState.RUNNING, "rest"): AgentState.RESTING,
    (AgentState.RUNNING, "end"): AgentState.OVER,
    (AgentState.STOPPING, "stop"): AgentState.STOPPING,
    (AgentState.STOPPING, "end"): AgentState.OVER,
    (AgentState.RESTING, "start"): AgentState.RUNNING,
    (AgentState.RESTING, "stop"): AgentState.OVER,
    (AgentState.RESTING, "end"): AgentState.OVER,
    (AgentState.OVER, "stop"): AgentState.OVER,
}


@pytest.mark.parametrize("state", AgentState)
@pytest.mark.parametrize("given_input", INPUTS)
def test_every_state_answers_every_input(state: AgentState, given_input: str) -> None:
    """
    Each input leads to the one state of the table, or is misuse that changes nothing.
    """
    life = AgentLife()
    for step in PATHS[state]:
        getattr(life, step)()
    assert life.state is state
    expected = TABLE.get((state, given_input))
    if expected is None:
        with pytest.raises(LocalMisuse):
            getattr(life, given_input)()
        expected = state
    else:
        getattr(life, given_input)()
    assert life.state is expected
