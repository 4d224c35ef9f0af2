"""
A bug of ours, in any part and at any moment: one answer for each request, and the front goes on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from reticle.model.relay_limits import FAILURES_IN_A_ROW
from reticle.relay import answers, front, intake
from reticle.relay.front import Front
from reticle.relay.guard import BROKEN, Guard, traceback_text
from reticle.relay.intake import Intake
from reticle.relay.ledger import Ledger
from reticle.relay.lessons import Lessons
from reticle.relay.listening import Listening
from reticle.relay.memory import Memory
from reticle.relay.offer import Offer
from reticle.relay.questions import Questions
from reticle.relay.replies import Replies
from reticle.relay.tool_list import ToolList

CALL = "tools/call"


class Injected(Exception):
    """
    Stands for a bug.
    """


def broken(*_: object, **__: object) -> Any:
    """
    Fail.
    """
    raise Injected


class FakeSockets:
    """
    Provides ``Sockets`` and ``Carrier``: a link that stands, and takes whatever is posted.
    """

    def __init__(self, served: Front) -> None:
        self.ready = True
        self.queued_bytes = 0
        self.restarts = 0
        self.posted: list[dict[str, Any]] = []
        self._front = served

    def want(self, now: float) -> None:
        """
        It stands.
        """

    def post(self, body: bytes, key: str) -> None:
        """
        Taken at once.
        """
        self.posted.append(json.loads(body))
        if key:
            self._front.left(key)

    def pause(self, paused: bool) -> None:  # noqa: FBT001 - as the protocol has it
        """
        Nothing to pause.
        """

    def interests(self) -> Sequence[tuple[int, bool, bool]]:
        """
        One descriptor.
        """
        return [(7, True, False)]

    def socket_ready(self, descriptor: int, *, readable: bool, writable: bool, now: float) -> None:
        """
        The daemon answers what was posted.
        """
        del descriptor, readable, writable
        while self.posted:
            last = self.posted.pop()
            if "id" in last:
                self._front.arrived(json.dumps({"jsonrpc": "2.0", "id": last["id"], "result": {}}), now)

    def deadline(self) -> float | None:
        """
        None.
        """
        return None

    def tick(self, now: float) -> None:
        """
        Nothing is due.
        """

    def start_over(self) -> None:
        """
        Count; what was under way is gone.
        """
        self.restarts += 1
        self.posted.clear()

    def close(self) -> None:
        """
        Nothing to close.
        """


class World:
    """
    A guarded front over a link that stands.
    """

    def __init__(self, revision: str = "2025-03-26") -> None:
        self.said: list[Any] = []
        self.failures: list[BaseException] = []
        self.guard = Guard(lambda line: self.said.append(json.loads(line)), self.failures.append)
        self.front = Front(
            Offer(None), Memory("t", revision), lambda line: self.said.append(json.loads(line))
        )
        self.sockets = FakeSockets(self.front)
        self.guard.serve(self.front)
        self.front.attach(self.sockets)
        self.guard.link(self.sockets)

    def send(self, *requests: tuple[int, str] | str) -> None:
        """
        One line of the client: one request or notification, or a batch of them.
        """
        messages = [
            {"jsonrpc": "2.0", "method": each}
            if isinstance(each, str)
            else {"jsonrpc": "2.0", "id": each[0], "method": each[1], "params": {"name": "reticle_act"}}
            for each in requests
        ]
        self.guard.take_line(json.dumps(messages[0] if len(messages) == 1 else messages).encode(), 0.0)

    def answered(self) -> dict[int, Any]:
        """
        What was said by id; no id twice.
        """
        flat = [one for each in self.said for one in (each if isinstance(each, list) else [each])]
        ids = [one["id"] for one in flat if "id" in one]
        assert len(ids) == len(set(ids)), flat
        return {one["id"]: one for one in flat if "id" in one}


PARTS = [
    (intake, "parse"),
    (front, "local_answer"),
    (front, "may_repeat"),
    (Intake, "take"),
    (answers, "result_line"),
    (Ledger, "add"),
    (Listening, "takes"),
    (Memory, "decide"),
    (Memory, "observe"),
    (Questions, "answered"),
    (Replies, "expect"),
    (FakeSockets, "post"),
    (Front, "_take"),
    (Front, "take_line"),
    (Front, "arrived"),
    (Front, "left"),
    (FakeSockets, "socket_ready"),
    (FakeSockets, "queued_bytes"),
    (FakeSockets, "interests"),
    (FakeSockets, "pause"),
    (FakeSockets, "deadline"),
    (Front, "deadline"),
    (Front, "busy"),
    (FakeSockets, "want"),
    (Lessons, "learn"),
    (ToolList, "ask"),
]


def turn(world: World) -> None:
    """
    What the loop asks in one turn.
    """
    served = world.guard
    served.want(0.0)
    served.pause(True)
    assert served.queued_bytes >= 0
    assert served.busy in (True, False)
    served.deadline()
    served.tick(0.0)
    for descriptor, *_ in served.interests():
        served.socket_ready(descriptor, readable=True, writable=False, now=0.0)


@pytest.mark.parametrize("lines", ["single", "batch"])
@pytest.mark.parametrize(("owner", "name"), PARTS, ids=lambda value: getattr(value, "__name__", value))
def test_whatever_fails_once(owner: Any, name: str, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Each request has exactly one answer whatever part fails while it is taken or answered, and the next one
    is served as if nothing had been.
    """
    world = World()
    with monkeypatch.context() as patch:
        patch.setattr(
            owner, name, property(broken) if name in ("queued_bytes", "busy") else broken, raising=False
        )
        if lines == "single":
            for request in ((1, CALL), (2, "ping"), (3, CALL)):
                world.send(request)
        else:
            world.send((1, CALL), "notifications/x", (2, "ping"), (3, CALL))
        turn(world)
    world.guard.socket_ready(7, readable=True, writable=False, now=0.0)
    world.front.start_over("the end")
    assert set(world.answered()) == {1, 2, 3}
    assert all(isinstance(failure, Injected) for failure in world.failures)
    assert world.guard.exit_code == 0
    world.send((9, CALL))
    world.guard.socket_ready(7, readable=True, writable=False, now=0.0)
    assert world.answered()[9]["result"] == {}


