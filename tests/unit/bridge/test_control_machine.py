"""
Whether agents may act, state by state.
"""

from __future__ import annotations

import pytest

from reticle.bridge.control_machine import Facts, Inputs, build_machine
from reticle.model.codes import ControlState

A, P, E = ControlState.ACTIVE, ControlState.PAUSED, ControlState.ENDED
TO_STATE = {"active": [], "paused": ["pause"], "stopped": ["end"], "finished": ["finish"]}
TABLE = [
    ("active", "pause", P, [P]), ("active", "unpause", A, []), ("active", "end", E, [E]),
    ("active", "resume", A, []), ("active", "finish", E, [E]), ("active", "act", A, []),
    ("active", "renew", A, []),
    ("paused", "pause", P, []), ("paused", "unpause", A, [A]), ("paused", "end", E, [E]),
    ("paused", "resume", A, [A]), ("paused", "finish", P, []), ("paused", "act", P, []),
    ("paused", "renew", P, [P]),
    ("stopped", "pause", E, []), ("stopped", "unpause", E, []), ("stopped", "end", E, []),
    ("stopped", "resume", A, [A]), ("stopped", "finish", E, []), ("stopped", "act", E, []),
    ("stopped", "renew", E, [E]),
    ("finished", "pause", P, [P]), ("finished", "unpause", E, []), ("finished", "end", E, [E]),
    ("finished", "resume", A, [A]), ("finished", "finish", E, [E]), ("finished", "act", A, [A]),
    ("finished", "renew", E, [E]),
]  # fmt: skip


def put(inputs: Inputs, name: str) -> None:
    """
    One input.
    """
    arguments = ("done",) if name == "finish" else ()
    getattr(inputs, name)(*arguments)


@pytest.mark.parametrize(("before", "what", "after", "shown"), TABLE)
def test_every_input_in_every_state(
    before: str, what: str, after: ControlState, shown: list[ControlState]
) -> None:
    """
    A person's pause and end outlast what agents do; each change is shown once, and nothing else is.
    """
    told: list[ControlState] = []
    facts = Facts(lambda state, _text: told.append(state))
    inputs = build_machine(facts)
    for name in TO_STATE[before]:
        put(inputs, name)
    told.clear()
    put(inputs, what)
    assert (facts.state, told) == (after, shown)


def test_the_table_is_whole() -> None:
    """
    No button is forgotten in any state.
    """
    names = {name for name in vars(Inputs) if not name.startswith("_")}
    assert {(state, name) for state, name, _, _ in TABLE} == {
        (state, name) for state in TO_STATE for name in names
    }


def test_who_ended_is_known() -> None:
    """
    An agent's own summary does not lock it out; a person's end does.
    """
    facts = Facts(lambda _state, _text: None)
    inputs = build_machine(facts)
    inputs.finish("all done")
    assert (facts.by_person, facts.summary) == (False, "all done")
    inputs.end()
    assert (facts.by_person, facts.summary) == (True, "")
    inputs.resume()
    assert facts.by_person is False
