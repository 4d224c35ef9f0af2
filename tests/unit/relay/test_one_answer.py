"""
Exactly one answer to each request, and no act twice, whatever happens in whatever order (SP-05).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reticle.relay.front import Front
from reticle.relay.memory import Memory
from reticle.relay.offer import Offer
from reticle.relay.trouble import Cause, Trouble

ACT, READ = "reticle_act", "reticle_snapshot"
TROUBLES = [Trouble(Cause.BROKEN, "lost"), Trouble(Cause.SILENT, "silent"), Trouble(Cause.NOBODY, "nobody")]
EVENTS = (
    "act",
    "read",
    "open",
    "lose",
    "left",
    "taken",
    "answer",
    "503",
    "doubt",
    "refuse",
    "cancel",
    "fail",
    "batch",
    "bug",
)


class World:
    """
    A client, a front, and daemons that come and go; counts what each side saw.
    """

    def __init__(self) -> None:
        self.ready = False
        self.now = 0.0
        self.tools: dict[int, str] = {}
        self.answers: dict[int, int] = {}
        self.cancelled: set[int] = set()
        self.batched: set[int] = set()
        self.runs: dict[int, int] = {}
        self.queue: list[int] = []
        self.carried: int | None = None
        self.open_calls: list[int] = []
        offer = Offer(None)
        self.front = Front(offer, Memory("t", "2025-03-26"), self._hear)
        self.front.attach(self)

    def want(self, now: float) -> None:
        """
        Provides ``Carrier``.
        """

    def post(self, body: bytes, key: str) -> None:
        """
        Provides ``Carrier``.
        """
        del body
        if key:
            self.queue.append(int(key))

    def _hear(self, line: bytes) -> None:
        found: Any = json.loads(line)
        for message in found if isinstance(found, list) else [found]:
            if message.get("id") in self.tools:
                self.answers[message["id"]] = self.answers.get(message["id"], 0) + 1

    def step(self, event: str, number: int) -> None:
        """
        One event; what cannot happen now does not.
        """
        self.now += 1.0
        steps: dict[str, Callable[[], None]] = {
            "act": lambda: self._ask(ACT),
            "read": lambda: self._ask(READ),
            "open": self._open,
            "lose": lambda: self._lose(TROUBLES[number % len(TROUBLES)]),
            "left": lambda: self._leave(begun=number % 2 == 1),
            "taken": self._take,
            "503": self._give_back,
            "doubt": self._break,
            "refuse": self._refuse,
            "answer": lambda: self._answer(number),
            "cancel": lambda: self._cancel(number),
            "fail": lambda: self._fail(TROUBLES[number % len(TROUBLES)]),
            "batch": lambda: self._ask(ACT, READ, *[ACT] * number),
            "bug": self._start_over,
        }
        steps[event]()

    def settle(self) -> None:
        """
        Let a healthy daemon serve what is left.
        """
        for event in ("open", *["taken", "left"] * 200, "taken"):
            self.step(event, 0)
        while self.open_calls:
            self.step("answer", 0)

    def _ask(self, *tools: str) -> None:
        messages = []
        for tool in tools:
            identity = len(self.tools) + 1
            self.tools[identity] = tool
            params = {"name": tool, "arguments": {}}
            messages.append({"jsonrpc": "2.0", "id": identity, "method": "tools/call", "params": params})
        if len(messages) > 1:
            self.batched.update(int(str(each["id"])) for each in messages)
        line = messages if len(messages) > 1 else messages[0]
        self.front.take_line(json.dumps(line).encode(), self.now)

    def _start_over(self) -> None:
        """
        What the guard does after a bug.
        """
        self.ready, self.queue, self.carried, self.open_calls = False, [], None, []
        self.front.start_over("KeyError")

    def _run(self, identity: int) -> None:
        self.runs[identity] = self.runs.get(identity, 0) + 1
        self.open_calls.append(identity)

    def _open(self) -> None:
        if not self.ready:
            self.ready = True
            self.front.link_opened()

    def _lose(self, trouble: Trouble) -> None:
        if self.ready:
            self.ready, self.queue, self.carried, self.open_calls = False, [], None, []
            self.front.link_lost(trouble)

    def _leave(self, *, begun: bool) -> None:
        if self.carried is None and self.queue:
            self.carried = self.queue.pop(0)
            self.front.left(str(self.carried))
            if begun:  # it reached the daemon, which did not wait
                self._run(self.carried)

    def _take(self) -> None:
        if self.carried is not None and self.carried not in self.open_calls:
            self._run(self.carried)
        self.carried = None

    def _untouched(self) -> int | None:
        return None if self.carried in self.open_calls else self.carried

    def _give_back(self) -> None:
        carried = self._untouched()
        if carried is not None:
            self.front.untaken(str(carried))
            self.queue.insert(0, carried)
            self.carried = None

    def _break(self) -> None:
        if self.carried is not None:
            broken, self.carried = self.carried, None
            self.front.doubted(str(broken))

    def _refuse(self) -> None:
        carried = self._untouched()
        if carried is not None:
            self.carried = None
            self.front.refused(str(carried), 413, "large")

    def _answer(self, number: int) -> None:
        if self.open_calls:
            done = self.open_calls.pop(number % len(self.open_calls))
            if self.carried == done:
                self.carried = None
            self.front.arrived(json.dumps({"id": done, "result": {}}), self.now)

    def _fail(self, trouble: Trouble) -> None:
        if not self.ready:
            self.front.attempt_failed(trouble, self.now)

    def _cancel(self, number: int) -> None:
        identity = sorted(self.tools)[number % len(self.tools)] if self.tools else 0
        if identity == 0 or identity in self.answers:
            return
        self.cancelled.add(identity)
        params = {"requestId": identity}
        message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
        self.front.take_line(json.dumps(message).encode(), self.now)


@given(st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 5)), max_size=60))
def test_every_request_is_answered_once_and_no_act_runs_twice(events: list[tuple[str, int]]) -> None:
    """
    Over any losses, doubts, refusals, cancellations and bugs, alone and in batches: one answer each, none to
    what was cancelled (unless its batch had it already), and the page is clicked at most once per click.
    """
    world = World()
    for event, number in events:
        world.step(event, number)
    world.settle()
    late = {each for each in world.answers if each in world.cancelled & world.batched}
    expected = {identity: 1 for identity in world.tools if identity not in world.cancelled - late}
    assert world.answers == expected
    assert not world.front.busy
    assert [each for each, runs in world.runs.items() if world.tools[each] == ACT and runs > 1] == []
    assert max(world.runs.values(), default=0) <= 2
