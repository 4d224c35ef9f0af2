"""
The states of the link to the daemon, as a table.

Standard library only, so by hand and not by Automat; ``tests/unit/relay/test_states.py`` walks it.
"""

from __future__ import annotations

from enum import Enum


class State(Enum):
    """
    Where the link stands.
    """

    IDLE = "idle"
    """Nobody has asked for a daemon yet."""
    OPENING = "opening"
    """A connection is dialled; the stream's first frame is awaited."""
    STARTING = "starting"
    """A daemon was started; its announcement is awaited."""
    READY = "ready"
    """Messages flow."""
    WAITING = "waiting"
    """The last attempt failed; the next one comes by itself or with the next request."""
    CLOSED = "closed"
    """The client is gone."""


class Event(Enum):
    """
    What happens to the link.
    """

    WANTED = "wanted"
    """A request waits."""
    OPENED = "opened"
    """The stream's first frame is there."""
    FAILED = "failed"
    """The attempt came to nothing."""
    START = "start"
    """Nobody listens, and a daemon is to be started."""
    ANNOUNCED = "announced"
    """A daemon has announced itself."""
    GAVE_UP = "gave up"
    """No daemon came of the start."""
    LOST = "lost"
    """The stream is over."""
    DUE = "due"
    """The pause is over."""
    START_OVER = "start over"
    """A bug of ours: whatever the link was doing is given up."""
    CLOSE = "close"
    """The client has gone."""


_MOVES = {
    (State.IDLE, Event.WANTED): State.OPENING,
    (State.OPENING, Event.WANTED): State.OPENING,
    (State.OPENING, Event.OPENED): State.READY,
    (State.OPENING, Event.FAILED): State.WAITING,
    (State.OPENING, Event.START): State.STARTING,
    (State.STARTING, Event.WANTED): State.STARTING,
    (State.STARTING, Event.ANNOUNCED): State.OPENING,
    (State.STARTING, Event.GAVE_UP): State.WAITING,
    (State.READY, Event.WANTED): State.READY,
    (State.READY, Event.LOST): State.WAITING,
    (State.WAITING, Event.WANTED): State.OPENING,
    (State.WAITING, Event.DUE): State.OPENING,
}


def after(state: State, event: Event) -> State:
    """
    The next state.

    Raises:
        KeyError: The event cannot happen there: a bug of ours.
    """
    if event is Event.CLOSE:
        return State.CLOSED
    if event is Event.START_OVER and state is not State.CLOSED:
        return State.WAITING
    return _MOVES[state, event]