def test_what_had_left_may_have_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A call that the daemon has is not called unsent; one that never left is.
    """
    world = World()
    world.send((1, CALL))
    monkeypatch.setattr(Front, "_take", broken)
    world.send((2, CALL))
    codes = {key: answer["error"]["data"]["code"] for key, answer in world.answered().items()}
    assert codes == {1: "outcome_unknown", 2: "internal_error"}
    assert "nothing was sent" in world.answered()[2]["error"]["message"]
    assert world.sockets.restarts == 1


def test_what_fails_again_and_again_ends_the_front(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A front that would only spin answers what is owed, every later request by an error, and says by its exit
    code that it is broken.
    """
    world = World()
    world.send((1, CALL))
    monkeypatch.setattr(FakeSockets, "deadline", broken)
    for _ in range(FAILURES_IN_A_ROW):
        world.guard.deadline()
    assert (world.guard.exit_code, world.guard.ended) == (BROKEN, False)
    world.send((2, "ping"), (3, CALL), "notifications/x")
    world.send((4, "initialize"))
    world.guard.take_line(b"nonsense", 0.0)
    assert set(world.answered()) == {1, 2, 3, 4}
    assert (world.guard.busy, world.guard.deadline(), world.guard.interests()) == (False, None, ())


@pytest.mark.parametrize(("owner", "name"), [(Front, "start_over"), (FakeSockets, "start_over")])
def test_who_cannot_start_over_gives_up(owner: type, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    When the beginning afresh fails as well, nothing is kept up that does not work.
    """
    world = World()
    monkeypatch.setattr(owner, name, broken)
    monkeypatch.setattr(Front, "_take", broken)
    world.send((1, CALL))
    assert world.guard.exit_code == BROKEN
    assert world.guard.ended is (owner is Front)


def test_a_client_that_cannot_be_told_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Without a way to say anything the process goes instead of keeping silent.
    """
    world = World()
    monkeypatch.setattr(Replies, "answer", broken)
    world.send((1, "ping"))
    assert (world.guard.exit_code, world.guard.ended) == (BROKEN, True)


@pytest.mark.parametrize("fails", [False, True])
def test_who_leaves_owes_nothing(monkeypatch: pytest.MonkeyPatch, *, fails: bool) -> None:
    """
    At the end of input each request has its one answer, also where telling them all fails.
    """
    world = World()
    world.send((1, "tools/call"), (2, "tools/call"))
    world.send((3, "tools/call"))
    if fails:
        monkeypatch.setattr(Front, "leave", broken)
    world.guard.leave()
    assert ({*world.answered()}, world.guard.busy) == ({1, 2, 3}, False)


def test_without_a_front_each_request_is_answered() -> None:
    """
    A broken installation is told to the client, request by request.
    """
    said: list[Any] = []
    logged: list[BaseException] = []
    served = Guard(lambda line: said.append(json.loads(line)), logged.append)
    served.give_up(Injected())
    served.take_line(b'{"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}', 0.0)
    served.refuse_overlong()
    served.leave()
    [answer] = said
    assert (answer["id"], answer["error"]["code"], answer["error"]["data"]["code"]) == (
        "a", -32603, "internal_error",
    )  # fmt: skip
    assert (len(logged), served.exit_code) == (1, BROKEN)


def test_a_failure_is_told_with_its_place() -> None:
    """
    The log names the line that failed.
    """
    try:
        broken()
    except Injected as failure:
        text = traceback_text(failure)
    assert "raise Injected" in text
