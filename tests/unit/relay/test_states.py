"""
The table of the link's states, each cell.
"""

from __future__ import annotations

import itertools

import pytest

from reticle.relay.states import Event, State, after

TABLE = {
    State.IDLE: {Event.WANTED: State.OPENING},
    State.OPENING: {
        Event.WANTED: State.OPENING,
        Event.OPENED: State.READY,
        Event.FAILED: State.WAITING,
        Event.START: State.STARTING,
    },
    State.STARTING: {
        Event.WANTED: State.STARTING,
        Event.ANNOUNCED: State.OPENING,
        Event.GAVE_UP: State.WAITING,
    },
    State.READY: {Event.WANTED: State.READY, Event.LOST: State.WAITING},
    State.WAITING: {Event.WANTED: State.OPENING, Event.DUE: State.OPENING},
    State.CLOSED: {},
}


@pytest.mark.parametrize(("state", "event"), list(itertools.product(State, Event)))
def test_each_event_in_each_state(state: State, event: Event) -> None:
    """
    A link never does two things at once, and what cannot happen is noticed.
    """
    expected = State.CLOSED if event is Event.CLOSE else TABLE[state].get(event)
    if event is Event.START_OVER and state is not State.CLOSED:
        expected = State.WAITING
    if expected is None:
        with pytest.raises(KeyError):
            after(state, event)
    else:
        assert after(state, event) is expected


def test_no_state_but_the_last_is_a_dead_end() -> None:
    """
    From wherever the link is it can become ready again without a restart of the client.
    """
    reaches = {State.READY}
    for _ in State:
        reaches |= {state for state, moves in TABLE.items() if reaches & set(moves.values())}
    assert reaches == set(State) - {State.CLOSED}
