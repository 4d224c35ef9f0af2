"""
The machine of a page socket, as a table.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from automat import NoTransition
from twisted.internet.task import Clock

from reticle.bridge.link_machine import Facts, Inputs, build_machine
from reticle.bridge.page import BridgedPage
from reticle.bridge.refused_dials import Rejection
from reticle.bridge.wire import CommandResult, Events, Hello
from reticle.model.ids import CommandId
from reticle.testing.bridge import Bridge
from reticle.testing.sockets import FakeSocketWriter

HELLO = Hello(1, "s1", "http://x/", "x", own_script=True)
NO = Rejection(1013, "later", "")


class Scene:
    """
    One machine, brought into a state.
    """

    def __init__(self, state: str) -> None:
        bridge = Bridge()
        bridge.connect()
        self.page: BridgedPage = bridge.page()
        self.writer = FakeSocketWriter()
        self.left = 0
        self.facts = Facts(
            self.writer,
            Clock(),
            judge_first=lambda _: self.page,
            judge_talker=lambda _: self.page,
            left=self._leave,
        )
        self.inputs = build_machine(self.facts)
        for step in STEPS[state]:
            step(self.inputs)

    def _leave(self) -> None:
        self.left += 1


STEPS: dict[str, list[Callable[[Inputs], None]]] = {
    "awaiting_hello": [],
    "live": [lambda inputs: inputs.hello(HELLO)],
    "demoted": [lambda inputs: inputs.hello(HELLO), lambda inputs: inputs.demote()],
    "ending": [lambda inputs: inputs.end(NO)],
    "gone": [lambda inputs: inputs.lose(1006)],
}
INPUTS: dict[str, Callable[[Inputs, Scene], None]] = {
    "hello": lambda inputs, _: inputs.hello(HELLO),
    "events": lambda inputs, _: inputs.events(Events([])),
    "result": lambda inputs, _: inputs.result(CommandResult(CommandId("c9-9"), True)),
    "expire": lambda inputs, _: inputs.expire(),
    "admit": lambda inputs, scene: inputs.admit(scene.page),
    "reject": lambda inputs, _: inputs.reject(NO),
    "demote": lambda inputs, _: inputs.demote(),
    "speak_up": lambda inputs, _: inputs.speak_up(),
    "end": lambda inputs, _: inputs.end(NO),
    "lose": lambda inputs, _: inputs.lose(1006),
}


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("state", STEPS)
def test_every_state_answers_every_input(state: str, name: str) -> None:
    """
    Whatever comes in whatever order, the socket's end is told exactly once and nothing raises.
    """
    scene = Scene(state)
    try:
        INPUTS[name](scene.inputs, scene)
        scene.inputs.lose(1006)
        scene.inputs.lose(1006)
    except NoTransition as missing:  # pragma: no cover - only when the table has a hole
        pytest.fail(f"no row: {missing}")
    assert scene.left == 1


@pytest.mark.parametrize(("state", "speaks"), [(state, state == "live") for state in STEPS])
def test_only_a_live_socket_speaks_for_a_page(state: str, *, speaks: bool) -> None:
    """
    The short way of events is open in the live state alone.
    """
    scene = Scene(state)
    assert (scene.facts.speaks_for is scene.page) is speaks


@pytest.mark.parametrize(
    ("state", "name", "closed"),
    [
        ("awaiting_hello", "expire", (1008, "hello timeout")),
        ("awaiting_hello", "end", (1013, "later")),
        ("live", "end", (1013, "later")),
        ("demoted", "end", (1013, "later")),
        ("live", "expire", None),
        ("live", "demote", None),
        ("ending", "end", (1013, "later")),
        ("gone", "end", None),
    ],
)
def test_what_closes_a_socket(state: str, name: str, closed: tuple[int, str] | None) -> None:
    """
    Only a missing hello and our own decision close it, once, with their code.
    """
    scene = Scene(state)
    INPUTS[name](scene.inputs, scene)
    assert scene.writer.closed == closed
