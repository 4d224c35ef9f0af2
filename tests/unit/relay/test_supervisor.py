"""
When a link is dialled, when a daemon is started, and how long the pauses are.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.client.address import parse_address
from reticle.model.relay_limits import FRUITLESS_STARTS, RETRY_SECONDS
from reticle.relay.states import State
from reticle.relay.supervisor import Supervisor, Where
from reticle.relay.trouble import Cause, Trouble

HERE = Where(parse_address("http://127.0.0.1:4400/mcp/sse"), None)
NOBODY = Trouble(Cause.NOBODY, "nothing listens")
SILENT = Trouble(Cause.SILENT, "silent")
BROKEN = Trouble(Cause.BROKEN, "lost")


class FakeLink:
    """
    Stands for a dialled link; the test says what becomes of it.
    """

    def __init__(self) -> None:
        self.paused = False
        self.queued_bytes = 0
        self.closed = False
        self.posted: list[bytes] = []

    def post(self, body: bytes, key: str, now: float) -> None:
        """
        Keep.
        """
        del key, now
        self.posted.append(body)

    def deadline(self) -> float:
        """
        Far away.
        """
        return 1e9

    def tick(self, now: float) -> None:
        """
        Nothing is due.
        """

    def close(self) -> None:
        """
        Note it.
        """
        self.closed = True


class World:
    """
    Front and places in one: what they are asked, and what the test lets them say.
    """

    def __init__(self) -> None:
        self.now = 100.0
        self.waiting = False
        self.links: list[FakeLink] = []
        self.starts = 0
        self.obstacle: Trouble | None = None
        self.found: Where | Trouble | None = None
        self.told: list[str] = []
        made: Any = Supervisor(self, self, self.told.append, lambda: self.now, self._dial)  # type: ignore[arg-type]
        self.supervisor: Supervisor = made
        self.events: list[str] = []

    def _dial(self, *_: object) -> FakeLink:
        self.links.append(FakeLink())
        return self.links[-1]

    def find(self) -> Where:
        """
        Always the same port.
        """
        return HERE

    def start(self, now: float) -> Trouble | None:
        """
        Count.
        """
        del now
        self.starts += 1
        return self.obstacle

    def look(self, now: float) -> Where | Trouble | None:
        """
        What the test set.
        """
        del now
        return self.found

    def explain(self, trouble: Trouble) -> Trouble:
        """
        With a pid.
        """
        return trouble._replace(text=trouble.text + " (pid 7)")

    def link_opened(self) -> None:
        """
        Note it.
        """
        self.events.append("opened")

    def link_lost(self, trouble: Trouble) -> None:
        """
        Note it.
        """
        self.events.append(f"lost: {trouble.text}")

    def attempt_failed(self, trouble: Trouble, now: float) -> None:
        """
        Note it.
        """
        del now
        self.events.append(f"failed: {trouble.text}")

    def want(self) -> None:
        """
        A request comes.
        """
        self.waiting = True
        self.supervisor.want(self.now)

    def wait(self, seconds: float) -> None:
        """
        Time passes.
        """
        self.now += seconds
        self.supervisor.tick(self.now)


@pytest.fixture
def world() -> World:
    """
    A front that has just begun to look for a daemon.
    """
    made = World()
    made.supervisor.want(made.now)
    return made


def test_a_link_that_opens_is_ready(world: World) -> None:
    """
    The usual day: one dial, messages flow.
    """
    world.supervisor.opened()
    assert world.supervisor.ready
    assert world.events == ["opened"]
    world.want()
    assert len(world.links) == 1


def test_the_first_time_a_daemon_is_started(world: World) -> None:
    """
    A client that has just begun gets a daemon although it has asked for nothing yet.
    """
    world.supervisor.lost(NOBODY)
    assert (world.starts, world.supervisor.state) == (1, State.STARTING)
    world.wait(0.1)
    assert world.supervisor.state is State.STARTING
    world.found = HERE
    world.wait(0.1)
    assert world.supervisor.state.value == "opening"
    world.supervisor.opened()
    assert world.events == ["opened"]


def test_later_one_is_started_only_for_a_request(world: World) -> None:
    """
    What a person stopped stays stopped, until an agent needs it.
    """
    world.supervisor.opened()
    world.supervisor.lost(BROKEN)
    for _ in range(5):
        world.wait(60.0)
        world.supervisor.lost(NOBODY)
    assert world.starts == 0
    world.want()
    world.supervisor.lost(NOBODY)
    assert world.starts == 1


def test_pauses_grow_to_half_a_minute_and_no_further(world: World) -> None:
    """
    SP-04: a front whose daemon is away for hours costs nothing, and is never away for minutes itself.
    """
    world.supervisor.opened()
    world.supervisor.lost(BROKEN)
    pauses = []
    for _ in range(12):
        due = world.supervisor.deadline()
        assert due is not None
        pauses.append(round(due - world.now, 2))
        world.wait(due - world.now)
        world.supervisor.lost(SILENT)
    assert pauses == sorted(pauses)
    assert pauses[-1] == max(RETRY_SECONDS) <= 30.0


def test_a_request_probes_at_once(world: World) -> None:
    """
    SP-04: whatever the pause was, a new request does not wait for its end.
    """
    world.supervisor.opened()
    world.supervisor.lost(BROKEN)
    for _ in range(8):
        world.wait(60.0)
        world.supervisor.lost(SILENT)
    dialled = len(world.links)
    world.want()
    assert len(world.links) == dialled + 1


def test_a_request_does_not_wait_for_an_old_attempt(world: World) -> None:
    """
    SP-04: the silent program was replaced meanwhile; the attempt at it is given up for the request's own.
    """
    world.now += 1.0
    world.want()
    assert len(world.links) == 2
    assert world.links[0].closed
    world.now += 1.0
    world.want()
    assert len(world.links) == 2


def test_while_a_request_waits_the_pauses_are_short(world: World) -> None:
    """
    A daemon that restarts is found within a quarter of a second.
    """
    world.supervisor.opened()
    world.want()
    world.supervisor.lost(BROKEN)
    for _ in range(6):
        due = world.supervisor.deadline()
        assert due is not None
        assert due - world.now <= RETRY_SECONDS[1]
        world.wait(due - world.now)
        world.supervisor.lost(Trouble(Cause.UNREADY, "503"))


def test_who_holds_the_port_is_told(world: World) -> None:
    """
    A wedged program is named, and no second daemon is started at its side.
    """
    world.want()
    world.supervisor.lost(SILENT)
    assert world.events == ["failed: silent (pid 7)"]
    assert world.starts == 0


def test_a_daemon_that_does_not_come_up_is_told(world: World) -> None:
    """
    The reason of a failed start reaches the request.
    """
    world.supervisor.lost(NOBODY)
    world.found = Trouble(Cause.UNSTARTED, "no disk")
    world.wait(0.1)
    assert world.events == ["failed: no disk"]
    assert world.supervisor.state is State.WAITING


def test_without_leave_nothing_is_started(world: World) -> None:
    """
    ``--no-start``: the request fails with the command that helps.
    """
    world.obstacle = Trouble(Cause.NOBODY, "not allowed", "reticle serve")
    world.supervisor.lost(NOBODY)
    assert world.events == ["failed: nothing listens (pid 7)"]
    assert world.supervisor.state is State.WAITING


def test_starts_that_bear_nothing_come_to_an_end(world: World) -> None:
    """
    A daemon that announces itself and dies is not started for ever.
    """
    world.want()
    world.found = HERE
    for _ in range(FRUITLESS_STARTS):
        world.supervisor.lost(NOBODY)
        world.wait(0.1)
    world.supervisor.lost(NOBODY)
    assert world.starts == FRUITLESS_STARTS
    assert world.events == ["failed: nothing listens (pid 7)"]


def test_the_end_of_the_client_is_the_end(world: World) -> None:
    """
    A front whose client has gone keeps no connection.
    """
    world.supervisor.close()
    assert world.links[0].closed
    assert world.supervisor.deadline() is None
    world.supervisor.tick(world.now + 1e6)
    assert len(world.links) == 1
